// The canvas: one or two panes that share a camera, drawn a part of the points at a time so that turning stays smooth.
import { Matrix4, PerspectiveCamera, Vector2, Vector3, Vector4 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Card, hasCard } from "./card.js";
import { Processor } from "./processor.js";

const ANGLE = 42;
const MARGIN = 1.06; // around what is seen whole
const FEWEST = 30_000;
const PAUSE = 200; // a frame that is asked for later than this after the last one says nothing about speed

export class Stage {
  /** panes: lists of Drawn; frames: for each the matrix from world coordinates to the stage's unit sphere. */
  panes = [[]];
  frames = [new Matrix4()];
  drawn = 0; // share of the points in the picture
  patience = 80; // milliseconds that a frame may take: more points are drawn while frames are faster
  #budget = 150_000;
  #waiting = false;
  #asked = 0;
  #last = 0;

  constructor(canvas, onDraw, byCard = hasCard()) {
    this.canvas = canvas;
    this.onDraw = onDraw;
    this.painter = byCard ? new Card(canvas) : new Processor(canvas);
    this.camera = new PerspectiveCamera(ANGLE, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.minDistance = 0.005;
    this.controls.maxDistance = 40;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.redraw());
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(canvas.parentElement);
    this.resize();
    this.look([1.1, -2.2, 1.3]);
  }

  /** From a direction, at a distance from which the boxes of all clouds are seen whole. */
  look(direction) {
    this.controls.target.set(0, 0, 0);
    this.camera.position.set(...direction).normalize();
    this.camera.lookAt(0, 0, 0);
    const tall = Math.tan((ANGLE / 2) * (Math.PI / 180));
    const wide = tall * this.#aspect();
    const turn = this.camera.quaternion.clone().invert();
    const needed = this.#corners().map((corner) => {
      const { x, y, z } = corner.applyQuaternion(turn);
      return z + Math.max(Math.abs(x) / wide, Math.abs(y) / tall);
    });
    this.camera.position.multiplyScalar(MARGIN * Math.max(0.1, ...needed));
    this.controls.update();
    this.redraw();
  }

  /** Turns by angles, in radians; walks sideways and up by shares of the distance; goes nearer by a factor. */
  move({ turn = 0, tilt = 0, right = 0, up = 0, nearer = 1 }) {
    const { camera, controls } = this;
    const arm = camera.position.clone().sub(controls.target);
    const distance = arm.length();
    let [theta, phi] = [Math.atan2(arm.y, arm.x), Math.acos(arm.z / distance)];
    theta += turn;
    phi = Math.min(Math.PI - 0.01, Math.max(0.01, phi + tilt));
    const step = new Vector3(right, up, 0).multiplyScalar(distance).applyQuaternion(camera.quaternion);
    controls.target.add(step);
    arm.set(Math.sin(phi) * Math.cos(theta), Math.sin(phi) * Math.sin(theta), Math.cos(phi)).multiplyScalar(distance / nearer);
    camera.position.copy(controls.target).add(arm);
    controls.update();
    this.redraw();
  }

  /** What is in the panes changed. */
  set(panes, frames) {
    for (const drawn of this.panes.flat()) drawn.dispose();
    this.panes = panes;
    this.frames = frames;
    panes.forEach((pane, number) => pane.forEach((drawn) => drawn.place(frames[number])));
    this.painter.set(panes);
    this.#budget = Math.max(this.#budget, 100_000);
    this.redraw();
  }

  redraw() {
    this.drawn = 0;
    this.#ask();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    this.painter.resize(width, height);
    this.redraw();
  }

  /** The panes' rectangles in CSS pixels: [left, width]. */
  rectangles() {
    const { clientWidth: width } = this.canvas.parentElement;
    const each = width / this.panes.length;
    return this.panes.map((_, number) => [number * each, each]);
  }

  /** From world coordinates of a pane to pixels of the canvas and depth; null behind the camera. */
  project(pane, place) {
    const [left, width] = this.rectangles()[pane];
    const height = this.canvas.parentElement.clientHeight;
    const clip = new Vector4(...place, 1).applyMatrix4(this.matrix(pane));
    if (clip.w <= this.camera.near) return null;
    return [left + (clip.x / clip.w + 1) * 0.5 * width, (1 - clip.y / clip.w) * 0.5 * height, clip.w];
  }

  /** From a pane's world coordinates to clip space. */
  matrix(pane) {
    this.#aim();
    return new Matrix4().multiplyMatrices(this.camera.projectionMatrix, this.camera.matrixWorldInverse).multiply(this.frames[pane]);
  }

  /** How many pixels a stretch of length 1 of the stage has at distance 1. */
  get pixelsPerUnit() {
    return this.canvas.parentElement.clientHeight / (2 * Math.tan((ANGLE / 2) * (Math.PI / 180)));
  }

  /** A PNG picture of what is shown. */
  picture() {
    return this.painter.picture(this.camera);
  }

  dispose() {
    this.set([[]], [new Matrix4()]);
    this.observer.disconnect();
    this.controls.dispose();
    this.painter.dispose();
    this.painter = null;
  }

  /** Of all clouds' boxes, on the stage. */
  #corners() {
    return this.panes.flatMap((pane, number) =>
      pane.flatMap(({ cloud: { box: { low, high } } }) =>
        [0, 1, 2, 3, 4, 5, 6, 7].map((k) =>
          new Vector3(k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]).applyMatrix4(this.frames[number]),
        ),
      ),
    );
  }

  #aspect() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    return width / this.panes.length / Math.max(height, 1) || 1;
  }

  #aim() {
    const distance = this.camera.position.length();
    this.camera.near = Math.max(0.002, (distance - 1.8) * 0.5);
    this.camera.far = distance + 4;
    this.camera.aspect = this.#aspect();
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  #ask() {
    if (this.#waiting || !this.painter) return;
    this.#waiting = true;
    this.#asked = performance.now();
    requestAnimationFrame((now) => this.#frame(now));
  }

  #frame(now) {
    this.#waiting = false;
    if (!this.painter) return;
    const passed = now - this.#last;
    this.#last = now;
    if (this.#asked - (now - passed) < PAUSE) {
      const cost = this.painter.cost ?? passed;
      this.#budget = Math.max(FEWEST, this.#budget * Math.min(1.4, Math.max(0.5, this.patience / cost)));
    }
    this.#draw();
    this.onDraw();
    if (this.drawn < 1) this.#ask();
  }

  /** The next part of the points, over what is already there. */
  #draw() {
    const total = this.panes.flat().reduce((sum, drawn) => sum + drawn.count, 0);
    const next = total ? Math.min(1, this.drawn + this.#budget / total) : 1;
    this.#aim();
    this.painter.draw(this.panes, this.camera, this.drawn, next);
    this.drawn = next;
  }
}

export const pixelOf = (event, element) => {
  const box = element.getBoundingClientRect();
  return new Vector2(event.clientX - box.left, event.clientY - box.top);
};
