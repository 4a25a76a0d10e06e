// The head inspector: a block and a head, where keys fall, what its grid holds, and who can influence a point.
import { button, element, labelled, select, slider } from "./dom.js";
import { Grid } from "./grid.js";
import { influencers } from "./influence.js";
import { projection } from "./projection.js";

const NEVER = "never";

export class Inspector {
  constructor(viewer, inspection, array) {
    this.viewer = viewer;
    this.blocks = inspection.blocks;
    for (const block of this.blocks) for (const head of block.heads) open(head, array);
    this.block = inspection.start;
    this.head = 0;
    this.chosen = null; // row of the point that others may influence
    this.slice = null; // of a volume along its third axis; null: the largest along it
    this.section = element("section", { class: "cv-inspector", "aria-label": "Heads" });
    this.build();
  }

  get current() {
    const block = this.blocks[this.block];
    return { block, head: block.heads[this.head], cloud: this.viewer.scene.clouds[block.cloud] };
  }

  /** The choices, once; `update` fills in the rest. */
  build() {
    const { blocks } = this;
    const choose = (number) => {
      this.block = (number + blocks.length) % blocks.length;
      this.head = Math.min(this.head, blocks[this.block].heads.length - 1);
      this.build();
      this.update();
    };
    const blockChoice = select(blocks.map((block, k) => [k, `${block.part} ${block.number} (cascade ${block.cascade})`]), this.block, (value) => choose(Number(value)));
    const headChoice = select(this.current.block.heads.map((head, k) => [k, `${head.kind} ${head.head}`]), this.head, (value) => {
      this.head = Number(value);
      this.slice = null;
      this.update();
    });
    this.pictures = element("div", { class: "cv-grids" });
    this.numbers = element("dl", {});
    this.influence = element("p", { class: "cv-hint" });
    this.section.replaceChildren(
      element("h3", {}, "Heads"),
      labelled("block", blockChoice),
      element("div", { class: "cv-row" }, button("← block", () => choose(this.block - 1)), button("block →", () => choose(this.block + 1))),
      labelled("head", headChoice),
      this.pictures,
      this.numbers,
      this.influence,
    );
  }

  /** Another block, head or point was chosen. */
  update() {
    const { viewer } = this;
    const { block, head, cloud } = this.current;
    this.#scalars();
    viewer.sides[0].cloud = block.cloud;
    viewer.sides[0].by = this.chosen === null ? `scalar:${NAMES.key}1` : `scalar:${NAMES.reached}`;
    viewer.panel.choices();
    viewer.refresh();
    viewer.overlay.set("head", projection(head, cloud));
    this.#draw();
    this.#numbers();
  }

  /** A point was clicked: who can influence it after this block? */
  choose(cloud, row) {
    if (cloud !== this.current.block.cloud) return;
    this.chosen = row;
    this.update();
  }

  letGo() {
    this.chosen = null;
    this.update();
  }

  /** What the cloud can be coloured by: keys, moves, and when others reach the chosen point. */
  #scalars() {
    const { head, cloud } = this.current;
    const rows = Uint32Array.from({ length: cloud.count }, (_, i) => cloud.row(i));
    const scalar = (low, high, of) => ({
      low,
      high,
      values: Uint16Array.from(rows, (row) => Math.round((65535 * (of(row) - low)) / (high - low || 1))),
    });
    cloud.scalars = {};
    const width = head.grid.length;
    for (let axis = 0; axis < width; axis++)
      cloud.scalars[`${NAMES.key}${axis + 1}`] = scalar(-1, 1, (row) => (2 * head.keys[width * row + axis]) / 65535 - 1);
    const most = head.moves.reduce((a, b) => Math.max(a, b), 0);
    cloud.scalars[NAMES.moved] = scalar(0, most, (row) => head.moves[row]);
    this.influence.textContent = "Click a point to light up every point that can influence it after this block.";
    if (this.chosen === null) return;
    const { block } = this.current;
    const before = this.blocks.filter((each) => each.part === block.part && each.number <= block.number);
    const arrival = influencers(before, this.chosen);
    const last = before.length + 1;
    cloud.scalars[NAMES.reached] = scalar(0, last, (row) => last - (arrival[row] < 0 ? last : arrival[row]));
    const reached = arrival.filter((when) => when >= 0).length - 1;
    const share = (100 * reached) / Math.max(1, cloud.total - 1);
    this.influence.textContent =
      `After block ${block.number}, ${reached} of the ${cloud.total - 1} other points (${share.toFixed(1)} %) can influence the chosen one. ` +
      `Light: itself and those of few blocks; dark: ${NEVER} so far.`;
  }

  #draw() {
    const { head } = this.current;
    const grids = ["keys", "before", "after"].map((name) => new Grid(head, name));
    for (const grid of grids) grid.paint(this.slice);
    const parts = grids.map((grid) => element("figure", {}, grid.canvas, element("figcaption", {}, grid.caption)));
    if (head.grid.length === 3) {
      const layers = head.grid[2];
      const choice = slider({
        low: -1,
        high: layers - 1,
        step: 1,
        value: this.slice ?? -1,
        oninput: (value) => {
          this.slice = value < 0 ? null : value;
          for (const grid of grids) grid.paint(this.slice);
          note.textContent = this.#sliceName();
        },
      });
      const field = labelled(this.#sliceName(), choice);
      field.classList.add("cv-slice");
      const note = field.firstChild;
      parts.push(field);
    }
    this.pictures.replaceChildren(...parts);
  }

  #sliceName() {
    return this.slice === null ? "all slices" : `slice ${this.slice + 1}`;
  }

  #numbers() {
    const { head } = this.current;
    const rows = [
      ["grid", `${head.grid.join(" × ")}, ${head.channels} channels`],
      ["occupied", percent(head.occupied)],
      ["at the border", percent(head.border)],
      ["keys", head.key_low.map((low, k) => `${low.toFixed(2)} to ${head.key_high[k].toFixed(2)}`).join("; ")],
      ["moved", `${head.moved.toPrecision(3)} on average, ${head.moved_cells.toPrecision(3)} cells, at most ${head.moved_most.toPrecision(3)}`],
      ["norm before", `mean ${head.before.mean.toPrecision(3)}, largest ${head.before.largest.toPrecision(3)}`],
      ["norm after", `mean ${head.after.mean.toPrecision(3)}, largest ${head.after.largest.toPrecision(3)}`],
    ];
    this.numbers.replaceChildren(...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
  }
}

const NAMES = { key: "key, axis ", moved: "moved by residuals", reached: "can influence the chosen point" };
const percent = (share) => `${(100 * share).toFixed(1)} %`;

/** Places of arrays become the arrays. */
function open(head, array) {
  for (const name of ["keys", "nodes", "moves"]) head[name] = array(head[name]);
  for (const name of ["before", "after"]) head.grids[name] = array(head.grids[name]);
}
