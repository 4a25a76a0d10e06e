"""docs/fidelity.md names code and tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/fidelity.md").read_text(encoding="utf-8")


def test_every_test_that_the_page_names_exists():
    named = re.findall(r"`([\w/]+\.py)::(test_\w+)`", PAGE)
    assert len(named) > 40
    for path, name in named:
        assert f"def {name}(" in (ROOT / "tests" / path).read_text(encoding="utf-8"), f"{path}::{name}"


def test_every_file_that_the_page_names_exists():
    files = set(re.findall(r"`((?:[\w*]+/)*[\w*]+(?:\.py|/))`", PAGE))
    assert len(files) > 20
    for file in files:
        places = [ROOT / "src/cloud_transformers", ROOT, ROOT / "tests"]
        assert any(list(place.glob(file)) for place in places), file
