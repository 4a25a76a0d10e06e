// From drawn points to the canvas, with edges darkened where depth jumps (eye-dome lighting): flat colours get a shape.
import { DepthTexture, GLSL3, Mesh, NearestFilter, OrthographicCamera, PlaneGeometry, RawShaderMaterial, Scene, WebGLRenderTarget } from "three";

export const STRENGTH = 8; // of the darkening, and
export const DARKEST = 0.4; // the share of light that stays

const VERTEX = `
in vec3 position;
void main() { gl_Position = vec4(position.xy, 0.0, 1.0); }`;

const FRAGMENT = `
precision highp float;
uniform sampler2D picture, depths;
uniform float near, far;
uniform int reach;
out vec4 pixel;
float depthAt(ivec2 at) {
  float depth = texelFetch(depths, clamp(at, ivec2(0), textureSize(depths, 0) - 1), 0).r;
  return log2(near * far / (far - depth * (far - near)));
}
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  vec4 color = texelFetch(picture, at, 0);
  if (color.a == 0.0) { pixel = vec4(0.0); return; }
  float here = depthAt(at), behind = 0.0;
  behind += max(0.0, here - depthAt(at + ivec2(reach, 0)));
  behind += max(0.0, here - depthAt(at - ivec2(reach, 0)));
  behind += max(0.0, here - depthAt(at + ivec2(0, reach)));
  behind += max(0.0, here - depthAt(at - ivec2(0, reach)));
  pixel = vec4(color.rgb * max(${DARKEST}, exp(-${STRENGTH.toFixed(1)} * behind)), 1.0);
}`;

export class Shading {
  #scene = new Scene();
  #camera = new OrthographicCamera();

  constructor() {
    this.target = new WebGLRenderTarget(1, 1, { minFilter: NearestFilter, magFilter: NearestFilter });
    this.target.depthTexture = new DepthTexture(1, 1);
    this.uniforms = {
      picture: { value: this.target.texture },
      depths: { value: this.target.depthTexture },
      near: { value: 0.1 },
      far: { value: 10 },
      reach: { value: 1 },
    };
    const material = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: this.uniforms,
      depthTest: false,
      depthWrite: false,
    });
    const plane = new Mesh(new PlaneGeometry(2, 2), material);
    plane.frustumCulled = false;
    this.#scene.add(plane);
  }

  resize(width, height, ratio) {
    this.target.setSize(width, height);
    this.uniforms.reach.value = Math.max(1, Math.round(ratio));
  }

  show(renderer, camera) {
    this.uniforms.near.value = camera.near;
    this.uniforms.far.value = camera.far;
    renderer.setRenderTarget(null);
    renderer.setScissorTest(false);
    renderer.setViewport(0, 0, renderer.domElement.width / renderer.getPixelRatio(), renderer.domElement.height / renderer.getPixelRatio());
    renderer.render(this.#scene, this.#camera);
  }

  dispose() {
    this.target.dispose();
    this.target.depthTexture.dispose();
  }
}
