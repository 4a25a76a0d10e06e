"""Text in the shapes that people keep it in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cloud_transformers import io
from cloud_transformers.errors import InputError
from cloud_transformers.io import rows
from cloud_transformers.io.options import parse_columns


def read_text(tmp_path: Path, text: str, name: str = "a.txt", **options: object) -> io.PointCloud:
    (tmp_path / name).write_bytes(text.encode())
    return io.read(tmp_path / name, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("separator", [",", ";", "\t", " ", "   ", ", "])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_separators_and_line_ends(separator: str, end: str, tmp_path: Path) -> None:
    rows = [["x", "y", "z", "label"], ["1", "2", "3.5", "7"], ["-1e1", "+2", ".5", "8"]]
    cloud = read_text(tmp_path, end.join(separator.join(row) for row in rows))
    np.testing.assert_array_equal(cloud.positions, [[1, 2, 3.5], [-10, 2, 0.5]])
    np.testing.assert_array_equal(cloud.fields["label"], [7, 8])
    assert cloud.fields["label"].dtype == np.int64


@pytest.mark.parametrize(
    "header", ["x,y,z,red,green,blue", "X,Y,Z,R,G,B", "//X,Y,Z,R,G,B", '# "x","y","z","r","g","b"']
)
def test_headers(header: str, tmp_path: Path) -> None:
    cloud = read_text(tmp_path, f"{header}\n1,2,3,10,20,30\n4,5,6,70,80,255\n")
    np.testing.assert_array_equal(cloud.fields["color"], [[10, 20, 30], [70, 80, 255]])
    assert cloud.fields["color"].dtype == np.uint8


def test_colors_between_zero_and_one_stay_so(tmp_path: Path) -> None:
    color = read_text(tmp_path, "x y z r g b\n1 2 3 0.5 1 0\n").fields["color"]
    assert color.dtype == np.float32
    np.testing.assert_array_equal(color, [[0.5, 1, 0]])


def test_without_names_nothing_is_guessed(tmp_path: Path) -> None:
    text = "1 2 3 255 0 0\n4 5 6 0 255 0\n"
    np.testing.assert_array_equal(read_text(tmp_path, text).fields["features"], [[255, 0, 0], [0, 255, 0]])
    assert read_text(tmp_path, text, columns="xyzrgb").fields["color"].dtype == np.uint8
    assert read_text(tmp_path, text, columns="xyznormal").fields["normal"].shape == (2, 3)
    assert set(read_text(tmp_path, text, columns=["x", "y", "z", "_", "_", "label"]).fields) == {"label"}
    with pytest.raises(InputError, match="6 values, but 4 columns are named"):
        read_text(tmp_path, text, columns="xyzlabel")


@pytest.mark.parametrize("at_once", [10**8, 0])
def test_a_late_fraction_makes_a_column_float(at_once: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "_AT_ONCE", at_once)
    cloud = read_text(tmp_path, "x y z time id\n1 2 3 4 5\n1 2 3 4.5 6\n")
    np.testing.assert_array_equal(cloud.fields["time"], [4, 4.5])
    np.testing.assert_array_equal(cloud.fields["id"], [5, 6])
    assert cloud.fields["id"].dtype == np.int64


def test_a_stray_carriage_return_in_the_header_moves_no_rows(tmp_path: Path) -> None:
    header = "ply\nformat ascii 1.0\ncomment a\rb\nelement vertex 2\nproperty float x\nproperty float y\n"
    (tmp_path / "a.ply").write_bytes(f"{header}property float z\nend_header\n1 2 3\n4 5 6\n".encode())
    np.testing.assert_array_equal(io.read(tmp_path / "a.ply").positions, [[1, 2, 3], [4, 5, 6]])


def test_comments_blank_lines_and_counts(tmp_path: Path) -> None:
    cloud = read_text(tmp_path, "# made by hand\n2\n\n1 2 3\n# between\n\n4 5 6 # behind\n")
    np.testing.assert_array_equal(cloud.positions, [[1, 2, 3], [4, 5, 6]])
    with pytest.raises(InputError, match="says that 3 points follow, but 1 do"):
        read_text(tmp_path, "3\n1 2 3\n")


def test_a_byte_order_mark_is_not_a_name(tmp_path: Path) -> None:
    assert not read_text(tmp_path, "\ufeffx,y,z\n1,2,3\n").fields
    np.testing.assert_array_equal(read_text(tmp_path, "\ufeff1 2 3\n4 5 6\n").positions, [[1, 2, 3], [4, 5, 6]])


@pytest.mark.parametrize("at_once", [10**8, 0])
def test_blocks_join_to_the_whole(at_once: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More rows than one block holds, and an error behind the first block names the right line."""
    monkeypatch.setattr(rows, "_AT_ONCE", at_once)
    generator = np.random.default_rng(0)
    positions = generator.normal(size=(200_000, 3)).astype(np.float32)
    io.write(tmp_path / "a.xyz", io.PointCloud(positions=positions))
    np.testing.assert_array_equal(io.read(tmp_path / "a.xyz").positions, positions)
    assert [len(part) for part in io.read_chunks(tmp_path / "a.xyz", 150_000)] == [150_000, 50_000]
    with (tmp_path / "a.xyz").open("a") as file:
        file.write("1 2 three\n")
    with pytest.raises(InputError, match="line 200001 has 'three'"):
        io.read(tmp_path / "a.xyz")


