"""A box of a COPC file: the points that a look at all of them finds, of a part of the bytes."""

import struct
import time
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import laspy
import numpy as np
import pytest

import cloud_transformers as ct
from cloud_transformers.cli import main
from cloud_transformers.errors import InputError
from cloud_transformers.io.las.checks import check_las
from tests.io.copc import write_copc

SIDE = 64.0


@pytest.fixture
def tile(tmp_path: Path) -> Path:
    path = tmp_path / "tile.copc.laz"
    write_copc(path, np.random.default_rng(0).uniform(0, SIDE, (20_000, 3)), SIDE)
    return path


def rows(world: Any) -> Any:
    return world[np.lexsort(world.T)]


def test_a_box_holds_the_points_that_lie_in_it(tile: Path) -> None:
    whole = ct.read(tile)
    assert len(whole) == 20_000
    low, high = np.array([10.0, 20.0]), np.array([17.0, 31.5])
    box = ct.io.read_box(tile, low, high)
    inside = ((whole.world[:, :2] >= low) & (whole.world[:, :2] <= high)).all(axis=1)
    assert len(box) == inside.sum() > 100
    assert np.array_equal(rows(box.world), rows(whole.world[inside]))
    assert sorted(box.fields["color"][:, 0]) == sorted(whole.fields["color"][inside, 0])
    assert box.metadata["las"]["scales"] == whole.metadata["las"]["scales"]


@pytest.mark.parametrize(("spacing", "level"), [(SIDE / 10, 0), (SIDE / 11, 1), (SIDE / 40, 2), (1e-3, 2)])
def test_a_spacing_leaves_deeper_levels_out(tile: Path, spacing: float, level: int) -> None:
    """As laspy's own reader finds them."""
    low, high = np.array([1.0, 2.0, 3.0]), np.array([50.0, 30.0, 60.0])
    box = ct.io.read_box(tile, low, high, spacing=spacing)
    with laspy.CopcReader.open(tile) as reader:
        found = reader.query(laspy.copc.Bounds(low, high), level=range(level + 1))
        world = np.stack([found.x, found.y, found.z], axis=1)
    inside = ((world >= low) & (world <= high)).all(axis=1)
    np.testing.assert_allclose(rows(box.world), rows(world[inside]), atol=1e-4)


@pytest.mark.parametrize(("first", "last"), [(-5, 0), (-1, 2), (1, 2)])  # before the chunk, around its start, inside
def test_layers_are_looked_at_before_rows_near_them_are_decoded(tile: Path, first: int, last: int) -> None:
    """A decoder opens a chunk to find a row in it, and at the end of the one before it; a layer is then allocated."""
    chunks = check_las(tile).chunks
    assert chunks is not None
    before = sum(points for points, _ in chunks.chunks[:4])
    assert chunks.chunks[4][0] > 2
    data = bytearray(tile.read_bytes())
    struct.pack_into("<I", data, list(chunks.places())[4] + chunks.point_size + 8, 1 << 29)
    tile.write_bytes(data)
    with pytest.raises(InputError, match="a chunk declares layers of 53687"):
        list(ct.io.read_rows(tile, range(before + first, before + last), 16))


def test_a_box_without_points_is_empty(tile: Path) -> None:
    box = ct.io.read_box(tile, [200, 200], [300, 300])
    assert len(box) == 0
    assert "color" in box.fields


