"""One command killed twice; all of them, and all other kinds of trouble, are for `make torture`."""

import sys
from pathlib import Path

import numpy as np
import pytest


@pytest.mark.skipif(sys.platform != "linux", reason="it needs signals and limits")
def test_a_killed_command_goes_on(tmp_path: Path) -> None:
    from tests.torture.scene import Scene
    from tests.torture.trouble import killed

    assert killed(Scene("convert", tmp_path / "scene", tmp_path / "undisturbed"), np.random.default_rng(0)) is None
