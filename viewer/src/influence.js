// Who can influence a point: chains of heads on whose grids points meet. The rule is that of `inspect.interaction`.

const REACH = 1; // nodes to either side that a 3x3 (3x3x3) convolution looks at

/** For every point after how many of these blocks it can influence the point `row`; 0 for itself, -1 for never. */
export function influencers(blocks, row) {
  const count = blocks[0].heads[0].moves.length;
  const arrival = new Int16Array(count).fill(-1);
  blocks.forEach((_, last) => {
    let known = new Uint8Array(count);
    known[row] = 1;
    for (let k = last; k >= 0; k--) known = before(blocks[k], known);
    for (let point = 0; point < count; point++) if (known[point] && arrival[point] < 0) arrival[point] = last + 1;
  });
  arrival[row] = 0;
  return arrival;
}

/** The points that can influence one of those that are known, through one block. */
function before(block, known) {
  const found = known.slice();
  for (const { nodes, grid } of block.heads) {
    const width = grid.length;
    const [, second = 1, third = 1] = grid;
    const marked = new Uint8Array(grid.reduce((product, side) => product * side, 1));
    /** Calls `act` with every node of a point's box, made larger on all sides, until it returns true. */
    const visit = (point, larger, act) => {
      const low = [0, 0, 0];
      const high = [0, 0, 0];
      for (let axis = 0; axis < width; axis++) {
        const code = nodes[width * point + axis];
        low[axis] = Math.max(0, (code >> 1) - larger);
        high[axis] = Math.min(grid[axis] - 1, (code >> 1) + (code & 1) + larger);
      }
      for (let a = low[0]; a <= high[0]; a++)
        for (let b = low[1]; b <= high[1]; b++)
          for (let c = low[2]; c <= high[2]; c++) if (act((a * second + b) * third + c)) return true;
      return false;
    };
    for (let point = 0; point < known.length; point++)
      if (known[point]) visit(point, REACH, (node) => void (marked[node] = 1));
    for (let point = 0; point < known.length; point++)
      if (!found[point] && visit(point, 0, (node) => marked[node])) found[point] = 1;
  }
  return found;
}
