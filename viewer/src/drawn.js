// What points and surfaces have in common: a place on the stage, and a box that cuts them.
import { Matrix4, Vector3 } from "three";

/** What is drawn of a cloud: an object of three.js, for a card, and a way to paint it without one. */
export class Drawn {
  share = 1; // of it that is drawn when everything is

  constructor(cloud, object) {
    this.cloud = cloud;
    this.object = object;
    this.uniforms = object.material.uniforms;
    object.frustumCulled = false;
    object.matrixAutoUpdate = false;
  }

  /** `frame` brings world coordinates to those of the stage. */
  place(frame) {
    const { origin, scale } = this.cloud;
    const world = new Matrix4().makeScale(...scale).setPosition(...origin);
    this.object.matrix.multiplyMatrices(frame, world);
    this.object.matrixWorldNeedsUpdate = true;
  }

  /** The box, in world coordinates, outside of which nothing is shown; null for none. */
  cut(box) {
    const { origin, scale } = this.cloud;
    const local = (corner, axis) => (corner[axis] - origin[axis]) / scale[axis];
    for (const [name, side, far] of [["low", box?.low, -1e30], ["high", box?.high, 1e30]])
      this.uniforms[name].value.set(...[0, 1, 2].map((axis) => (side ? local(side, axis) : far)));
    this.isCut = box !== null;
  }

  /** The numbers of the first and behind the last one, from this share of all to that one. */
  part(from, to) {
    return [Math.floor(from * this.count), Math.floor(to * this.count)];
  }

  dispose() {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}

/** Nothing is outside of this box yet. */
export const boxUniforms = () => ({ low: { value: new Vector3(-1e30, -1e30, -1e30) }, high: { value: new Vector3(1e30, 1e30, 1e30) } });

export function outside(a, b, c, low, high) {
  return a < low.x || b < low.y || c < low.z || a > high.x || b > high.y || c > high.z;
}
