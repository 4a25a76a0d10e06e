"""Random clouds for property tests: any number of points, any fields, near the origin or far from it."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from cloud_transformers.cloud import PointCloud

INTEGERS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32]
LONG_INTEGERS = [np.int64, np.uint64]
FLOATS = [np.float32, np.float64]

# None of these is a word that files use for coordinates, colours or normals: refusing those has a test of its own.
names = st.text("abcdefghijklmnopqrstuvwxyzABC_0123456789.-", max_size=11).map(lambda name: f"q{name}")


def values(dtype: Any, shape: tuple[int, ...]) -> st.SearchStrategy[np.ndarray[Any, Any]]:
    if np.issubdtype(dtype, np.floating):
        bits = np.dtype(dtype).itemsize * 8
        return hnp.arrays(dtype, shape, elements=st.floats(width=bits, allow_nan=False, allow_infinity=False))
    return hnp.arrays(dtype, shape)


@st.composite
def clouds(draw: st.DrawFn, dtypes: list[Any], far: bool = False, max_points: int = 12) -> PointCloud:
    """Positions are any finite float32; with `far`, centimetres to hundreds of metres around UTM-like coordinates."""
    N = draw(st.integers(0, max_points))
    fields: dict[str, np.ndarray[Any, Any]] = {}
    if draw(st.booleans()):
        fields["color"] = draw(hnp.arrays(np.uint8, (N, 3)))
    if draw(st.booleans()):
        fields["normal"] = draw(values(np.float32, (N, 3)))
    for name in draw(st.lists(names, max_size=3, unique_by=str.lower)):
        shape = (N,) if draw(st.booleans()) else (N, draw(st.integers(1, 4)))
        fields[name] = draw(values(draw(st.sampled_from(dtypes)), shape))
    if not far:
        elements = st.floats(width=32, allow_nan=False, allow_infinity=False)
        return PointCloud(positions=draw(hnp.arrays(np.float32, (N, 3), elements=elements)), fields=fields)
    elements = st.floats(-500, 500, width=32, allow_subnormal=False)
    offset = draw(hnp.arrays(np.float64, 3, elements=st.integers(2000, 9_000_000)))
    return PointCloud(positions=draw(hnp.arrays(np.float32, (N, 3), elements=elements)), fields=fields, offset=offset)
