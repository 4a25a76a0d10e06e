// Where clouds lie on the stage: in the unit sphere, their up axis along z.
import { Matrix4 } from "three";

/** For the clouds of each pane, matrices from world coordinates; one for all if their boxes meet. */
export function framesOf(panes, up) {
  const boxes = panes.map((clouds) => union(clouds.map((cloud) => cloud.box)));
  const together = boxes.every((box) => boxes.every((other) => meet(box, other)));
  const common = union(boxes);
  return boxes.map((box) => frameOf(together ? common : box, up));
}

function frameOf({ low, high }, up) {
  const middle = low.map((value, axis) => (value + high[axis]) / 2);
  const radius = Math.hypot(...low.map((value, axis) => (high[axis] - value) / 2)) || 1;
  const shift = new Matrix4().makeTranslation(...middle.map((value) => -value));
  return new Matrix4().makeScale(1 / radius, 1 / radius, 1 / radius).multiply(upright(up)).multiply(shift);
}

/** The turn that brings the axis that points up onto z. */
function upright(up) {
  const turn = new Matrix4();
  const quarter = Math.PI / 2;
  const [axis, down] = [up.at(-1), up.startsWith("-")];
  if (axis === "z") return down ? turn.makeRotationX(Math.PI) : turn;
  if (axis === "y") return turn.makeRotationX(down ? -quarter : quarter);
  return turn.makeRotationY(down ? quarter : -quarter);
}

export function union(boxes) {
  return {
    low: [0, 1, 2].map((axis) => Math.min(...boxes.map((box) => box.low[axis]))),
    high: [0, 1, 2].map((axis) => Math.max(...boxes.map((box) => box.high[axis]))),
  };
}

function meet(a, b) {
  return [0, 1, 2].every((axis) => a.low[axis] <= b.high[axis] && b.low[axis] <= a.high[axis]);
}
