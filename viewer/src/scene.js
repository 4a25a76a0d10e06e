// What Python packed: a header and arrays. `packing.py` describes the format.

const MAGIC = "CTVIEW01";
const TYPES = { uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, float32: Float32Array };

/** The scene in an ArrayBuffer; throws an Error with a sentence if it is none. */
export function parse(buffer) {
  const bytes = new Uint8Array(buffer);
  if (new TextDecoder().decode(bytes.subarray(0, 8)) !== MAGIC) throw new Error("this is no scene of cloud-transformers");
  const length = new DataView(buffer).getUint32(8, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(12, 12 + length)));
  const at = (place) => arrayAt(buffer, 12 + length, place);
  return { ...header, array: at, clouds: header.clouds.map((cloud) => new Cloud(cloud, at)) };
}

/** The scene that the element with this id holds as base64 text. */
export function decode(id) {
  return parse(fromBase64(document.getElementById(id).textContent).buffer);
}

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const decoded = atob(text);
  const bytes = new Uint8Array(decoded.length);
  for (let i = 0; i < decoded.length; i++) bytes[i] = decoded.charCodeAt(i);
  return bytes;
}

/** An array whose place names its `length`, or that has `width` numbers for each of `count` points. */
function arrayAt(buffer, start, place, count = place.length) {
  return new TYPES[place.type](buffer, start + place.at, count * place.width);
}

class Cloud {
  constructor(header, at) {
    Object.assign(this, header);
    const open = (place) => ({ ...place, values: at({ ...place, length: header.count }) });
    const all = (places) => Object.fromEntries(Object.entries(places).map(([name, place]) => [name, open(place)]));
    this.arrays = all(header.arrays);
    this.scalars = all(header.scalars);
    this.mesh = header.mesh && { vertices: at(header.mesh.vertices), faces: at(header.mesh.faces) };
    this.box = this.#box();
  }

  /** World coordinates of the i-th point; `share` of the way to where the folding moves it. */
  position(i, share = 0) {
    const { positions, moved } = this.arrays;
    return [0, 1, 2].map((axis) => {
      const from = positions.values[3 * i + axis];
      const to = moved ? moved.values[3 * i + axis] : from;
      return this.origin[axis] + this.scale[axis] * (from + share * (to - from));
    });
  }

  /** The row of the i-th point among the finite ones of its file. */
  row(i) {
    return (i * this.step) % Math.max(this.total, 1);
  }

  /** How far apart two neighbouring numbers of a coordinate are. */
  get resolution() {
    return this.arrays.positions.type === "uint16" ? Math.max(...this.scale) : 0;
  }

  #box() {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const { positions, moved } = this.arrays;
    for (const values of [positions.values, moved?.values, this.mesh?.vertices].filter(Boolean))
      for (let i = 0; i < values.length; i += 3)
        for (let axis = 0; axis < 3; axis++) {
          const value = values[i + axis];
          if (value < low[axis]) low[axis] = value;
          if (value > high[axis]) high[axis] = value;
        }
    const world = (corner) => corner.map((value, axis) => this.origin[axis] + this.scale[axis] * (this.count ? value : 0));
    return { low: world(low), high: world(high) };
  }
}
