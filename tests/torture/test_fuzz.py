"""A short run of the fuzzer; the long one is `make torture`."""

import pytest

from tests.torture.fuzz import run_here
from tests.torture.targets import KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files_are_read_or_refused(kind: str) -> None:
    if kind == "e57":
        pytest.importorskip("pye57")
    counts, bad = run_here(kind, range(40))
    assert not bad
    assert counts["read"] + counts["refused"] == 40
    assert counts["refused"]
