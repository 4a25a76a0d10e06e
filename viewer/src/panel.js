// The controls beside the picture.
import { errorColors, rampGradient, rgb } from "./colors.js";
import { button, count, digits, element, labelled, select, slider } from "./dom.js";
import { HELP } from "./keys.js";

const LAYOUTS = [["single", "one"], ["side", "side by side"], ["blend", "blended"]];
const AXES = ["x", "y", "z"];

let panels = 0;

export class Panel {
  constructor(viewer) {
    this.viewer = viewer;
    this.group = `cv-layout-${++panels}`; // radio buttons of two viewers on a page must not know each other
    this.parts = {};
  }

  build() {
    const { scene } = this.viewer;
    const names = ["choices", "legend", "tools", "cut"];
    for (const name of names) this.parts[name] = element("section", { class: `cv-${name}` });
    this.parts.readout = element("section", { class: "cv-readout", "aria-label": "Chosen point" });
    this.parts.live = element("p", { class: "cv-live", role: "status", "aria-live": "polite" });
    const notes = scene.notes.map((note) => element("li", {}, note));
    this.viewer.side.replaceChildren(
      element("h2", { class: "cv-title" }, scene.title),
      ...(this.viewer.inspector ? [this.viewer.inspector.section] : []),
      ...names.slice(0, 3).map((name) => this.parts[name]),
      this.parts.live,
      this.parts.readout,
      this.parts.cut,
      ...(notes.length ? [element("ul", { class: "cv-notes", "aria-label": "Notes" }, ...notes)] : []),
      help(),
    );
    this.choices();
    this.tools();
    this.#cut();
    this.read(null);
  }

