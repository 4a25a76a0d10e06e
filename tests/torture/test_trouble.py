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


@pytest.mark.cluster
@pytest.mark.skipif(sys.platform != "linux", reason="it needs signals and limits")
def test_a_killed_command_on_a_cluster_goes_on(tmp_path: Path) -> None:
    from tests.torture.scene import Scene
    from tests.torture.trouble import killed_far

    scene = Scene("convert far", tmp_path / "scene", tmp_path / "undisturbed")
    assert killed_far(scene, np.random.default_rng(0)) is None


def test_of_every_victim_it_is_known_what_it_leaves() -> None:
    from tests.torture.given import INPUTS
    from tests.torture.victims import FAR, RESULTS, VICTIMS

    assert RESULTS.keys() == VICTIMS.keys() | FAR.keys()
    assert INPUTS.keys() <= RESULTS.keys()
