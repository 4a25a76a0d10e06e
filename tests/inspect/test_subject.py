"""What is looked into, and what it is given."""

from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import cloud_transformers as ct
from cloud_transformers.errors import InputError
from cloud_transformers.inspect import folding, heads, open_subject

Weights = dict[str, Path]
PARTS = {
    "segmentation": ["trunk"],
    "classification": ["encoder"],
    "completion": ["encoder", "decoder"],
    "reconstruction": ["decoder"],
}


@pytest.mark.parametrize("task", PARTS)
def test_all_blocks_are_seen_on_what_the_predictor_gives(
    task: str, weights: Weights, points: NDArray[np.float32]
) -> None:
    subject = open_subject(weights[task])
    given = np.full((32, 32, 3), 200, np.uint8) if task == "reconstruction" else points
    (made,) = subject.inputs(given)
    blocks = subject.blocks(made)
    assert list(dict.fromkeys(block.part for block in blocks)) == PARTS[task]
    assert len(blocks) == 3 * len(PARTS[task])
    wanted = {"reconstruction": 40}.get(task, subject.predictor.preparation.points)
    assert blocks[0].positions.shape == (1, wanted, 3)


def test_new_weights_are_those_of_the_seed_and_leave_the_generator_alone() -> None:
    state = torch.get_rng_state()
    first, again, other = (open_subject("segmenter:tiny", seed=seed).predictor.model for seed in (1, 1, 2))
    assert torch.equal(state, torch.get_rng_state())
    pairs = zip(first.state_dict().values(), again.state_dict().values(), strict=True)
    assert all(torch.equal(a, b) for a, b in pairs)
    assert not torch.equal(first.trunk.linear.weight, other.trunk.linear.weight)


def test_a_new_model_expects_what_its_recipe_says() -> None:
    assert open_subject("segmenter:tiny").predictor.preparation.points == 512
    assert open_subject("completer:tiny").task == "completion"


def test_regions_of_a_scene_do_not_overlap_and_are_full(weights: Weights) -> None:
    rng = np.random.default_rng(0)
    room = (rng.random((3000, 3)) * [4, 1, 2]).astype(np.float32)
    subject = open_subject(weights["segmentation"])
    made = subject.inputs(room, regions=3)
    assert len({each.name for each in made}) == 3
    for each in made:
        positions = subject.blocks(each)[0].positions
        assert positions.shape[1] == 64
        assert float(positions[..., :2].amax() - positions[..., :2].amin()) <= 1.001


def test_a_scene_without_points(weights: Weights) -> None:
    with pytest.raises(InputError, match="holds no points"):
        open_subject(weights["segmentation"]).inputs(np.zeros((0, 3), np.float32))


@pytest.mark.parametrize("task", ["completion", "reconstruction"])
def test_folding_ends_at_the_answer(task: str, weights: Weights, points: NDArray[np.float32]) -> None:
    """The end of the folding is what prediction gives: of a reconstructor's two passes, the first."""
    subject = open_subject(weights[task])
    given = np.full((32, 32, 3), 200, np.uint8) if task == "reconstruction" else points
    (made,) = subject.inputs(given, seed=3)
    result = folding(subject, made)
    answer = ct.Predictor.load(weights[task])(given, seed=3).positions
    if task == "completion":
        predictor = subject.predictor
        back = predictor.prepare(given, seed=3).frame.undo(result.end)
        np.testing.assert_allclose(back, answer, atol=1e-5)
        assert result.observed.sum() == 48
    else:
        np.testing.assert_allclose(result.end, answer[: len(result.end)], atol=1e-5)
        assert not result.observed.any()
    began = result.start[~result.observed]
    np.testing.assert_allclose(np.linalg.norm(began, axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(result.colors[~result.observed], 127.5 * (began + 1), atol=0.51)


def test_only_generators_fold(weights: Weights, points: NDArray[np.float32]) -> None:
    subject = open_subject(weights["classification"])
    with pytest.raises(InputError, match="folds no sphere"):
        folding(subject, subject.inputs(points)[0])


def test_another_number_of_points(weights: Weights, points: NDArray[np.float32]) -> None:
    subject = open_subject(weights["completion"])
    more = subject.with_points(130)
    assert len(folding(more, more.inputs(points)[0]).end) == 130
    with pytest.raises(InputError, match="at least 48"):
        subject.with_points(47)


def test_numbers_of_heads(weights: Weights, points: NDArray[np.float32]) -> None:
    """A new model's residuals move nothing; its keys are T of the positions; occupied nodes are those keys' corners."""
    subject = open_subject(weights["classification"])
    block = subject.blocks(subject.inputs(points)[0])[0]
    found = heads(block)
    assert [(head.kind, head.number) for head in found] == [
        (kind, number) for kind in ("planar", "volumetric") for number in (1, 2, 3, 4)
    ]
    places = block.positions[0].numpy()
    for head in found:
        assert head.moved == head.moved_cells == 0
        flat = (places - head.origin) @ head.axes.T
        np.testing.assert_allclose(head.keys, np.tanh(flat), atol=1e-5)
        side = head.size[0]
        coordinate = (head.keys.astype(np.float64) + 1) * (side - 1) / 2
        lower = np.floor(coordinate).astype(int)
        corners = np.stack(np.meshgrid(*[[0, 1]] * len(head.size), indexing="ij"), axis=-1).reshape(-1, len(head.size))
        nodes = {tuple(node) for low in lower for node in low + corners}
        assert head.occupied == pytest.approx(len(nodes) / side ** len(head.size))
        assert {tuple(node) for node in np.argwhere(head.touched)} == nodes
        outermost = ((lower == 0) | (lower == side - 2)).any(axis=1)
        assert head.border == pytest.approx(outermost.mean())
        if head.normal is not None:
            np.testing.assert_allclose(head.axes @ head.normal, 0, atol=1e-6)


def test_heads_that_moved(weights: Weights, points: NDArray[np.float32]) -> None:
    subject = open_subject(weights["classification"])
    keys = subject.predictor.model.encoder.trunk.cascades[0].blocks[0].transforms[0].projection.keys
    torch.nn.init.zeros_(keys.norm.weight)
    keys.norm.bias.data = torch.tensor([0.3, 0.0, 0.4]).repeat(4)  # every residual is (.3, 0, .4), of length .5
    head = heads(subject.blocks(subject.inputs(points)[0])[0])[0]
    assert head.moved == pytest.approx(0.5, abs=1e-4)
    assert head.moved_most == pytest.approx(0.5, abs=1e-4)
    assert head.moved_cells > 0.1
