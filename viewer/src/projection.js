// The plane of a planar head, or the axes' box of a volumetric one, in the scene: as far as the cloud reaches.
import { Matrix3, Vector3 } from "three";

const LINES = 6; // of the plane's grid along each axis

export function projection(head, cloud) {
  if (!head.axes) return []; // keys that come from features have no place in the scene
  const axes = head.axes.map((axis) => new Vector3(...axis));
  const origin = new Vector3(...head.origin);
  if (axes.length === 2) axes.push(axes[0].clone().cross(axes[1]).normalize());
  const ends = extent(cloud, axes, origin);
  if (head.kind === "planar") ends[2] = [(ends[2][0] + ends[2][1]) / 2, (ends[2][0] + ends[2][1]) / 2];
  const back = new Matrix3().set(...axes.flatMap((axis) => axis.toArray())).invert();
  /** The place at these shares of the extent along the three axes. */
  const at = (...shares) => {
    const key = new Vector3(...shares.map((share, axis) => ends[axis][0] + share * (ends[axis][1] - ends[axis][0])));
    return key.applyMatrix3(back).add(origin).toArray();
  };
  if (head.kind === "planar") return plane(at);
  return [
    ...[[0, 0], [0, 1], [1, 0], [1, 1]].flatMap(([a, b]) => [
      { kind: "line", at: [at(0, a, b), at(1, a, b)] },
      { kind: "line", at: [at(a, 0, b), at(a, 1, b)] },
      { kind: "line", at: [at(a, b, 0), at(a, b, 1)] },
    ]),
  ];
}

function plane(at) {
  const shapes = [{ kind: "area", at: [at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0)] }];
  for (let k = 1; k < LINES; k++) {
    shapes.push({ kind: "line", at: [at(k / LINES, 0, 0), at(k / LINES, 1, 0)] });
    shapes.push({ kind: "line", at: [at(0, k / LINES, 0), at(1, k / LINES, 0)] });
  }
  return shapes;
}

/** The smallest and largest coordinate of the cloud along each axis. */
function extent(cloud, axes, origin) {
  const ends = axes.map(() => [Infinity, -Infinity]);
  const place = new Vector3();
  for (let i = 0; i < cloud.count; i++) {
    place.set(...cloud.position(i)).sub(origin);
    axes.forEach((axis, k) => {
      const value = place.dot(axis);
      ends[k] = [Math.min(ends[k][0], value), Math.max(ends[k][1], value)];
    });
  }
  return ends;
}
