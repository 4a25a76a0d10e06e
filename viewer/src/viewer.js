// The viewer: what is shown and how, and what happens when someone points at it.
import { colorings, paint, paintSurface } from "./colors.js";
import { count, digits, element } from "./dom.js";
import { framesOf, union } from "./frames.js";
import { Inspector } from "./inspector.js";
import { press } from "./keys.js";
import { boxLines, Overlay } from "./overlay.js";
import { Panel } from "./panel.js";
import { pick } from "./pick.js";
import { DrawnCloud } from "./points.js";
import { describe } from "./readout.js";
import { pixelOf, Stage } from "./stage.js";
import { DrawnSurface } from "./surface.js";

const LAYOUTS = ["single", "side", "blend"];
const DIRECTIONS = { corner: [1.1, -2.2, 1.3], top: [0, -0.001, 1], front: [0, -1, 0], side: [1, 0, 0] };
const REACH = 6; // pixels around the pointer in which a point is looked for
const TOUCH_REACH = 14;
const LARGEST = 0.022; // a point's size where there are few, as a share of the cloud's radius

export class Viewer {
  /** byCard: whether a graphics card draws; by default where there is one. */
  constructor(root, scene, { byCard } = {}) {
    this.root = root;
    root.classList.add("cv");
    this.canvas = element("canvas", { tabindex: 0, role: "application", "aria-roledescription": "3D view" });
    this.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.svg.setAttribute("aria-hidden", "true");
    this.captions = element("div", { class: "cv-captions", "aria-hidden": "true" });
    this.status = element("p", { class: "cv-status" });
    const stage = element("div", { class: "cv-stage" }, this.canvas, this.svg, this.captions, this.status);
    this.side = element("div", { class: "cv-panel", role: "region", "aria-label": "Controls", tabindex: 0 });
    root.replaceChildren(stage, this.side);
    this.stage = new Stage(this.canvas, () => this.#drawn(), byCard);
    this.overlay = new Overlay(this.svg, this.stage);
    this.panel = new Panel(this);
    this.#listen();
    this.show(scene);
  }

  /** Another scene in the same place. */
  show(scene) {
    this.scene = scene;
    this.hidden = new Set();
    this.box = null;
    this.mixing = 0.5;
    this.fold = scene.clouds.some((cloud) => cloud.arrays.moved) ? 1 : 0;
    this.size = 1;
    this.measured = [];
    this.isMeasuring = false;
    const second = Math.min(1, scene.clouds.length - 1);
    this.layout = scene.start?.layout ?? (scene.clouds.length === 2 ? "side" : "single");
    this.sides = [scene.start?.left ?? { cloud: 0 }, scene.start?.right ?? { cloud: second }].map((side) => ({ classOf: 0, ...side }));
    for (const side of this.sides) side.asSurface ??= Boolean(scene.clouds[side.cloud]?.mesh && !scene.clouds[side.cloud].arrays.label);
    this.sides.forEach((side, number) => (side.by ??= this.#firstColoring(side, number)));
    this.overlay.shapes = {};
    this.canvas.setAttribute("aria-label", this.#summary());
    this.inspector = scene.inspection ? new Inspector(this, scene.inspection, scene.array) : null;
    this.panel.build();
    this.refresh();
    this.inspector?.update();
    this.look("corner");
  }

  dispose() {
    this.stage.dispose();
    this.root.replaceChildren();
    this.root.classList.remove("cv");
  }

  /** Clouds, colours, hidden classes or layout changed. */
  refresh() {
    const [left, right] = this.sides;
    if (!this.scene.clouds.length) return;
    const isOne = left.cloud === right.cloud && !this.isSurface(left) && !this.isSurface(right);
    let panes;
    if (this.layout === "single") panes = [[this.#drawing(left)]];
    else if (this.layout === "side") panes = [[this.#drawing(left)], [this.#drawing(right)]];
    else if (isOne) panes = [[new DrawnCloud(this.scene.clouds[left.cloud], this.#tint(left), this.#tint(right))]];
    else panes = [[this.#drawing(left), this.#drawing(right)]];
    const frames = framesOf(panes.map((pane) => pane.map((drawn) => drawn.cloud)), this.scene.up);
    this.stage.set(panes, frames);
    this.adjust();
    this.#caption();
    this.panel.legend();
    this.overlay.draw();
  }

  /** A slider moved: nothing has to be painted anew. */
  adjust() {
    const all = this.stage.panes.flat();
    for (const drawn of all) drawn.cut(this.box);
    for (const drawn of all.filter((each) => each instanceof DrawnCloud)) {
      drawn.uniforms.mixing.value = this.mixing;
      drawn.uniforms.fold.value = this.fold;
      const radius = Math.min(LARGEST, 2.4 / Math.sqrt(Math.max(drawn.cloud.count, 1)));
      const ratio = this.stage.painter.ratio;
      drawn.uniforms.size.value = this.size * ratio * radius * this.stage.pixelsPerUnit;
      drawn.uniforms.least.value = Math.max(1, 1.5 * this.size * ratio);
    }
    if (this.layout === "blend" && all.length === 2) {
      all[0].share = Math.min(1, 2 - 2 * this.mixing);
      all[1].share = Math.min(1, 2 * this.mixing);
    }
    this.stage.redraw();
  }

  look(from) {
    this.stage.look(DIRECTIONS[from]);
  }

  setLayout(layout) {
    this.layout = layout;
    this.panel.choices();
    this.refresh();
  }

  nextLayout() {
    this.setLayout(LAYOUTS[(LAYOUTS.indexOf(this.layout) + 1) % LAYOUTS.length]);
    this.panel.say(`layout: ${this.layout}`);
  }

  nextColoring() {
    const side = this.sides[0];
    const ways = this.colorings(side);
    const next = ways[(ways.findIndex((way) => way.id === side.by) + 1) % ways.length];
    side.by = next.id;
    this.panel.choices();
    this.refresh();
    this.panel.say(`coloured by ${next.name}`);
  }

  colorings(side) {
    return colorings(this.scene, this.scene.clouds[side.cloud], this.isSurface(side));
  }

  /** Whether a side shows its cloud's mesh instead of points. */
  isSurface(side) {
    return Boolean(side.asSurface && this.scene.clouds[side.cloud].mesh);
  }

  way(side) {
    const ways = this.colorings(side);
    return ways.find((way) => way.id === side.by) ?? ways[0];
  }

  /** The box of all that is shown, in world coordinates. */
  get bounds() {
    return union(this.stage.panes.flat().map((drawn) => drawn.cloud.box));
  }

  cut(box) {
    this.box = box;
    this.overlay.set("box", box ? boxLines(box) : []);
    this.adjust();
  }

  hide(number, isHidden) {
    if (isHidden) this.hidden.add(number);
    else this.hidden.delete(number);
    this.refresh();
  }

  measuring(on) {
    this.isMeasuring = on;
    this.measured = [];
    this.overlay.set("measure", []);
    this.panel.tools();
    this.panel.say(on ? "measure: choose two points" : "");
  }

  letGo() {
    this.measuring(false);
    this.overlay.set("chosen", []);
    this.panel.read(null);
    this.inspector?.letGo();
    this.root.dispatchEvent(new CustomEvent("cloudviewer:pick", { detail: null }));
  }

  pickMiddle() {
    const [left, width] = this.stage.rectangles()[0];
    if (!this.pickAt(left + width / 2, this.canvas.clientHeight / 2, 40)) this.panel.say("no point in the middle");
  }

  /** Reads the point at a pixel of the canvas; whether there is one. */
  pickAt(x, y, reach = REACH) {
    const pane = this.stage.rectangles().findIndex(([left, width]) => x >= left && x <= left + width);
    const found = pick(this.stage, Math.max(0, pane), x, y, reach, this.box, this.fold);
    if (found) this.choose(Math.max(0, pane), found.drawn.cloud, found.index);
    return Boolean(found);
  }

  /** Marks a point, says what it is, and measures if asked to. */
  choose(pane, cloud, index) {
    const place = cloud.position(index, this.fold);
    this.overlay.set("chosen", [{ kind: "dot", at: [place] }]);
    const facts = describe(this.scene, cloud, index, this.fold);
    if (this.isMeasuring) this.#measure(place, cloud);
    else {
      this.panel.read(facts);
      this.inspector?.choose(this.scene.clouds.indexOf(cloud), facts.row);
    }
    this.root.dispatchEvent(new CustomEvent("cloudviewer:pick", { detail: { pane, cloud: this.scene.clouds.indexOf(cloud), index, ...facts } }));
  }

  #measure(place, cloud) {
    this.measured = this.measured.length === 2 ? [place] : [...this.measured, place];
    const shapes = this.measured.map((at) => ({ kind: "dot", at: [at], r: 4 }));
    if (this.measured.length === 2) {
      const [a, b] = this.measured;
      const sides = a.map((value, axis) => b[axis] - value);
      const step = cloud.resolution;
      const distance = digits(Math.hypot(...sides), step);
      const middle = a.map((value, axis) => (value + b[axis]) / 2);
      shapes.push({ kind: "line", at: [a, b] }, { kind: "text", at: [middle], text: distance });
      this.panel.say(`distance ${distance} (x ${digits(sides[0], step)}, y ${digits(sides[1], step)}, z ${digits(sides[2], step)})`);
    } else this.panel.say("measure: choose the second point");
    this.overlay.set("measure", shapes);
  }

  #drawing(side) {
    const cloud = this.scene.clouds[side.cloud];
    return this.isSurface(side) ? new DrawnSurface(cloud, paintSurface(cloud, this.way(side))) : new DrawnCloud(cloud, this.#tint(side));
  }

  #tint(side) {
    const cloud = this.scene.clouds[side.cloud];
    return paint(this.scene, cloud, this.way(side), { classOf: side.classOf, hidden: this.hidden });
  }

  #firstColoring(shown, side) {
    const cloud = this.scene.clouds[shown.cloud];
    if (!cloud) return "height";
    if (this.isSurface(shown)) return "plain";
    const { label, color } = cloud.arrays;
    const wanted = side === 0 && this.layout !== "single" ? [color && "color", label && "label"] : [label && "label", color && "color"];
    return wanted.find(Boolean) ?? "height";
  }

  #summary() {
    const clouds = this.scene.clouds.map((cloud) => `${cloud.name}, ${count(cloud.total)} points`);
    return `${clouds.join("; ")}. Arrow keys turn, plus and minus zoom, Enter reads the point in the middle.`;
  }

  #caption() {
    const shown = this.layout === "single" ? this.sides.slice(0, 1) : this.sides;
    const words = shown.map((side) => `${this.scene.clouds[side.cloud].name} · ${this.way(side).name}`);
    const texts = this.layout === "blend" ? [words.join("  ↔  ")] : words;
    this.captions.replaceChildren(...texts.map((text) => element("span", {}, text)));
  }

  #drawn() {
    this.overlay.draw();
    const { drawn } = this.stage;
    // In coarse steps: a change of the text costs a layout of the page.
    const progress = drawn < 1 ? `, ${10 * Math.floor(10 * drawn)} % of it drawn, all when it stands still` : "";
    const text = [...new Set(this.stage.panes.flat().map(amount))].join("; ") + progress;
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  #listen() {
    let down = null;
    this.canvas.addEventListener("pointerdown", (event) => (down = pixelOf(event, this.canvas)));
    this.canvas.addEventListener("pointerup", (event) => {
      const up = pixelOf(event, this.canvas);
      if (down && event.button === 0 && up.distanceTo(down) < 5)
        this.pickAt(up.x, up.y, event.pointerType === "touch" ? TOUCH_REACH : REACH);
      down = null;
    });
    this.canvas.addEventListener("keydown", (event) => press(this, event));
  }
}

/** How much of a cloud is in the picture. */
function amount(drawn) {
  const { cloud } = drawn;
  if (drawn instanceof DrawnSurface) return `${count(cloud.mesh.faces.length / 3)} triangles`;
  if (cloud.count < cloud.total) return `${count(cloud.count)} of ${count(cloud.total)} points, thinned for display`;
  return `${count(cloud.count)} points`;
}
