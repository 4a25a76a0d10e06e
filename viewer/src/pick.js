// Which point is meant by a pixel: the nearest to the eye of those that are drawn there.

/** {drawn, index} or null; `reach` in pixels around (x, y) of the canvas. */
export function pick(stage, pane, x, y, reach, box, fold) {
  const [left, width] = stage.rectangles()[pane];
  const height = stage.canvas.parentElement.clientHeight;
  const [wantedX, wantedY] = [((x - left) / width) * 2 - 1, 1 - (y / height) * 2];
  const [reachX, reachY] = [(2 * reach) / width, (2 * reach) / height];
  let best = null;
  let nearest = Infinity;
  for (const drawn of stage.panes[pane]) {
    const { cloud } = drawn;
    const m = stage.matrix(pane).elements;
    const { positions, moved } = cloud.arrays;
    const [from, to] = [positions.values, moved && fold ? moved.values : null];
    const { origin: o, scale: s } = cloud;
    for (let i = 0; i < drawn.pickable; i++) {
      if (!drawn.isShown(i)) continue;
      let [a, b, c] = [from[3 * i], from[3 * i + 1], from[3 * i + 2]];
      if (to) {
        a += fold * (to[3 * i] - a);
        b += fold * (to[3 * i + 1] - b);
        c += fold * (to[3 * i + 2] - c);
      }
      const px = o[0] + s[0] * a, py = o[1] + s[1] * b, pz = o[2] + s[2] * c;
      const w = m[3] * px + m[7] * py + m[11] * pz + m[15];
      if (w <= 0 || w >= nearest) continue;
      if (Math.abs((m[0] * px + m[4] * py + m[8] * pz + m[12]) / w - wantedX) > reachX) continue;
      if (Math.abs((m[1] * px + m[5] * py + m[9] * pz + m[13]) / w - wantedY) > reachY) continue;
      if (box && outside(box, px, py, pz)) continue;
      nearest = w;
      best = { drawn, index: i };
    }
  }
  return best;
}

function outside({ low, high }, x, y, z) {
  return x < low[0] || y < low[1] || z < low[2] || x > high[0] || y > high[1] || z > high[2];
}
