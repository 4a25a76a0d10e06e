"""Blocks that overlap: which hold which points."""

import numpy as np
import pytest

from cloud_transformers.space.blocks import BlockGrid


@pytest.mark.parametrize("slack", [0.0, 0.25])
@pytest.mark.parametrize("stride", [1.0, 0.5])
def test_a_block_holds_what_lies_between_its_borders_and_on_them(stride: float, slack: float) -> None:
    rng = np.random.default_rng(0)
    ground = np.concatenate([rng.integers(0, 13, (80, 2)) / 4, [[0, 0], [3, 3]]])  # many on the very borders
    grid = BlockGrid(1.0, stride, np.zeros(2), np.full(2, 3.0), slack)
    index, counts, rows = grid.pairs(ground)
    parts = np.split(rows, counts.cumsum()[:-1])
    found = {tuple(block): set(part.tolist()) for block, part in zip(index, parts, strict=True)}
    last = grid.last.tolist()
    expected = {}
    for x in range(last[0] + 1):
        for y in range(last[1] + 1):
            low = np.array([x, y]) * stride
            holds = ((ground >= low - slack) & (ground <= low + 1 + slack)).all(axis=1)
            if holds.any():
                expected[x, y] = set(np.flatnonzero(holds).tolist())
    assert found == expected
