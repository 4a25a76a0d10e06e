"""Details of the release's models that weights and golden values do not show: what is random, and what is padded."""

import sys

import pytest
import torch

from cloud_transformers import models
from cloud_transformers.layers import MaskedBatchNorm
from cloud_transformers.models.classifier import MaskHead


@pytest.mark.parametrize("is_training", [True, False])
def test_every_point_drops_channels_of_the_class_vector_of_its_own(monkeypatch, is_training):
    head = MaskHead(8 + 64, 16, 1, MaskedBatchNorm, dropout=0.5).train(is_training)
    hidden = []

    def watched(norms, features, *args, **options):
        hidden.extend(features)
        return features[0]

    monkeypatch.setattr(sys.modules[MaskHead.__module__], "normalize_together", watched)
    head(torch.zeros(2, 50, 8), None, torch.randn(2, 64))  # without features, only the vector tells points apart
    for cloud in hidden[0].expand(2, 50, 16):
        assert len(torch.unique(cloud.detach(), dim=0)) == (50 if is_training else 1)


def test_without_dropout_training_and_evaluation_weigh_the_vector_alike():
    torch.manual_seed(0)
    model = models.classifier("tiny", 4, dropout=0.0).train()
    positions = torch.rand(2, 40, 3)
    _, foreground = model(positions)
    features, vector = model.encoder(positions)
    each = torch.cat([features, vector[:, None].expand(-1, 40, -1)], dim=-1)
    wanted = model.mask_head.linear2(model.mask_head.norm(model.mask_head.linear1(each), None, None).relu())
    torch.testing.assert_close(foreground, wanted[..., 0], rtol=1e-4, atol=1e-5)


def test_a_masked_partial_cloud_is_encoded_as_the_release_encodes_it_repeated():
    """The release repeats a short cloud until it is long enough. The largest of equal values is that value."""
    torch.manual_seed(0)
    model = models.completer("tiny").eval()
    partial = torch.rand(1, 30, 3)
    repeated = torch.cat([partial, partial[:, torch.randint(30, (34,))]], dim=1)
    padded = torch.cat([partial, torch.full((1, 34, 3), 7.0)], dim=1)
    mask = torch.arange(64)[None] < 30
    with torch.inference_mode():
        torch.testing.assert_close(model.encode(padded, mask), model.encode(repeated), rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(model.encode(partial), model.encode(repeated), rtol=1e-4, atol=1e-5)
