"""The refinement of a reconstructor: it begins by moving nothing, and looks at the picture where a point is seen."""

import copy

import numpy as np
import pytest
import torch

from cloud_transformers import models
from cloud_transformers.models.generator import sphere_points
from cloud_transformers.models.refinement import PictureCamera
from cloud_transformers.world import views


@pytest.fixture(scope="module")
def refined() -> models.Reconstructor:
    torch.manual_seed(0)
    return models.reconstructor("tiny", refined=True).eval()


def test_a_new_refinement_leaves_points_where_the_decoder_placed_them(refined: models.Reconstructor) -> None:
    kept = refined.encode(torch.rand(2, 3, 32, 32))
    sphere = sphere_points(2, 50, like=kept)
    style = kept[:, : refined.mapping.out_features]
    torch.testing.assert_close(refined.decode(kept, sphere), refined.decoder(style, sphere))


def test_what_is_kept_of_a_picture_is_its_style_and_its_map(refined: models.Reconstructor) -> None:
    assert refined.picture_map is not None
    kept = refined.encode(torch.rand(2, 3, 48, 32))
    assert kept.shape == (2, 16 + 32 * 32 * 32)
    with pytest.raises(ValueError, match="style"):
        refined.decode(kept[:, :16], torch.zeros(2, 10, 3))


def test_the_map_and_the_camera_learn(refined: models.Reconstructor) -> None:
    refined = copy.deepcopy(refined)  # the others' moves nothing
    assert refined.refinement is not None
    torch.nn.init.normal_(refined.refinement.head.linear2.weight)
    refined(torch.rand(1, 3, 32, 32), num_points=30, generator=torch.Generator().manual_seed(0)).sum().backward()
    for name, parameter in refined.named_parameters():
        if name.startswith(("picture_map", "refinement.camera")):
            assert parameter.grad is not None, name
            assert parameter.grad.abs().sum() > 0, name


def test_new_details_change_nothing_and_learn() -> None:
    torch.manual_seed(0)
    fine = models.reconstructor("tiny", refined=True, fine=True)
    assert fine.picture_map is not None
    assert fine.picture_map.details is not None
    images = torch.rand(2, 3, 32, 32)
    stages = fine.image_trunk.stage_maps(images)
    without = copy.deepcopy(fine.picture_map)
    without.details = None
    seen = fine.picture_map(stages, images)
    assert seen.shape == (2, 32, 64, 64)
    torch.testing.assert_close(seen, without(stages, images))
    (seen * torch.rand_like(seen)).sum().backward()
    last = fine.picture_map.details[-1].weight.grad
    assert last is not None
    assert last.abs().sum() > 0


def test_fine_is_for_what_is_refined() -> None:
    with pytest.raises(ValueError, match="refined=True"):
        models.reconstructor("tiny", fine=True)


def test_points_look_where_the_worlds_camera_sees_them() -> None:
    """A map that holds its own pixel coordinates says for every point where it is looked at."""
    side = 64
    columns, rows = torch.meshgrid(torch.arange(side) + 0.5, torch.arange(side) + 0.5, indexing="xy")
    points = views.reconstruction(0, 4, num_points=200)["points"]
    found = PictureCamera()(torch.stack([columns, rows])[None], torch.from_numpy(points)[None])[0]
    np.testing.assert_allclose(found.detach(), views.project(points, side), atol=0.02)


@pytest.mark.parametrize("fine", [False, True])
def test_a_refined_model_is_saved_with_what_it_is(fine: bool, tmp_path) -> None:  # type: ignore[no-untyped-def]
    from cloud_transformers.models.saving import load, save

    refined = models.reconstructor("tiny", refined=True, fine=fine)
    save(refined, tmp_path / "weights.safetensors")
    again = load(tmp_path / "weights.safetensors")
    assert again.config == refined.config