  /** Which clouds and colours: one line of choices for each side. */
  choices() {
    const { viewer } = this;
    const { scene, layout } = viewer;
    const radios = LAYOUTS.map(([value, text]) =>
      element(
        "label",
        {},
        element("input", { type: "radio", name: this.group, value, checked: value === layout, onchange: () => viewer.setLayout(value) }),
        text,
      ),
    );
    const parts = [element("fieldset", { class: "cv-layouts" }, element("legend", {}, "Show"), ...radios)];
    const sides = layout === "single" ? [["", viewer.sides[0]]] : [["left", viewer.sides[0]], ["right", viewer.sides[1]]];
    for (const [where, side] of sides) {
      const said = (text) => (where ? `${layout === "blend" ? (where === "left" ? "from" : "to") : where}: ${text}` : text);
      if (scene.clouds.length > 1)
        parts.push(
          labelled(
            said("cloud"),
            select(scene.clouds.map((cloud, number) => [number, cloud.name]), side.cloud, (value) => this.#changed(() => (side.cloud = Number(value)))),
          ),
        );
      if (scene.clouds[side.cloud]?.mesh)
        parts.push(
          labelled(
            said("draw as"),
            select([["points", "points"], ["surface", "surface"]], viewer.isSurface(side) ? "surface" : "points", (value) => this.#changed(() => (side.asSurface = value === "surface"))),
          ),
        );
      const ways = viewer.colorings(side);
      parts.push(labelled(said("colour by"), select(ways.map(({ id, name }) => [id, name]), viewer.way(side).id, (value) => this.#changed(() => (side.by = value)))));
      if (side.by === "probability")
        parts.push(labelled(said("class"), select(scene.classes.map(({ name }, k) => [k, name]), side.classOf, (value) => this.#changed(() => (side.classOf = Number(value))))));
    }
    if (layout === "blend") parts.push(this.#slide("blend", "mixing"));
    if (scene.clouds.some((cloud) => cloud.arrays.moved)) parts.push(this.#slide("fold", "fold"), this.#play());
    parts.push(labelled("point size", slider({ low: 0.3, high: 5, value: viewer.size, oninput: (value) => ((viewer.size = value), viewer.adjust()) })));
    this.parts.choices.replaceChildren(...parts);
  }

  #changed(change) {
    const focused = [...this.parts.choices.querySelectorAll("select")].indexOf(document.activeElement);
    change();
    this.choices();
    this.viewer.refresh();
    this.parts.choices.querySelectorAll("select")[focused]?.focus();
  }

  #slide(text, name) {
    const { viewer } = this;
    return labelled(text, slider({ value: viewer[name], class: `cv-${name}`, oninput: (value) => ((viewer[name] = value), viewer.adjust()) }));
  }

  #play() {
    const { viewer } = this;
    const run = button("Play the folding", () => {
      const range = this.parts.choices.querySelector(".cv-fold");
      const began = performance.now();
      const step = (now) => {
        if (!range.isConnected) return;
        viewer.fold = Math.min(1, (now - began) / 3000);
        range.value = viewer.fold;
        viewer.adjust();
        if (viewer.fold < 1) requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    });
    return run;
  }

  /** What the colours mean, for each way that is in use. */
  legend() {
    const { viewer } = this;
    const used = viewer.layout === "single" ? viewer.sides.slice(0, 1) : viewer.sides;
    const parts = [];
    const seen = new Set();
    for (const side of used) {
      const way = viewer.way(side);
      const cloud = viewer.scene.clouds[side.cloud];
      const key = way.kind === "classes" ? "classes" : `${way.id} ${side.cloud} ${side.classOf}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (way.kind === "range") parts.push(scale(way, way.id === "probability" ? viewer.scene.classes[side.classOf].name : ""));
      if (way.kind === "error") parts.push(errors(viewer.scene, cloud));
      if (way.kind === "classes") parts.push(this.#classes(cloud, way.id));
    }
    const labels = viewer.scene.clouds[used[0].cloud]?.arrays.label;
    if (!seen.has("classes") && labels) parts.push(this.#classes(viewer.scene.clouds[used[0].cloud], "label"));
    this.parts.legend.replaceChildren(...parts);
  }

  #classes(cloud, by) {
    const { viewer } = this;
    const counts = cloud.counts[by] ?? [];
    const present = viewer.scene.classes.map((each, number) => ({ ...each, number, count: counts[number] ?? 0 })).filter((each) => each.count);
    const box = (each) => {
      const input = element("input", { type: "checkbox", checked: !viewer.hidden.has(each.number), onchange: () => viewer.hide(each.number, !input.checked) });
      input.dataset.number = each.number;
      const swatch = element("i", {});
      swatch.style.background = rgb(each.color);
      return element("li", {}, element("label", {}, input, swatch, element("span", {}, each.name), " ", element("b", {}, count(each.count))));
    };
    const all = (hide) => () => {
      for (const each of present) if (hide) viewer.hidden.add(each.number); else viewer.hidden.delete(each.number);
      viewer.refresh();
    };
    const focused = document.activeElement?.dataset?.number;
    const list = element("ul", { class: "cv-classes", "aria-label": "Classes, with their numbers of points; uncheck to hide" }, ...present.map(box));
    if (focused !== undefined) queueMicrotask(() => list.querySelector(`[data-number="${focused}"]`)?.focus());
    return element("div", {}, element("div", { class: "cv-row" }, element("h3", {}, "Classes"), button("all", all(false)), button("none", all(true))), list);
  }

  tools() {
    const { viewer } = this;
    const views = [["corner", "whole"], ["top", "top"], ["front", "front"], ["side", "side"]];
    const measure = button("Measure", () => viewer.measuring(!viewer.isMeasuring), { "aria-pressed": String(viewer.isMeasuring), class: "cv-measure-button" });
    const save = button("Picture", async () => {
      const link = element("a", { href: URL.createObjectURL(await viewer.stage.picture()), download: "view.png" });
      link.click();
      URL.revokeObjectURL(link.href);
    });
    this.parts.tools.replaceChildren(
      element("div", { class: "cv-row", role: "group", "aria-label": "View from" }, ...views.map(([from, text]) => button(text, () => viewer.look(from)))),
      element("div", { class: "cv-row" }, measure, save),
    );
  }

  #cut() {
    const { viewer } = this;
    const rows = AXES.map((axis, number) => {
      const inputs = ["low", "high"].map((end) =>
        slider({
          high: 1000,
          step: 1,
          value: end === "low" ? 0 : 1000,
          "aria-label": `${axis}, ${end === "low" ? "from" : "to"}`,
          oninput: () => viewer.cut(box()),
        }),
      );
      return { row: element("div", { class: "cv-cut-row" }, element("span", {}, axis), ...inputs), inputs };
    });
    const box = () => {
      const { low, high } = viewer.bounds;
      const at = (number, share) => low[number] + (high[number] - low[number]) * share;
      const shares = rows.map(({ inputs }) => inputs.map((input) => Number(input.value) / 1000));
      // The outermost places cut nothing, not even what rounding puts beyond them.
      const margin = low.map((value, number) => 1e-3 * (high[number] - value || 1));
      return {
        low: shares.map(([from], number) => at(number, from) - (from === 0 ? margin[number] : 0)),
        high: shares.map(([, to], number) => at(number, to) + (to === 1 ? margin[number] : 0)),
      };
    };
    const reset = button("No cut", () => {
      for (const { inputs } of rows) [inputs[0].value, inputs[1].value] = [0, 1000];
      viewer.cut(null);
    });
    this.parts.cut.replaceChildren(element("details", {}, element("summary", {}, "Cut with a box"), ...rows.map(({ row }) => row), reset));
  }

  /** The facts about a point; null for none. */
  read(facts) {
    if (!facts) return this.parts.readout.replaceChildren(element("p", { class: "cv-hint" }, "Click a point to read what it is."));
    const place = facts.position.map((value) => digits(value, facts.resolution)).join("  ");
    const rows = [["point", `${count(facts.row)} of ${facts.name}`], ["x y z", place]];
    if (facts.label !== undefined) rows.push(["label", facts.label]);
    if (facts.confidence !== undefined) rows.push(["confidence", percent(facts.confidence)]);
    if (facts.truth !== undefined) rows.push(["truth", facts.truth]);
    if (facts.color) rows.push(["colour", facts.color.join(" ")]);
    for (const { name, share } of facts.probabilities ?? []) rows.push([`P(${name})`, percent(share)]);
    for (const [name, value] of Object.entries(facts.scalars)) rows.push([name, String(Number(value.toPrecision(5)))]);
    const cells = rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]);
    this.parts.readout.replaceChildren(element("dl", {}, ...cells));
    this.say([facts.label ?? "point", facts.confidence === undefined ? "" : percent(facts.confidence), `at ${place}`].filter(Boolean).join(", "));
  }

  /** A sentence that screen readers speak, too. */
  say(text) {
    this.parts.live.textContent = text;
  }
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;

function scale({ name, low, high }, more) {
  const bar = element("div", { class: "cv-ramp", role: "img", "aria-label": `${name} from ${low} (dark) to ${high} (light)` });
  bar.style.background = rampGradient;
  const ends = [low, high].map((value) => element("span", {}, digits(value, (high - low) / 100)));
  return element("div", { class: "cv-scale" }, element("h3", {}, more ? `${name}: ${more}` : name), bar, element("div", { class: "cv-ends" }, ...ends));
}

function errors(scene, cloud) {
  const { label, truth } = cloud.arrays;
  const counts = [0, 0, 0];
  for (let i = 0; i < cloud.count; i++)
    counts[!scene.classes[truth.values[i]] ? 2 : label.values[i] === truth.values[i] ? 0 : 1]++;
  const items = errorColors.map(([name, color], k) => {
    const swatch = element("i", {});
    swatch.style.background = rgb(color);
    return element("li", {}, swatch, element("span", {}, name), element("b", {}, percent(counts[k] / Math.max(cloud.count, 1))));
  });
  return element("ul", { class: "cv-classes cv-errors", "aria-label": "Right and wrong labels" }, ...items);
}

function help() {
  const rows = HELP.map(([key, what]) => [element("dt", {}, key), element("dd", {}, what)]).flat();
  return element("details", { class: "cv-help" }, element("summary", {}, "Keyboard and mouse"), element("dl", {}, ...rows), element("p", {}, "Drag to turn, right-drag to move, scroll or pinch to zoom. Keys work when the picture has the focus."));
}
