// A cloud as its points, coloured, cut by a box.
import { BufferAttribute, BufferGeometry, GLSL3, Points, RawShaderMaterial } from "three";
import { boxUniforms, Drawn, outside } from "./drawn.js";
import { mixed, words } from "./pixels.js";

const LARGEST = 48; // pixels

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
  gl_PointSize = clamp(size / gl_Position.w, least, ${LARGEST}.0);
}`;

const FRAGMENT = `
precision mediump float;
in vec3 color;
out vec4 pixel;
void main() { pixel = vec4(color, 1.0); }`;

export class DrawnCloud extends Drawn {
  constructor(cloud, tint, other = null) {
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
    const uniforms = { ...boxUniforms(), size: { value: 1 }, least: { value: 1 }, mixing: { value: 0 }, fold: { value: 0 } };
    const material = new RawShaderMaterial({ glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, defines });
    super(cloud, new Points(geometry, material));
    this.tint = tint;
    this.other = other;
  }

  /** How many points are drawn when all are. */
  get count() {
    return Math.round(this.share * this.cloud.count);
  }

  /** How many points of the cloud can be pointed at, and whether one of them is shown. */
  get pickable() {
    return this.count;
  }

  isShown(i) {
    return this.tint[4 * i + 3] > 0;
  }

  /** For a card: draw only from this share of the points to that one. */
  range(from, to) {
    const [start, end] = this.part(from, to);
    this.object.geometry.setDrawRange(start, end - start);
    this.object.visible = end > start;
  }

  /** Without a card: points from this number to that one as squares, as the shaders above do it. */
  paint({ matrix: m, nearest, sheet, left, right }, start, end) {
    const { colors, near, width, height } = sheet;
    const { low, high, size, least, mixing, fold } = this.uniforms;
    const { positions, moved } = this.cloud.arrays;
    const [from, to] = [positions.values, fold.value && moved ? moved.values : null];
    const tints = words(this.tint), others = this.other && mixing.value ? words(this.other) : null;
    const [m0, m1, , m3, m4, m5, , m7, m8, m9, , m11, m12, m13, , m15] = m;
    const { isCut } = this;
    for (let i = start, j = 3 * start; i < end; i++, j += 3) {
      let color = tints[i];
      if (color >= 0) continue; // without its highest bit: hidden
      let a = from[j], b = from[j + 1], c = from[j + 2];
      if (to) {
        a += fold.value * (to[j] - a);
        b += fold.value * (to[j + 1] - b);
        c += fold.value * (to[j + 2] - c);
      }
      if (isCut && outside(a, b, c, low.value, high.value)) continue;
      const distance = m3 * a + m7 * b + m11 * c + m15;
      if (distance < nearest) continue;
      const nearness = 1 / distance;
      const x = (m0 * a + m4 * b + m8 * c + m12) * nearness - 0.5;
      const y = (m1 * a + m5 * b + m9 * c + m13) * nearness - 0.5;
      const half = 0.5 * Math.min(LARGEST, Math.max(least.value, size.value * nearness));
      const x0 = Math.max(left, Math.ceil(x - half)), x1 = Math.min(right, Math.ceil(x + half));
      const y0 = Math.max(0, Math.ceil(y - half)), y1 = Math.min(height, Math.ceil(y + half));
      if (others) color = mixed(color, others[i], mixing.value);
      for (let row = y0; row < y1; row++)
        for (let at = row * width + x0, behind = row * width + x1; at < behind; at++)
          if (near[at] < nearness) {
            near[at] = nearness;
            colors[at] = color;
          }
    }
  }
}

/** One buffer for each cloud, however often it is drawn. */
function positionsOf(cloud, name) {
  cloud.buffers ??= {};
  cloud.buffers[name] ??= new BufferAttribute(cloud.arrays[name].values, 3);
  return cloud.buffers[name];
}
