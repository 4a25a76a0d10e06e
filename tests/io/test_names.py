"""A field's name is kept, or refused in one sentence: whatever it is, in every format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloud_transformers import io
from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from tests.io.test_roundtrip import KINDS
from tests.search import examples

FORMATS: dict[str, tuple[str, dict[str, Any]]] = {
    **{kind: (suffix, options) for kind, (suffix, _, options) in KINDS.items() if "compressed" not in kind},
    **{suffix: (suffix, {}) for suffix in (".las", ".csv", ".txt", ".xyz")},
}
# Names that mean something to a format, or to the code that reads it.
MEANINGFUL = (
    "positions", "offset", "x", "Z", "color", "red", "RED", "rgb", "normal", "nx", "normal_x", "intensity", "label",
    "Label", "classification", "gps_time", "extra_bytes", "a", "a[0]", "a[1]", "a.npy", "positions.npy", "file",
    "end_header", "DATA", "#", "//", "_", "1", "1e5", "nan", "", ".", "..", "a/b", "\0", "\n", "\x85", "two words",
    '"', ",", ";", "größe", "高さ", "\udc80", "n" * 33,
)  # fmt: skip
names = st.sampled_from(MEANINGFUL) | st.text(max_size=6) | st.text("ab.[]01_/ ,;#\"'", max_size=6)


@pytest.mark.parametrize("kind", FORMATS)
@examples(100)
@given(chosen=st.lists(names, min_size=1, max_size=3, unique=True))
def test_a_name_is_kept_or_refused(kind: str, chosen: list[str], tmp_path: Path) -> None:
    suffix, options = FORMATS[kind]
    path = tmp_path / f"a{suffix}"
    positions = np.arange(12, dtype=np.float32).reshape(4, 3)
    fields = {name: np.arange(4, dtype=np.float32) + index for index, name in enumerate(chosen, start=20)}
    refusal = None
    try:
        io.write(path, PointCloud(positions=positions, fields=fields), **options)
    except InputError as error:
        refusal = str(error)
    if refusal is not None:
        assert str(path) in refusal
        assert "\n" not in refusal
        return
    result = io.read(path)
    np.testing.assert_array_equal(result.positions, positions)
    assert suffix == ".las" or set(result.fields) == set(chosen), "LAS has fields of its own"
    for name, values in fields.items():
        np.testing.assert_array_equal(result.fields[name], values, err_msg=repr(name))


@pytest.mark.parametrize("suffix", [".npz", ".h5", ".npy", ".ply", ".pcd", ".las", ".csv"])
@pytest.mark.parametrize("name", ["q.npy", "größe", "高さ"])
def test_names_that_every_format_keeps(name: str, suffix: str, tmp_path: Path) -> None:
    values = np.array([0.5, 1.5], np.float32)
    io.write(tmp_path / f"a{suffix}", PointCloud(positions=np.ones((2, 3), np.float32), fields={name: values}))
    np.testing.assert_array_equal(io.read(tmp_path / f"a{suffix}").fields[name], values)


def test_numpy_finds_every_array_under_its_own_name(tmp_path: Path) -> None:
    """It takes an array's name or its member's in the archive, so one may not be another's."""
    two = {name: np.full(2, number, np.float32) for number, name in enumerate(("q", "q.npy"))}
    with pytest.raises(InputError, match=r"field 'q\.npy' .* rename or drop it"):
        io.write(tmp_path / "a.npz", PointCloud(positions=np.ones((2, 3), np.float32), fields=two))
    io.write(tmp_path / "a.npz", PointCloud(positions=np.ones((2, 3), np.float32), fields=two), drop=["q"])
    with np.load(tmp_path / "a.npz") as arrays:
        np.testing.assert_array_equal(arrays["q.npy"], two["q.npy"])


@pytest.mark.parametrize("suffix", [".ply", ".pcd"])
def test_names_of_older_programs_are_latin_1(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    cloud = PointCloud(positions=np.ones((2, 3), np.float32), fields={"größe": np.ones(2, np.float32)})
    io.write(path, cloud)
    path.write_bytes(path.read_bytes().replace("größe".encode(), "größe".encode("latin1")))
    assert set(io.read(path).fields) == {"größe"}


def test_a_bracket_is_no_channel_unless_all_channels_are_there(tmp_path: Path) -> None:
    """As other programs write units: nothing of a LAS file is left out."""
    laspy = pytest.importorskip("laspy", reason="laspy is not installed")
    file = laspy.create(point_format=6, file_version="1.4")
    for name in ("height[m]", "echo[1]", "pair[0]", "pair[1]"):
        file.add_extra_dim(laspy.ExtraBytesParams(name=name, type=np.float32))
    file.x, file.y, file.z = np.ones((3, 2))
    for number, name in enumerate(("height[m]", "echo[1]", "pair[0]", "pair[1]")):
        file[name] = np.full(2, number, np.float32)
    file.write(tmp_path / "a.las")
    fields = io.read(tmp_path / "a.las").fields
    np.testing.assert_array_equal(fields["height[m]"], [0, 0])
    np.testing.assert_array_equal(fields["echo[1]"], [1, 1])
    np.testing.assert_array_equal(fields["pair"], [[2, 3], [2, 3]])
