"""Text files of numbers: exact where they are good, and no guessing where they are not."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloud_transformers.datasets.repaired_text import BrokenLine, read_numbers
from cloud_transformers.errors import InputError
from tests.search import examples

FINE = examples(60)


@FINE
@given(
    st.lists(st.tuples(*[st.floats(-1e6, 1e6)] * 3), max_size=20),
    st.sampled_from([" ", ",", ", ", "\t"]),
    st.sampled_from(["\n", "\r\n", "\n\n"]),
)
def test_good_files_are_exact(tmp_path: Path, rows: list, blank: str, end: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text("".join(blank.join(map(repr, row)) + end for row in rows), newline="")
    np.testing.assert_array_equal(read_numbers(path, 3), np.array(rows, float).reshape(-1, 3))


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        (b"1.500 2.500 185\x10187", (1.5, 2.5, 185, 187)),  # a blank was hit
        (b"1.5\x1000 2.500 17 18", (1.5, 2.5, 17, 18)),  # one character too many
        (b"1.500\x00 2.500 17 18", (1.5, 2.5, 17, 18)),
        (b"1.5\x100 2.500 17 18", None),  # a digit was hit, and nobody knows which
        (b"1.500 2.500 1\x107 18", None),  # 17, or 1?7
        (b"1.500 2.500 17", None),
        (b"1.500,,2.500,17,18", None),
        (b"1.500 2.500 17 18 19", None),
        (b"nan 2.500 17 18", None),
        (b"\xff\xfe\xff\xfe", None),
    ],
)
def test_repair_only_where_one_meaning_is_left(tmp_path: Path, line: bytes, meaning: tuple | None) -> None:
    path = tmp_path / "a.txt"
    good = b"0.125 1.250 10 200\n3.000 4.000 255 0\n"
    path.write_bytes(good + line + b"\n" + good)
    broken: list[BrokenLine] = []

    def byte_range(row: np.ndarray) -> bool:
        return bool((row[2:] <= 255).all())

    rows = read_numbers(path, 4, plausible=byte_range, broken=broken, on_corrupt="skip")
    assert len(rows) == (4 if meaning is None else 5)
    assert [(b.line, b.repaired) for b in broken] == [(3, meaning)]
    assert "a.txt, line 3" in str(broken[0])
    if meaning is None:
        with pytest.raises(InputError, match=r"a.txt, line 3: .* is not 4 numbers"):
            read_numbers(path, 4, plausible=byte_range)


@FINE
@given(st.binary(max_size=200))
def test_any_bytes_give_numbers_or_a_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    complaint = ""
    try:
        assert read_numbers(path, 3).shape[1] == 3
    except InputError as error:
        complaint = str(error)
    assert not complaint or "a.txt, line" in complaint
    assert np.isfinite(read_numbers(path, 3, on_corrupt="skip")).all()


def test_folder_instead_of_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder"):
        read_numbers(tmp_path, 3)