@pytest.mark.parametrize("suffix", [".las", ".ply", ".csv"])
def test_other_files_are_read_in_full(tile: Path, tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cloud_transformers.io._BOX_POINTS", 3000)
    whole = ct.read(tile)
    ct.write(tmp_path / f"a{suffix}", whole)
    box = ct.io.read_box(tmp_path / f"a{suffix}", [10, 20], [17, 31.5])
    assert np.abs(rows(box.world) - rows(ct.io.read_box(tile, [10, 20], [17, 31.5]).world)).max() < 1e-4
    with pytest.raises(InputError, match="no COPC file"):
        ct.io.read_box(tmp_path / f"a{suffix}", [10, 20], [17, 31.5], spacing=1)


@pytest.mark.parametrize(
    ("low", "high", "spacing"),
    [([1], [2], None), ([1, 2], [0, 3], None), ([1, 2], [3, 4, 5], None), ([0, 0], [1, 1], 0)],
)
def test_what_is_no_box_is_said(tile: Path, low: Any, high: Any, spacing: Any) -> None:
    with pytest.raises(InputError, match=r"a box has|spacing must be"):
        ct.io.read_box(tile, low, high, spacing=spacing)


def test_octrees_that_lie_are_refused(tile: Path) -> None:
    """Entries: level, x, y, z, place, bytes, points. The first is the root, the second a page of a child."""
    data = bytearray(tile.read_bytes())
    at, size = struct.unpack_from("<2Q", data, 429 + 40)
    entry = struct.Struct("<4iQ2i")
    root, page = entry.unpack_from(data, at), entry.unpack_from(data, at + 32)
    lies: dict[str, list[tuple[int, tuple[int, ...]]]] = {
        "no chunk": [
            (at, (*root[:6], root[6] + 1)),
        ],
        "no chunk of it": [(at, (*root[:4], root[4] + 1, *root[5:]))],
        "no place": [(at, (0, 1, *root[2:]))],
        "on level": [(at, (99, *root[1:]))],
        "cannot be": [(at + 32, (*page[:4], at, size, -1))],
        "a page of": [(at + 32, (*page[:4], 1 << 40, 32, -1))],
        "page of -": [(at + 32, (*page[:4], at, -32, -1))],
    }
    for said, changes in lies.items():
        changed = bytearray(data)
        for place, values in changes:
            entry.pack_into(changed, place, *values)
        tile.write_bytes(changed)
        with pytest.raises(InputError, match=said):
            ct.io.read_box(tile, [0, 0], [SIDE, SIDE])


def test_pages_that_share_their_bytes_are_refused(tile: Path) -> None:
    """Half a megabyte of entries, and as many pages of all of them: more than 10^8 of them to look at."""
    count = 10_000
    data = bytearray(tile.read_bytes())
    end = len(data)
    entry = struct.Struct("<4iQ2i")
    for number in range(count):
        data += entry.pack(0, 0, 0, 0, end + 32 * count, 32 * (count - number), -1)
    data += bytes(32 * count)
    struct.pack_into("<2Q", data, 429 + 40, end, 32 * count)
    tile.write_bytes(data)
    began = time.process_time()
    with pytest.raises(InputError, match="cannot be"):
        ct.io.read_box(tile, [0, 0], [SIDE, SIDE])
    assert time.process_time() - began < 5


@pytest.mark.parametrize("numbers", [(1e308, 1e308), (1.0, 1e308), (1e308, 1.0), (1.0, 1e-308), (-1.0, 1.0)])
def test_cubes_that_cannot_be_are_no_octree(tile: Path, numbers: tuple[float, float]) -> None:
    """Half of the side, and the distance of the root's points."""
    data = bytearray(tile.read_bytes())
    struct.pack_into("<2d", data, 429 + 24, *numbers)
    tile.write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for spacing in (1e-300, 1.0, 1e300):
            with suppress(InputError):
                assert len(ct.io.read_box(tile, [0, 0], [SIDE, SIDE], spacing=spacing)) <= 20_000
        with suppress(InputError):
            assert len(ct.io.read_box(tile, [0, 0], [SIDE, SIDE])) <= 20_000


def test_the_verb(tile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "part.laz"
    assert main(["convert", str(tile), str(out), "--box", "10,20,17,31.5", "--spacing", "2"]) == 0
    expected = ct.io.read_box(tile, [10, 20], [17, 31.5], spacing=2)
    np.testing.assert_allclose(ct.read(out).world, expected.world, atol=1e-4)
    assert main(["convert", str(tile), str(out), "--spacing", "2", "--force"]) == 2
    assert "--spacing goes with --box" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["convert", str(tile), str(out), "--box", "10,20", "--force"])
    assert "--box" in capsys.readouterr().err
    assert main(["convert", str(tile), str(out), "--box", "1e6,1e6,2e6,2e6", "--force"]) == 0
    assert "none of its points lies in the box" in capsys.readouterr().err
