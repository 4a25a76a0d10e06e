"""A short run of the fuzzer; the long one is `python -m tests.io.fuzz`."""

import pytest

from tests.io.fuzz import FORMATS, run_here


@pytest.mark.filterwarnings("ignore")  # damaged numbers may warn inside the libraries
@pytest.mark.parametrize("kind", FORMATS)
def test_damaged_files_are_read_or_refused(kind: str) -> None:
    counts, bad = run_here(kind, range(200))
    assert not bad
    assert counts["read"] + counts["refused"] == 200
    assert counts["refused"] > 50
