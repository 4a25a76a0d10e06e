"""Scores of shapes in the units that they state, on clouds whose distances are known."""

import pytest
import torch

from cloud_transformers.tasks.shape_tally import ShapeTally

SHIFT = 0.005


def test_distances_are_in_the_units_that_are_stated() -> None:
    """Corners of a cube, all moved by the same distance: every point's nearest is its own."""
    truth = torch.cartesian_prod(*[torch.tensor([0.0, 1.0])] * 3)[None]
    tally = ShapeTally([0.01, 0.004], "F@0.01", with_emd=True)
    tally.add([0], ["cube"], truth + torch.tensor([SHIFT, 0, 0]), truth)
    found = {score.name: score for score in tally.scores()}
    expected = {
        "F@0.01": (1.0, ""),
        "recall@0.004": (0.0, ""),
        "CD-L2": (2 * SHIFT**2 * 1e4, "1e-4 squared units"),
        "CD-L1": (SHIFT * 1e3, "1e-3 units"),
        "EMD": (SHIFT * 1e3, "1e-3 units"),
    }
    for name, (value, unit) in expected.items():
        assert found[name].value == pytest.approx(value, rel=1e-4), name
        assert found[name].unit == unit
