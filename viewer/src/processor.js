// Draws on the processor, for machines without a graphics card. WebGL would be computed by the processor there, too, but
// for triangles of all kinds: on points alone this is many times faster. The picture is that of `card.js`.
import { Matrix4 } from "three";
import { columns } from "./card.js";
import { dimmed } from "./pixels.js";
import { DARKEST, STRENGTH } from "./shading.js";

const POWER = STRENGTH / Math.LN2; // exp(-STRENGTH * log2(x)) is x ** -POWER

export class Processor {
  ratio = 1;
  cost = 0; // milliseconds that the last drawing took; a card does not tell

  constructor(canvas) {
    this.canvas = canvas;
    this.sheet = canvas.getContext("2d", { willReadFrequently: true });
    this.resize(1, 1);
  }

  resize(width, height) {
    const size = [Math.max(1, Math.round(width)), Math.max(1, Math.round(height))];
    [this.canvas.width, this.canvas.height] = size;
    [this.width, this.height] = size;
    this.image = this.sheet.createImageData(...size);
    this.shaded = new Int32Array(this.image.data.buffer);
    this.colors = new Int32Array(this.shaded.length);
    this.near = new Float32Array(this.shaded.length); // 1 / distance; 0: nothing is there
  }

  set() {}

  draw(panes, camera, from, to) {
    const began = performance.now();
    if (from === 0) this.near.fill(0);
    panes.forEach((pane, number) => {
      const [left, right] = columns(this.width, panes.length, number);
      for (const drawn of pane) {
        const [start, end] = drawn.part(from, to);
        drawn.paint({ ...this.#place(drawn, camera, left, right), sheet: this, left, right, camera }, start, end);
      }
    });
    this.#shade();
    this.sheet.putImageData(this.image, 0, 0);
    this.cost = performance.now() - began;
  }

  picture() {
    return new Promise((resolve) => this.canvas.toBlob(resolve, "image/png"));
  }

  dispose() {}

  /** The matrix from a cloud's coordinates to pixels, before the division by its last row, the distance. */
  #place(drawn, camera, left, right) {
    const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).multiply(drawn.object.matrix);
    const [wide, tall] = [(right - left) / 2, this.height / 2];
    const pixels = new Matrix4().set(wide, 0, 0, left + wide, 0, -tall, 0, tall, 0, 0, 1, 0, 0, 0, 0, 1);
    return { matrix: pixels.multiply(matrix).elements, nearest: camera.near };
  }

  /** Edges darkened where depth jumps, by the formula of `shading.js`. */
  #shade() {
    const { colors, near, shaded, width, height } = this;
    for (let y = 0, at = 0; y < height; y++)
      for (let x = 0; x < width; x++, at++) {
        const here = near[at];
        if (here === 0) {
          shaded[at] = 0;
          continue;
        }
        let above = 1, below = 1; // the product of the quotients here / there, over neighbours that are nearer
        const west = x > 0 ? near[at - 1] : 0, east = x < width - 1 ? near[at + 1] : 0;
        const north = y > 0 ? near[at - width] : 0, south = y < height - 1 ? near[at + width] : 0;
        if (west > here) (above *= here), (below *= west);
        if (east > here) (above *= here), (below *= east);
        if (north > here) (above *= here), (below *= north);
        if (south > here) (above *= here), (below *= south);
        const color = colors[at];
        if (above === below) shaded[at] = color;
        else shaded[at] = dimmed(color, Math.max(DARKEST, (above / below) ** POWER));
      }
  }
}
