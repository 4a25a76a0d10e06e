// What points can be coloured by, and the colours.

const RAMP = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
const PLAIN = [90, 140, 205];
const RIGHT = [150, 158, 168];
const WRONG = [222, 45, 38];
const NONE = [150, 150, 150];

/** Ways to colour a cloud, as points or as a surface: [{id, name, kind}]; kind is "classes", "range", "error" or "color". */
export function colorings(scene, cloud, asSurface) {
  const height = heightOf(scene, cloud);
  if (asSurface) return [{ id: "plain", name: "one colour", kind: "color" }, height];
  const { color, label, truth, confidence, probabilities } = cloud.arrays;
  const ways = [];
  if (label) ways.push({ id: "label", name: truth ? "label (answer)" : "label", kind: "classes" });
  if (truth) ways.push({ id: "truth", name: "truth", kind: "classes" });
  if (truth && label) ways.push({ id: "error", name: "error", kind: "error" });
  if (confidence) ways.push({ id: "confidence", name: "confidence", kind: "range", low: 0, high: 1 });
  if (probabilities) ways.push({ id: "probability", name: "probability of a class", kind: "range", low: 0, high: 1 });
  if (color) ways.push({ id: "color", name: "original colour", kind: "color" });
  ways.push(height);
  for (const [name, place] of Object.entries(cloud.scalars))
    ways.push({ id: `scalar:${name}`, name, kind: "range", low: place.low, high: place.high });
  return ways;
}

function heightOf(scene, cloud) {
  const axis = "xyz".indexOf(scene.up.at(-1));
  const sign = scene.up.startsWith("-") ? -1 : 1;
  return { id: "height", name: `height (${scene.up})`, kind: "range", low: cloud.box.low[axis], high: cloud.box.high[axis], axis, sign };
}

/** Red, green, blue and 255 of every corner of a cloud's mesh. */
export function paintSurface(cloud, way) {
  const { vertices } = cloud.mesh;
  const colorOf = way.id === "height" ? heights(cloud, way, vertices) : () => PLAIN;
  return Uint8Array.from({ length: (4 * vertices.length) / 3 }, (_, i) => ((i & 3) === 3 ? 255 : colorOf(i >> 2)[i & 3]));
}

/** From the number of a point to the colour of its height. */
function heights({ origin, scale }, { axis, sign, low, high }, values) {
  const span = high - low || 1;
  return (i) => {
    const share = (origin[axis] + scale[axis] * values[3 * i + axis] - low) / span;
    return TABLE[Math.round(255 * (sign > 0 ? share : 1 - share))];
  };
}

/** Red, green, blue and whether it is shown (255 or 0) of every point. */
export function paint(scene, cloud, way, { classOf = 0, hidden = new Set() } = {}) {
  const { color, label, truth, confidence, probabilities, positions } = cloud.arrays;
  const out = new Uint8Array(4 * cloud.count);
  const put = (i, [r, g, b]) => {
    out[4 * i] = r;
    out[4 * i + 1] = g;
    out[4 * i + 2] = b;
  };
  const each = (pick) => {
    for (let i = 0; i < cloud.count; i++) put(i, pick(i));
  };
  const ranged = (values, most, width = 1, at = 0) => each((i) => TABLE[Math.round((255 * values[width * i + at]) / most)]);
  const classColor = (k) => scene.classes[k]?.color ?? NONE;

  if (way.id === "label") each((i) => classColor(label.values[i]));
  else if (way.id === "truth") each((i) => classColor(truth.values[i]));
  else if (way.id === "error")
    each((i) => (!scene.classes[truth.values[i]] ? NONE : label.values[i] === truth.values[i] ? RIGHT : WRONG));
  else if (way.id === "confidence") ranged(confidence.values, 255);
  else if (way.id === "probability") ranged(probabilities.values, 255, probabilities.width, classOf);
  else if (way.id === "color") for (let i = 0; i < out.length; i++) out[i] = color.values[3 * (i >> 2) + (i & 3)];
  else if (way.id === "height") each(heights(cloud, way, positions.values));
  else if (way.id.startsWith("scalar:")) ranged(cloud.scalars[way.name].values, 65535);
  else each(() => PLAIN);

  const groups = label ?? truth;
  for (let i = 0; i < cloud.count; i++) out[4 * i + 3] = groups && hidden.has(groups.values[i]) ? 0 : 255;
  return out;
}

/** A colour for a share from 0 to 1, dark to light. */
export function ramp(share) {
  const x = Math.min(1, Math.max(0, share)) * (RAMP.length - 1);
  const k = Math.min(RAMP.length - 2, Math.floor(x));
  return RAMP[k].map((from, channel) => Math.round(from + (x - k) * (RAMP[k + 1][channel] - from)));
}

const TABLE = Array.from({ length: 256 }, (_, k) => ramp(k / 255));

export const rgb = (color) => `rgb(${color.join(" ")})`;
export const rampGradient = `linear-gradient(to right, ${RAMP.map(rgb).join(", ")})`;
export const errorColors = [["right", RIGHT], ["wrong", WRONG], ["no truth", NONE]];
