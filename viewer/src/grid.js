// A head's grid as a picture: the first key axis to the right, the second up; of a volume a slice, or the largest.
import { ramp } from "./colors.js";
import { element } from "./dom.js";

const CAPTIONS = { keys: "where keys fall", before: "grid before", after: "grid after the convolution" };
const KEY_BINS = 64;

export class Grid {
  constructor(head, name) {
    this.head = head;
    this.name = name;
    this.caption = CAPTIONS[name];
    const [width, height] = name === "keys" ? [KEY_BINS, KEY_BINS] : head.grid;
    this.canvas = element("canvas", { width, height, role: "img", "aria-label": `${this.caption} of the head` });
  }

  paint(slice) {
    const { width, height } = this.canvas;
    const values = this.name === "keys" ? this.#density(slice) : this.#layer(slice);
    const most = values.reduce((a, b) => Math.max(a, b), 0) || 1;
    const pen = this.canvas.getContext("2d");
    const image = pen.createImageData(width, height);
    for (let x = 0; x < width; x++)
      for (let y = 0; y < height; y++) {
        const value = values[x * height + y];
        const [r, g, b] = value ? ramp(value / most) : [128, 128, 128];
        image.data.set([r, g, b, value ? 255 : 40], 4 * ((height - 1 - y) * width + x));
      }
    pen.putImageData(image, 0, 0);
  }

  #layer(slice) {
    const { grid, grids } = this.head;
    const [width, height, depth = 1] = grid;
    const values = new Float32Array(width * height);
    for (let cell = 0; cell < values.length; cell++)
      for (let layer = 0; layer < depth; layer++)
        if (slice === null || slice === layer) values[cell] = Math.max(values[cell], grids[this.name][cell * depth + layer]);
    return values;
  }

  /** How many keys fall where, on a logarithmic scale; of a slice, those that touch it. */
  #density(slice) {
    const { keys, nodes, grid } = this.head;
    const width = grid.length;
    const counts = new Float32Array(KEY_BINS * KEY_BINS);
    const bin = (key) => Math.min(KEY_BINS - 1, Math.floor((key / 65536) * KEY_BINS));
    for (let at = 0; at < keys.length; at += width) {
      const code = nodes[at + 2];
      if (slice !== null && width === 3 && (slice < code >> 1 || slice > (code >> 1) + (code & 1))) continue;
      counts[bin(keys[at]) * KEY_BINS + bin(keys[at + 1])]++;
    }
    return counts.map(Math.log1p);
  }
}
