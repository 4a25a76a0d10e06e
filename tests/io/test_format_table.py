"""Every format against a program that is not ours, and the page that says how it went."""

from __future__ import annotations

from pathlib import Path

import pytest

from cloud_transformers.io.formats import FORMATS
from tests.io.format_table import ROWS, Row, read_by_them, read_by_us, table

PAGE = Path(__file__).parents[2] / "docs" / "files.md"
COORDINATES_AND = {".bin": "coordinates, intensity"}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.suffix)
def test_their_files_are_read(row: Row, tmp_path: Path) -> None:
    found = read_by_us(row, tmp_path)
    if found != "points on its faces":
        assert found.startswith(COORDINATES_AND.get(row.suffix, "coordinates, color, ")), found


@pytest.mark.parametrize("row", [row for row in ROWS if row.read], ids=lambda row: row.suffix)
def test_our_files_are_read_by_them(row: Row, tmp_path: Path) -> None:
    kept, _ = read_by_them(row, tmp_path)
    assert kept.startswith("coordinates, color, normal, intensity, label, height")


def test_every_format_that_is_written_has_an_independent_reader() -> None:
    modules = {FORMATS[row.suffix].module for row in ROWS if row.read}
    assert modules == {each.module for each in FORMATS.values() if each.writes}


def test_every_format_that_is_read_has_a_row() -> None:
    rows = {FORMATS[row.suffix].module for row in ROWS if row.suffix in FORMATS}
    assert rows == {each.module for each in FORMATS.values()}


def test_the_page_is_what_the_command_prints() -> None:
    assert table() in PAGE.read_text(encoding="utf-8")
