"""Relations of points as packed bits: each operation against its plain Boolean counterpart."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloud_transformers.inspect import reach

SIZES = st.sampled_from([1, 2, 7, 8, 9, 63, 64, 65, 130])


@given(SIZES, st.floats(0, 1), st.integers(0, 1000))
def test_packing_keeps_every_bit_and_counts_it(num: int, share: float, seed: int) -> None:
    rows = np.random.default_rng(seed).random((5, num)) < share
    assert (reach.unpack(reach.pack(rows), num) == rows).all()
    assert (reach.counts(reach.pack(rows)) == rows.sum(axis=1)).all()


@given(SIZES, st.floats(0, 0.3), st.integers(0, 1000))
def test_after_is_the_boolean_product(num: int, share: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    relation, before = (rng.random((num, num)) < share for _ in range(2))
    for each in (relation, before):
        np.fill_diagonal(each, True)
    before[0] = True  # a point that everybody has reached already
    reached = reach.unpack(reach.after(reach.pack(relation), reach.pack(before)), num)
    assert (reached == (relation.astype(int) @ before.astype(int) > 0)).all()


@pytest.mark.parametrize("dim", [2, 3])
@given(SIZES, st.integers(1, 9), st.integers(0, 1000))
def test_one_head_is_every_pair_of_nodes_compared(dim: int, num: int, side: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    first = rng.integers(0, side, (num, dim))
    last = np.minimum(first + rng.integers(0, 2, (num, dim)), side - 1)
    met = reach.unpack(reach.one_head(first, last), num)
    for i in range(min(num, 12)):
        for j in range(num):
            gaps = np.maximum(first[i] - last[j], first[j] - last[i])  # nodes between the two boxes, per axis
            assert met[i, j] == (gaps <= 1).all()
