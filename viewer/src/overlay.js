// Lines, areas and words over the picture, in world coordinates: markers, measures, boxes, planes of heads.

const SPACE = "http://www.w3.org/2000/svg";
const EDGES = [[0, 1], [1, 3], [3, 2], [2, 0], [4, 5], [5, 7], [7, 6], [6, 4], [0, 4], [1, 5], [2, 6], [3, 7]];

export class Overlay {
  /** shapes by name: lists of {kind: "dot" | "line" | "area" | "text", at: [places], text, pane}; no pane means all. */
  shapes = {};

  constructor(svg, stage) {
    this.svg = svg;
    this.stage = stage;
  }

  set(name, shapes) {
    this.shapes[name] = shapes;
    this.draw();
  }

  draw() {
    const nodes = [];
    this.stage.panes.forEach((_, pane) => {
      for (const [name, shapes] of Object.entries(this.shapes))
        for (const shape of shapes) if ((shape.pane ?? pane) === pane) nodes.push(...this.#nodes(name, shape, pane));
    });
    if (nodes.length || this.svg.firstChild) this.svg.replaceChildren(...nodes);
  }

  #nodes(name, shape, pane) {
    const places = shape.at.map((place) => this.stage.project(pane, place));
    if (places.some((place) => !place)) return [];
    const kind = `cv-${shape.kind} cv-${name}`;
    const [x, y] = places[0];
    if (shape.kind === "dot") return [node("circle", { class: kind, cx: x, cy: y, r: shape.r ?? 6 })];
    if (shape.kind === "text") return [node("text", { class: kind, x: x + 10, y: y - 10 }, shape.text)];
    const points = places.map((place) => place.slice(0, 2).join(",")).join(" ");
    return [node(shape.kind === "area" ? "polygon" : "polyline", { class: kind, points })];
  }
}

/** The edges of a box. */
export function boxLines({ low, high }) {
  const corner = (k) => [k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]];
  return EDGES.map(([a, b]) => ({ kind: "line", at: [corner(a), corner(b)] }));
}

function node(name, attributes, text = "") {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}