@pytest.mark.parametrize("text", ["X,Y,X\n1,2,3\n", "# x y x\n1 2 3\n", "x;y;z;a;a\n1;2;3;4;5\n"])
def test_a_name_that_stands_twice_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(InputError, match=r"names the column '[Xxa]' twice"):
        io.read(tmp_path / "a.csv")
    columns = ["x", "y", "z", "_", "_"] if ";" in text else ["x", "y", "z"]
    np.testing.assert_array_equal(io.read(tmp_path / "a.csv", columns=columns).positions, [[1, 2, 3]])


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("writable", [True, False])
def test_however_text_is_cut_it_says_the_same(
    end: str, writable: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines of any length, remarks, empty lines, no end of the last line; with and without room for a scratch file."""
    generator = np.random.default_rng(0)
    values = zip(generator.normal(size=3000).tolist(), generator.integers(1, 17, 3000).tolist(), strict=True)
    kept = [f"{x:.{digits}g} {i} {x:.3f} 7" for i, (x, digits) in enumerate(values)]
    lines = [line + (" # remark" if i % 7 == 3 else "") for i, line in enumerate(kept)]
    for at in range(2900, 0, -400):
        lines[at:at] = ["", "   ", "# " + "long " * 300]
    (tmp_path / "a.xyz").write_bytes(end.join(lines).encode())
    expected = io.read(tmp_path / "a.xyz")
    monkeypatch.setattr(rows, "_AT_ONCE", 0)
    monkeypatch.setattr(rows, "_BLOCK_BYTES", 4000)
    monkeypatch.setattr(rows, "_LEAST_BYTES", 100)
    if not writable:
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "absent"))
    for size in (1, 7, 100, 2999, 3000, 10**6):
        parts = list(io.read_chunks(tmp_path / "a.xyz", size))
        assert [len(part) for part in parts[:-1]] == [size] * (len(parts) - 1)
        np.testing.assert_allclose(np.concatenate([part.world for part in parts]), expected.world, rtol=0, atol=1e-12)
    whole = io.read(tmp_path / "a.xyz")
    np.testing.assert_array_equal(whole.fields["features"], expected.fields["features"])


def test_blocks_end_lines_at_a_line_feed_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """numpy, given a file, would take a carriage return for an end and find more rows than lines."""
    monkeypatch.setattr(rows, "_AT_ONCE", 0)
    with pytest.raises(InputError, match="line 2"):
        read_text(tmp_path, "1 2 3\n4 5 6\r7 8 9\n")


def test_shorthand_for_columns() -> None:
    assert parse_columns("xyzrgb") == ("x", "y", "z", "red", "green", "blue")
    assert parse_columns("xyz_label") == ("x", "y", "z", "_", "label")
    assert parse_columns("x, y, z, time") == ("x", "y", "z", "time")
    assert parse_columns(None) is None
    with pytest.raises(InputError, match="'foo'"):
        parse_columns("xyzfoo")
    with pytest.raises(InputError, match="twice"):
        parse_columns("x,y,z,x")


@pytest.mark.parametrize(
    "text",
    [
        "1,5;2,25;-3\n4;5,5;6\n",
        "1,5 2,25 -3\n4 5,5 6\n",
        "x\ty\tz\n1,5\t2,25\t-3\n4\t5,5\t6\n",
        "x;y;z\n1,5;2,25;-3,0\n4,0;5,5;6e0\n",
    ],
)
def test_decimal_commas_are_recognised(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(text)
    np.testing.assert_array_equal(io.read(tmp_path / "a.csv").positions, [[1.5, 2.25, -3], [4, 5.5, 6]])
    parts = list(io.read_chunks(tmp_path / "a.csv", 1))
    np.testing.assert_array_equal(parts[1].positions, [[4, 5.5, 6]])


def test_decimal_commas_that_the_first_row_does_not_show(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1;2;3\n1,5;2;3\n")
    with pytest.raises(InputError, match="line 2 has '1,5' where a number belongs"):
        io.read(tmp_path / "a.csv")
    np.testing.assert_array_equal(io.read(tmp_path / "a.csv", decimal=",").positions[:, 0], [1, 1.5])
    (tmp_path / "b.csv").write_text("1,2,3\n")
    np.testing.assert_array_equal(io.read(tmp_path / "b.csv", decimal=".").positions, [[1, 2, 3]])
    with pytest.raises(InputError, match="decimal must be"):
        io.read(tmp_path / "b.csv", decimal=";")


def test_digits_behind_a_decimal_comma_are_kept(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("691234,1234 5312345,9876 412,5\n691235,1234 5312346,9876 413,5\n")
    world = io.read(tmp_path / "a.txt").world
    np.testing.assert_allclose(
        world, [[691234.1234, 5312345.9876, 412.5], [691235.1234, 5312346.9876, 413.5]], atol=5e-5
    )


def test_names_in_other_letters_are_the_field_itself(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text('"X","Y","Z","Intensity","LABEL"\n1,2,3,4,5\n')
    cloud = io.read(tmp_path / "a.txt")
    assert cloud["intensity"].tolist() == [4]
    assert cloud["label"].tolist() == [5]


def test_a_column_without_a_name_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,y,z,,label\n1,2,3,4,5\n")
    with pytest.raises(InputError, match=r"a\.csv: column 4 of its header has no name; name them with columns="):
        io.read(tmp_path / "a.csv")
    assert len(io.read(tmp_path / "a.csv", columns="x y z _ label")) == 1
