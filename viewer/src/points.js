// A cloud on the graphics card: its points, coloured, cut by a box.
import { BufferAttribute, BufferGeometry, GLSL3, Matrix4, Points, RawShaderMaterial, Vector3 } from "three";

const VERTEX = `
precision highp float;
uniform mat4 modelViewMatrix, projectionMatrix;
uniform vec3 low, high;
uniform float size, least, mixing, fold;
in vec3 position;
in vec4 tint;
#ifdef OTHER
in vec4 other;
#endif
#ifdef MOVED
in vec3 moved;
#endif
out vec3 color;
void main() {
  vec3 place = position;
  vec4 shown = tint;
#ifdef MOVED
  place = mix(position, moved, fold);
#endif
#ifdef OTHER
  shown = mix(tint, other, mixing);
#endif
  color = shown.rgb;
  if (tint.a < 0.5 || any(lessThan(place, low)) || any(greaterThan(place, high))) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 1.0;
    return;
  }
  gl_Position = projectionMatrix * (modelViewMatrix * vec4(place, 1.0));
  gl_PointSize = clamp(size / gl_Position.w, least, 48.0);
}`;

const FRAGMENT = `
precision mediump float;
in vec3 color;
out vec4 pixel;
void main() { pixel = vec4(color, 1.0); }`;

export class DrawnCloud {
  constructor(cloud, tint, other = null) {
    this.cloud = cloud;
    this.share = 1;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", positionsOf(cloud, "positions"));
    geometry.setAttribute("tint", new BufferAttribute(tint, 4, true));
    const defines = {};
    if (other) {
      geometry.setAttribute("other", new BufferAttribute(other, 4, true));
      defines.OTHER = "";
    }
    if (cloud.arrays.moved) {
      geometry.setAttribute("moved", positionsOf(cloud, "moved"));
      defines.MOVED = "";
    }
    this.uniforms = {
      low: { value: new Vector3(-Infinity, -Infinity, -Infinity) },
      high: { value: new Vector3(Infinity, Infinity, Infinity) },
      size: { value: 1 },
      least: { value: 1 },
      mixing: { value: 0 },
      fold: { value: 0 },
    };
    const material = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: this.uniforms,
      defines,
    });
    this.object = new Points(geometry, material);
    this.object.frustumCulled = false;
    this.object.matrixAutoUpdate = false;
  }

  /** How many points are drawn when all are. */
  get count() {
    return Math.round(this.share * this.cloud.count);
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
  }

  /** Draw only from this share of the points to that one. */
  range(from, to) {
    const [start, end] = [Math.floor(from * this.count), Math.floor(to * this.count)];
    this.object.geometry.setDrawRange(start, end - start);
    this.object.visible = end > start;
  }

  dispose() {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}

/** One buffer for each cloud, however often it is drawn. */
function positionsOf(cloud, name) {
  cloud.buffers ??= {};
  cloud.buffers[name] ??= new BufferAttribute(cloud.arrays[name].values, 3);
  return cloud.buffers[name];
}
