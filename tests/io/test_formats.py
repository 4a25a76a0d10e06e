"""A format is its module and its line: what can be done with it follows from the module's functions."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from cloud_transformers import io
from cloud_transformers.cli import main
from cloud_transformers.errors import InputError
from cloud_transformers.io.formats import FORMATS, Format
from tests.io.samples import small_cloud

GUIDE = Path(__file__).parents[2] / "docs/howto/add_a_format.md"


@pytest.fixture
def raw(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A file of the format that the guide adds: its module and its line are taken from the page."""
    page = GUIDE.read_text(encoding="utf-8")
    code, _, line = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    module = ModuleType("cloud_transformers.io.raw")
    exec(code, module.__dict__)
    (added,) = eval(line.strip(), {"Format": Format})
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(FORMATS, *added.suffixes, added)
    path = tmp_path / "a.raw"
    small_cloud(30).positions.astype("<f4").tofile(path)
    return path


def test_the_guide_adds_a_format_with_one_function(raw: Path, tmp_path: Path) -> None:
    np.testing.assert_array_equal(io.read(raw).positions, small_cloud(30).positions)
    assert [len(part) for part in io.read_chunks(raw, 20)] == [20, 10]
    assert not io.is_mesh(raw)
    assert io.format_of(raw).bytes_at_once(raw) == 0
    (tmp_path / "b.raw").write_bytes(b"four")
    with pytest.raises(InputError, match=r"b\.raw: has 4 bytes"):
        io.read(tmp_path / "b.raw")


def test_a_format_that_is_only_read_is_not_writable(raw: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert raw.suffix not in io.writable_suffixes()
    with pytest.raises(InputError, match=r"\.raw can be read but not written; write points as \.ply"):
        io.write(raw.with_name("b.raw"), small_cloud())
    assert main(["convert", str(raw), str(raw.with_name("b.raw"))]) == 2
    assert "can be read but not written" in capsys.readouterr().err


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_line_has_a_module_that_reads(suffix: str) -> None:
    assert FORMATS[suffix].holds_points or FORMATS[suffix].holds_faces


UP = {".las": "z", ".laz": "z", ".e57": "z", ".bin": "z", ".3mf": "z", ".glb": "y", ".gltf": "y"}


def test_what_is_known_of_formats(tmp_path: Path) -> None:
    assert {suffix: each.up for suffix, each in FORMATS.items() if each.up} == UP
    in_parts = {suffix for suffix, each in FORMATS.items() if each.writes_parts}
    assert {".las", ".laz", ".ply", ".csv"} <= in_parts
    assert not {".npz", ".h5", ".pcd", ".obj"} & in_parts
    for suffix, options, whole in ((".npz", {"compress": True}, True), (".pcd", {"encoding": "binary"}, False)):
        path = tmp_path / f"a{suffix}"
        io.write(path, small_cloud(5000), **options)
        assert (io.format_of(path).bytes_at_once(path) > small_cloud(5000).positions.nbytes) == whole


def test_options_are_checked_by_name(tmp_path: Path) -> None:
    io.write(tmp_path / "a.ply", small_cloud())
    with pytest.raises(TypeError, match="colums"):
        io.read(tmp_path / "a.ply", colums="xyz")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="scael"):
        io.write(tmp_path / "b.ply", small_cloud(), scael=1.0)  # type: ignore[call-arg]
