// Draws by WebGL, on a graphics card. `processor.js` draws the same without one; both are asked the same questions.
import { Scene, WebGLRenderer } from "three";
import { Shading } from "./shading.js";

const COMPUTED = /swiftshader|llvmpipe|softpipe|software|basic render/i; // names of WebGL without a card

/** Whether WebGL here runs on a graphics card. */
export function hasCard() {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return false;
  const facts = gl.getExtension("WEBGL_debug_renderer_info");
  const name = gl.getParameter(facts ? facts.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return !COMPUTED.test(name);
}

export class Card {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new WebGLRenderer({ canvas, alpha: true, antialias: false, powerPreference: "high-performance" });
    this.renderer.autoClear = false;
    this.renderer.setClearColor(0x000000, 0);
    this.shading = new Shading();
    this.scene = new Scene();
    this.scene.matrixWorldAutoUpdate = false;
  }

  /** Pixels of the picture for one of the page. */
  get ratio() {
    return this.renderer.getPixelRatio();
  }

  resize(width, height) {
    const ratio = Math.min(devicePixelRatio, 2);
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.shading.resize(this.canvas.width, this.canvas.height, ratio);
  }

  set(panes) {
    this.scene.clear();
    for (const drawn of panes.flat()) this.scene.add(drawn.object);
  }

  /** From this share of what is in the panes to that one, over what is already there; from 0, over nothing. */
  draw(panes, camera, from, to) {
    const { renderer, shading } = this;
    const { target } = shading;
    renderer.setRenderTarget(target);
    target.scissorTest = true;
    panes.forEach((pane, number) => {
      const [left, right] = columns(target.width, panes.length, number);
      target.viewport.set(left, 0, right - left, target.height);
      target.scissor.set(left, 0, right - left, target.height);
      renderer.setRenderTarget(target);
      if (from === 0) renderer.clear();
      for (const drawn of panes.flat()) drawn.object.visible = false;
      for (const drawn of pane) drawn.range(from, to);
      for (const drawn of pane) drawn.object.updateMatrixWorld();
      renderer.render(this.scene, camera);
    });
    shading.show(renderer, camera);
  }

  /** A PNG picture of what was drawn. */
  picture(camera) {
    this.shading.show(this.renderer, camera);
    return new Promise((resolve) => this.canvas.toBlob(resolve, "image/png"));
  }

  dispose() {
    this.shading.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}

/** The first column of pixels of a pane, and the one behind its last. */
export function columns(width, panes, number) {
  return [Math.round((number * width) / panes), Math.round(((number + 1) * width) / panes)];
}
