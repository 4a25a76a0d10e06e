"""Every example runs as it stands."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(example: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(example)], cwd=tmp_path, check=True, capture_output=True)
    assert list(tmp_path.iterdir()), f"{example.name} wrote nothing"
