// A cloud that was drawn on a mesh, as the mesh: flat triangles, lit from where the eye is, cut by a box.
import { BufferAttribute, BufferGeometry, DoubleSide, GLSL3, Mesh, RawShaderMaterial, Vector3 } from "three";
import { boxUniforms, Drawn, outside } from "./drawn.js";
import { dimmed, mixed, words } from "./pixels.js";

const LEAST_LIGHT = 0.35; // of a triangle that is seen from its edge

const VERTEX = `
precision highp float;
uniform mat4 modelViewMatrix, projectionMatrix;
in vec3 position;
in vec4 tint;
out vec3 color, seen, place;
void main() {
  color = tint.rgb;
  place = position;
  vec4 moved = modelViewMatrix * vec4(position, 1.0);
  seen = moved.xyz;
  gl_Position = projectionMatrix * moved;
}`;

const FRAGMENT = `
precision highp float;
uniform vec3 low, high;
in vec3 color, seen, place;
out vec4 pixel;
void main() {
  if (any(lessThan(place, low)) || any(greaterThan(place, high))) discard;
  float light = abs(normalize(cross(dFdx(seen), dFdy(seen))).z);
  pixel = vec4(color * mix(${LEAST_LIGHT}, 1.0, light), 1.0);
}`;

export class DrawnSurface extends Drawn {
  constructor(cloud, tint) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(cloud.mesh.vertices, 3));
    geometry.setAttribute("tint", new BufferAttribute(tint, 4, true));
    geometry.setIndex(new BufferAttribute(cloud.mesh.faces, 1));
    const material = new RawShaderMaterial({ glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: boxUniforms(), side: DoubleSide });
    super(cloud, new Mesh(geometry, material));
    this.tint = tint;
    this.pickable = cloud.count;
  }

  /** How many triangles are drawn when all are. */
  get count() {
    return Math.round((this.share * this.cloud.mesh.faces.length) / 3);
  }

  /** The cloud's points lie on the surface: who points at it means one of them. */
  isShown() {
    return true;
  }

  place(frame) {
    super.place(frame);
    this.normals = this.#normals();
  }

  range(from, to) {
    const [start, end] = this.part(from, to);
    this.object.geometry.setDrawRange(3 * start, 3 * (end - start));
    this.object.visible = end > start;
  }

  /** Without a card: triangles from this number to that one, as the shaders above do it. */
  paint({ matrix: m, nearest, sheet, left, right, camera }, start, end) {
    const { colors, near, width, height } = sheet;
    const { vertices, faces } = this.cloud.mesh;
    const { low, high } = this.uniforms;
    const tints = words(this.tint);
    const { isCut, normals } = this;
    const eye = camera.getWorldDirection(new Vector3());
    const X = [0, 0, 0], Y = [0, 0, 0], Q = [0, 0, 0]; // of the corners: pixels, and 1 / distance
    for (let face = start; face < end; face++) {
      let isBehind = false;
      for (let k = 0; k < 3; k++) {
        const j = 3 * faces[3 * face + k], a = vertices[j], b = vertices[j + 1], c = vertices[j + 2];
        const distance = m[3] * a + m[7] * b + m[11] * c + m[15];
        isBehind ||= distance < nearest;
        Q[k] = 1 / distance;
        X[k] = (m[0] * a + m[4] * b + m[8] * c + m[12]) * Q[k] - 0.5;
        Y[k] = (m[1] * a + m[5] * b + m[9] * c + m[13]) * Q[k] - 0.5;
      }
      const area = (X[1] - X[0]) * (Y[2] - Y[0]) - (X[2] - X[0]) * (Y[1] - Y[0]);
      if (isBehind || area === 0) continue; // a triangle that reaches behind the eye is left out as a whole
      const light = LEAST_LIGHT + (1 - LEAST_LIGHT) * Math.abs(normals[3 * face] * eye.x + normals[3 * face + 1] * eye.y + normals[3 * face + 2] * eye.z);
      const corners = [0, 1, 2].map((k) => tints[faces[3 * face + k]]);
      const isPlain = corners[0] === corners[1] && corners[0] === corners[2];
      const plain = dimmed(corners[0], light);
      const y0 = Math.max(0, Math.ceil(Math.min(...Y))), y1 = Math.min(height - 1, Math.floor(Math.max(...Y)));
      const x0 = Math.max(left, Math.ceil(Math.min(...X))), x1 = Math.min(right - 1, Math.floor(Math.max(...X)));
      for (let y = y0; y <= y1; y++)
        for (let x = x0; x <= x1; x++) {
          const u = ((x - X[0]) * (Y[2] - Y[0]) - (X[2] - X[0]) * (y - Y[0])) / area;
          const v = ((X[1] - X[0]) * (y - Y[0]) - (x - X[0]) * (Y[1] - Y[0])) / area;
          if (u < 0 || v < 0 || u + v > 1) continue;
          const nearness = (1 - u - v) * Q[0] + u * Q[1] + v * Q[2];
          const at = y * width + x;
          if (near[at] >= nearness) continue;
          if (isCut || !isPlain) {
            const second = (u * Q[1]) / nearness, third = (v * Q[2]) / nearness; // shares of the corners, in space
            if (isCut && outside(...this.#at(face, second, third), low.value, high.value)) continue;
            colors[at] = isPlain ? plain : dimmed(mixed(mixed(corners[0], corners[1], second / (1 - third) || 0), corners[2], third), light);
          } else colors[at] = plain;
          near[at] = nearness;
        }
    }
  }

  /** The place in a triangle at these shares of its second and third corner, in the cloud's coordinates. */
  #at(face, second, third) {
    const { vertices, faces } = this.cloud.mesh;
    const [a, b, c] = [0, 1, 2].map((k) => 3 * faces[3 * face + k]);
    return [0, 1, 2].map((axis) => (1 - second - third) * vertices[a + axis] + second * vertices[b + axis] + third * vertices[c + axis]);
  }

  /** Of all triangles, of length 1, on the stage. */
  #normals() {
    const { vertices, faces } = this.cloud.mesh;
    const normals = new Float32Array(faces.length);
    const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
    for (let i = 0; i < faces.length; i += 3) {
      for (const [corner, k] of [[a, 0], [b, 1], [c, 2]]) corner.fromArray(vertices, 3 * faces[i + k]).applyMatrix4(this.object.matrix);
      b.sub(a).cross(c.sub(a)).normalize().toArray(normals, i);
    }
    return normals;
  }
}
