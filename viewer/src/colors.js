// What points can be coloured by, and the colours.

const RAMP = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
const PLAIN = [90, 140, 205];
const RIGHT = [150, 158, 168];
const WRONG = [222, 45, 38];
const NONE = [150, 150, 150];

/** Ways to colour a cloud: [{id, name, kind}]; kind is "classes", "range", "error" or "color". */
export function colorings(scene, cloud) {
  const { color, label, truth, confidence, probabilities } = cloud.arrays;
  const ways = [];
  if (label) ways.push({ id: "label", name: truth ? "label (answer)" : "label", kind: "classes" });
  if (truth) ways.push({ id: "truth", name: "truth", kind: "classes" });
  if (truth && label) ways.push({ id: "error", name: "error", kind: "error" });
  if (confidence) ways.push({ id: "confidence", name: "confidence", kind: "range", low: 0, high: 1 });
  if (probabilities) ways.push({ id: "probability", name: "probability of a class", kind: "range", low: 0, high: 1 });
  if (color) ways.push({ id: "color", name: "original colour", kind: "color" });
  const [axis, sign] = [scene.up.at(-1), scene.up.startsWith("-") ? -1 : 1];
  const at = "xyz".indexOf(axis);
  const ends = [cloud.box.low[at], cloud.box.high[at]];
  ways.push({ id: "height", name: `height (${scene.up})`, kind: "range", low: Math.min(...ends), high: Math.max(...ends), axis: at, sign });
  for (const [name, place] of Object.entries(cloud.scalars))
    ways.push({ id: `scalar:${name}`, name, kind: "range", low: place.low, high: place.high });
  return ways;
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
  else if (way.id === "height") {
    const { origin, scale } = cloud;
    const [low, span] = [way.low, way.high - way.low || 1];
    each((i) => {
      const share = (origin[way.axis] + scale[way.axis] * positions.values[3 * i + way.axis] - low) / span;
      return TABLE[Math.round(255 * (way.sign > 0 ? share : 1 - share))];
    });
  } else if (way.id.startsWith("scalar:")) ranged(cloud.scalars[way.name].values, 65535);
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
