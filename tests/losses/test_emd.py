"""EMD as loss and as score: the auction is as fine, and as long, as the protocol says."""

import pytest
import torch

from cloud_transformers import losses, metrics
from cloud_transformers.losses.emd import emd_loss
from cloud_transformers.metrics.shapes import emd_distance


@pytest.mark.parametrize(
    ("module", "function", "eps", "rounds"),
    [(losses.emd, emd_loss, 0.005, 50), (metrics.shapes, emd_distance, 0.004, 3000)],
)
def test_the_auction_s_setting_is_the_protocol_s(monkeypatch, module, function, eps, rounds):
    asked = {}
    auction = module.emd

    def watched(prediction, target, **setting):
        asked.update(setting)
        return auction(prediction, target, **setting)

    monkeypatch.setattr(module, "emd", watched)
    clouds = torch.rand(2, 1, 32, 3)
    function(*clouds)
    assert asked == {"eps": eps, "rounds": rounds}


def test_the_loss_is_a_mean_distance_so_it_grows_with_the_clouds():
    one, other = torch.rand(2, 3, 40, 3)
    torch.testing.assert_close(emd_loss(2 * one, 2 * other), 2 * emd_loss(one, other))
    shifted = emd_loss(one, one + torch.tensor([3.0, 4.0, 0.0]))
    torch.testing.assert_close(shifted, torch.full((3,), 5.0), rtol=5e-3, atol=0)  # within the auction's eps
