// The keyboard: everything that the mouse does.

export const HELP = [
  ["← → ↑ ↓", "turn"],
  ["Shift + ← → ↑ ↓", "move sideways"],
  ["+ −", "nearer, farther"],
  ["0", "see everything"],
  ["T F S", "from the top, the front, the side"],
  ["Enter", "read the point in the middle"],
  ["M", "measure: then two points"],
  ["C", "next colouring"],
  ["L", "next layout"],
  ["Esc", "let go of points and measures"],
];

const STEP = Math.PI / 36;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Whether the viewer did something with the key. */
export function press(viewer, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const arrow = ARROWS[event.key];
  if (arrow && event.shiftKey) viewer.stage.move({ right: arrow[0] * 0.08, up: arrow[1] * 0.08 });
  else if (arrow) viewer.stage.move({ turn: -arrow[0] * STEP, tilt: -arrow[1] * STEP });
  else {
    const action = {
      "+": () => viewer.stage.move({ nearer: 1.15 }),
      "=": () => viewer.stage.move({ nearer: 1.15 }),
      "-": () => viewer.stage.move({ nearer: 1 / 1.15 }),
      0: () => viewer.look("corner"),
      t: () => viewer.look("top"),
      f: () => viewer.look("front"),
      s: () => viewer.look("side"),
      m: () => viewer.measuring(!viewer.isMeasuring),
      c: () => viewer.nextColoring(),
      l: () => viewer.nextLayout(),
      Enter: () => viewer.pickMiddle(),
      Escape: () => viewer.letGo(),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return false;
    action();
  }
  event.preventDefault();
  return true;
}
