"""Clouds and pictures in, answers out: what may change an answer and what may not."""

import json
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import cloud_transformers as ct
from cloud_transformers import models
from cloud_transformers.errors import InputError
from cloud_transformers.models.preparation import preparation_from_json
from cloud_transformers.predict.classification import Classification
from cloud_transformers.recipes import recipe
from cloud_transformers.space.frames import UP, up_rotation
from tests.predict.conftest import CLASSES, PREPARATIONS

Points = NDArray[np.float32]
Weights = dict[str, Path]


def cloud(positions: NDArray[Any], **options: Any) -> ct.PointCloud:
    return ct.PointCloud(positions=positions.astype(np.float32), **options)


def test_classes_come_most_probable_first(weights: Weights, points: Points) -> None:
    answer = ct.Predictor.load(weights["classification"])(points)
    assert sorted(answer.classes) == sorted(CLASSES)
    assert (np.diff(answer.probabilities) <= 0).all()
    assert answer.probabilities.sum() == pytest.approx(1, abs=1e-5)
    assert answer.label == answer.classes[0]
    assert answer.foreground is not None
    assert answer.foreground.shape == (200,)
    assert ((answer.foreground >= 0) & (answer.foreground <= 1)).all()
    assert (answer.mask == (answer.foreground > 0.5)).all()
    assert answer.notes == ()


@pytest.mark.parametrize("task", ["classification", "completion"])
@pytest.mark.parametrize("batch_size", [1, 3])
def test_an_answer_depends_on_its_cloud_and_seed_alone(
    weights: Weights, points: Points, task: str, batch_size: int
) -> None:
    alone = ct.Predictor.load(weights[task])
    together = ct.Predictor.load(weights[task], batch_size=batch_size)
    clouds = [points, points[:30] * 3 + 1, points[50:] @ up_rotation("z", "y")]
    for one, other in zip([alone(each, seed=4) for each in clouds], together.many(clouds, seed=4), strict=True):
        np.testing.assert_allclose(numbers(one), numbers(other), atol=2e-5)
    assert not np.array_equal(numbers(alone(points, seed=4)), numbers(alone(points, seed=5)))
    assert np.array_equal(numbers(alone(points, seed=4)), numbers(alone(points, seed=4)))


def numbers(answer: Any) -> NDArray[np.float32]:
    if isinstance(answer, ct.PointCloud):
        return answer.positions
    order = [answer.classes.index(name) for name in CLASSES]
    return np.concatenate([answer.probabilities[order], answer.foreground])


@pytest.mark.parametrize("factor", [0.001, 1, 39.37])
def test_units_and_place_do_not_matter_for_classes(weights: Weights, points: Points, factor: float) -> None:
    predictor = ct.Predictor.load(weights["classification"])
    moved = points.astype(np.float64) * factor + 5 * factor
    np.testing.assert_allclose(numbers(predictor(points)), numbers(predictor(moved)), atol=1e-4)


def test_weights_that_know_sizes_take_metres(weights: Weights, points: Points, tmp_path: Path) -> None:
    said = replace(PREPARATIONS["classification"], frame="data", scale=0.8)
    models.save(ct.load(weights["classification"]), tmp_path / "sized.safetensors", preparation=said)
    predictor = ct.Predictor.load(tmp_path / "sized.safetensors")
    found = numbers(predictor(points))
    np.testing.assert_allclose(found, numbers(predictor(points.astype(np.float64) + 5)), atol=1e-4)
    np.testing.assert_allclose(found, numbers(predictor(points.astype(np.float64) * 1000, scale=0.001)), atol=1e-4)
    assert not np.allclose(found, numbers(predictor(points * 2)), atol=1e-4)
    np.testing.assert_allclose(predictor.prepare(points).positions[0].mean(axis=0), 0, atol=1e-5)
    with pytest.raises(InputError, match=r"the cloud: measures 2,\d\d\d m from corner to corner.*\(--scale 0\.001"):
        predictor(points * 1000)


def test_weights_for_any_unit_take_no_scale(weights: Weights, points: Points) -> None:
    with pytest.raises(InputError, match="any unit: leave the scale out"):
        ct.Predictor.load(weights["classification"])(points, scale=0.001)


@pytest.mark.parametrize("up", UP)
def test_up_is_turned_in_and_back(weights: Weights, points: Points, up: str) -> None:
    turned = points @ up_rotation("y", up).T
    classifier = ct.Predictor.load(weights["classification"])
    np.testing.assert_allclose(numbers(classifier(points)), numbers(classifier(turned, up=up)), atol=1e-5)
    completer = ct.Predictor.load(weights["completion"])
    wanted = completer(points).positions @ up_rotation("y", up).T
    np.testing.assert_allclose(completer(turned, up=up).positions, wanted, atol=1e-4)


def test_turns_are_turns() -> None:
    for source, target in product(UP, UP):
        turn = up_rotation(source, target)
        np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-12)
        assert np.linalg.det(turn) == pytest.approx(1)
        if source[-1] != target[-1]:
            np.testing.assert_allclose(up_rotation(target, source) @ turn, np.eye(3), atol=1e-12)
        axis = np.eye(3)["xyz".index(source[-1])] * (-1 if source[0] == "-" else 1)
        aim = np.eye(3)["xyz".index(target[-1])] * (-1 if target[0] == "-" else 1)
        np.testing.assert_allclose(turn @ axis, aim, atol=1e-12)
    assert (up_rotation("z", "y") @ [1, 2, 3]).tolist() == [1, 3, -2]


def test_a_completed_cloud_is_where_its_part_was(weights: Weights, points: Points) -> None:
    predictor = ct.Predictor.load(weights["completion"])
    here = predictor(points)
    assert here.positions.shape == (96, 3)
    far = predictor(cloud(points * 1000, offset=np.array([4.5e6, 3.2e5, 100.0])))
    np.testing.assert_allclose(far.positions, here.positions * 1000, rtol=1e-3, atol=0.5)
    assert far.offset.tolist() == [4.5e6, 3.2e5, 100.0]
    world = predictor(points.astype(np.float64) * 1000 + [4.5e6, 3.2e5, 100.0])
    np.testing.assert_allclose(world.world, far.world, atol=0.5)


def test_the_training_frame_can_be_kept(weights: Weights, points: Points) -> None:
    predictor = ct.Predictor.load(weights["completion"])
    low, high = points.min(axis=0), points.max(axis=0)
    boxed = (points - (low + high) / 2) / np.linalg.norm(high - low)
    np.testing.assert_allclose(predictor(boxed, as_is=True).positions, predictor(boxed).positions, atol=1e-5)
    shifted = predictor(boxed + 0.2, as_is=True).positions
    assert np.abs(shifted - predictor(boxed + 0.2).positions).max() > 1e-3
    np.testing.assert_allclose(predictor((boxed + 0.2) / 10, as_is=True, scale=10).positions * 10, shifted, atol=1e-4)
    with pytest.raises(InputError, match="as_is"):
        predictor(boxed, scale=10)


def test_the_frame_of_the_weights_decides_and_is_said(weights: Weights, points: Points) -> None:
    """Weights that were trained in their data's coordinates get clouds as they are, unless told otherwise."""
    path, (boxed, other) = weights["completion"], (PREPARATIONS["completion"], points + 0.3)
    in_data = ct.Predictor.load(path, preparation=replace(boxed, frame="data"))
    by_box = ct.Predictor.load(path)
    np.testing.assert_array_equal(in_data(other).positions, by_box(other, as_is=True).positions)
    np.testing.assert_array_equal(in_data(other, as_is=False).positions, by_box(other).positions)
    assert np.abs(in_data(other).positions - by_box(other).positions).max() > 1e-3
    np.testing.assert_allclose(in_data(other / 10, scale=10).positions * 10, in_data(other).positions, atol=1e-4)
    assert ["taken as it is" in str(predictor(other).metadata["notes"]) for predictor in (in_data, by_box)] == [
        True,
        False,
    ]
    assert "taken as it is" not in str(in_data(other, as_is=True).metadata["notes"])  # nobody needs to be told


@pytest.mark.parametrize(
    ("recipe", "frame"),
    [("completion full", "data"), ("completion tiny, started from run", "data"), ("completion small", "partial"),
     ("own-completion full", "partial"), ("", "partial")],
)  # fmt: skip
def test_files_of_before_are_used_as_they_were_trained(recipe: str, frame: str) -> None:
    stored = json.loads(replace(PREPARATIONS["completion"], recipe=recipe).to_json())
    read = preparation_from_json(json.dumps(stored), "here")
    assert (read.frame, read.repeat) == ("partial", False)
    del stored["frame"], stored["repeat"]
    read = preparation_from_json(json.dumps(stored), "here")
    assert (read.frame, read.repeat) == (frame, True)


def test_the_completer_in_the_box_is_used_as_it_was_trained() -> None:
    boxed = ct.Predictor.load("completer-small").preparation
    assert (boxed.frame, boxed.repeat, boxed.points, boxed.num_points) == ("partial", False, 2048, 4096)
    made = recipe("completion", "small").preparation(())
    assert replace(boxed, recipe="", data="") == replace(made, recipe="", data="")


def test_observed_points_can_be_kept(weights: Weights, points: Points) -> None:
    predictor = ct.Predictor.load(weights["completion"])
    answer = predictor(points, keep_observed=True, num_points=128)
    assert answer.fields["observed"].tolist() == [1] * 200 + [0] * 128
    assert (answer.positions[:200] == points).all()
    with pytest.raises(InputError, match="at least as many"):
        predictor(points, num_points=10)


def test_points_that_are_not_finite_are_left_out_and_counted(weights: Weights, points: Points) -> None:
    broken = np.insert(points, [0, 100], [[np.nan, 0, 0], [0, np.inf, 0]], axis=0)
    answer = ct.Predictor.load(weights["classification"])(broken)
    clean = ct.Predictor.load(weights["classification"])(points)
    assert answer.notes == ("2 points were left out: a coordinate is NaN or infinite",)
    assert np.flatnonzero(np.isnan(answer.foreground)).tolist() == [0, 101]
    assert not answer.mask[0]
    np.testing.assert_array_equal(answer.foreground[[*range(1, 101), *range(102, 202)]], clean.foreground)
    completed = ct.Predictor.load(weights["completion"])(broken)
    assert completed.metadata["notes"] == answer.notes


@pytest.mark.parametrize("task", ["classification", "completion"])
@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        (np.zeros((0, 3)), "holds no points"),
        (np.zeros((1, 3)), "holds a single point"),
        (np.eye(3)[:2], "holds 2 points, too few to tell a shape by"),
        (np.ones((50, 3)), "lie at one place"),
        (np.full((3, 3), np.nan), "all of its 3 points have a NaN"),
        (np.zeros((5, 4)), r"array \[N, 3\]"),
        (np.array([["a", "b", "c"]]), r"array \[N, 3\]"),
        ("scan.ply", "read it first"),
    ],
)
def test_what_has_no_shape_is_one_sentence(weights: Weights, task: str, bad: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        ct.Predictor.load(weights[task])(bad)


def test_unknown_options_of_loading_are_named(weights: Weights) -> None:
    with pytest.raises(TypeError, match="there is no option presicion"):
        ct.Predictor.load(weights["classification"], presicion="bfloat16")  # type: ignore[call-arg]


def test_as_many_points_as_in_training_are_not_few(weights: Weights, points: Points) -> None:
    predictor = ct.Predictor.load(weights["classification"])
    assert not predictor(points[: predictor.preparation.points]).notes


@pytest.mark.parametrize("task", ["classification", "completion"])
def test_few_points_are_said(weights: Weights, points: Points, task: str) -> None:
    predictor = ct.Predictor.load(weights[task])
    answer = predictor(points[:7])
    wanted, (note,) = predictor.preparation.points, (answer.metadata["notes"] if task == "completion" else answer.notes)
    assert (
        note
        == {
            "classification": f"has 7 points where the model wants {wanted}: some were taken more than once",
            "completion": f"has 7 points where the model was trained with {wanted}: its answer may be coarser",
        }[task]
    )


def test_a_short_partial_cloud_is_observed_as_it_is(weights: Weights, points: Points) -> None:
    """Its points are neither repeated nor joined by others: the rest of the answer starts on the sphere."""
    predictor = ct.Predictor.load(weights["completion"])
    seen: dict[str, Any] = {}
    encode, decode = predictor.model.encode, predictor.model.decode
    predictor.model.encode = lambda partial, mask=None: seen.update(mask=mask, partial=partial) or encode(partial, mask)
    predictor.model.decode = lambda style, inputs: seen.update(inputs=inputs) or decode(style, inputs)
    predictor.many([points[:7], points])
    assert seen["mask"].sum(1).tolist() == [7, 48]
    assert seen["inputs"][..., 3].sum(1).tolist() == [7, 48]
    np.testing.assert_allclose(np.linalg.norm(seen["inputs"][0, 7:, :3], axis=1), 1, atol=1e-5)
    assert len(np.unique(seen["inputs"][0, :7, :3], axis=0)) == 7


def test_weights_that_learned_from_repeated_points_get_them(weights: Weights, points: Points) -> None:
    preparation = replace(PREPARATIONS["completion"], repeat=True)
    predictor = ct.Predictor.load(weights["completion"], preparation=preparation)
    observed = predictor.prepare(points[:7])
    assert observed.positions.shape == (48, 3)
    assert len(np.unique(observed.positions, axis=0)) == 7
    assert "taken more than once" in observed.notes[0]


def test_votes_are_averaged(weights: Weights, points: Points) -> None:
    predictor = ct.Predictor.load(weights["classification"])
    drawn = predictor.prepare(points, votes=5)
    assert [len(rows) for rows in drawn.rows] == [64] * 5
    pairs = zip(drawn.positions, drawn.rows, strict=True)
    single = [predictor.score([replace(drawn, positions=[draw], rows=[rows])])[0] for draw, rows in pairs]
    mean = np.mean([numbers(each)[: len(CLASSES)] for each in single], axis=0)
    np.testing.assert_allclose(numbers(predictor(points, votes=5))[: len(CLASSES)], mean, atol=1e-5)
    assert len(predictor.prepare(points[:64], votes=5).rows) == 1
    assert len(predictor.prepare(points).rows) == 3  # as the help of the verb says
    with pytest.raises(InputError, match="votes"):
        predictor(points, votes=0)


def test_turned_looks_are_averaged(weights: Weights, points: Points) -> None:
    predictor = ct.Predictor.load(weights["classification"])
    up = "xyz".index(predictor.preparation.up)
    once, drawn = predictor.prepare(points, votes=1), predictor.prepare(points, votes=1, turns=4)
    assert len(drawn.positions) == len(drawn.rows) == 4
    np.testing.assert_array_equal(drawn.positions[0], once.positions[0])
    for look, quarter in enumerate(drawn.positions):
        np.testing.assert_array_equal(quarter[:, up], once.positions[0][:, up])
        sign = (-1) ** (look // 2)  # after a quarter the first of the other axes is the second one, negated
        a, b = (up + 1) % 3, (up + 2) % 3
        expected = once.positions[0][:, [a, b]] if look % 2 == 0 else once.positions[0][:, [b, a]] * [-1, 1]
        np.testing.assert_allclose(quarter[:, [a, b]], sign * expected, atol=1e-6)
    single = [predictor.score([replace(once, positions=[look])])[0] for look in drawn.positions]
    mean = np.mean([numbers(each)[: len(CLASSES)] for each in single], axis=0)
    np.testing.assert_allclose(numbers(predictor(points, votes=1, turns=4))[: len(CLASSES)], mean, atol=1e-5)
    assert len(once.rows) == 1  # these weights say nothing
    predictor.preparation = replace(predictor.preparation, turns=3)
    assert len(predictor.prepare(points, votes=2).rows) == 6
    assert len(predictor.prepare(points, votes=2, turns=1).rows) == 2
    with pytest.raises(InputError, match="turns must be at least 1"):
        predictor(points, turns=0)


def test_a_model_without_a_mask_head_has_no_foreground(tmp_path: Path, points: Points) -> None:
    model = models.classifier("tiny", num_classes=len(CLASSES), mask_head=False)
    models.save(model, tmp_path / "a.safetensors", preparation=PREPARATIONS["classification"])
    answer = ct.Predictor.load(tmp_path / "a.safetensors")(points)
    assert answer.foreground is None
    assert answer.mask is None


def test_an_answer_is_shown_with_its_three_best_classes_and_how_sure_each_point_is(points: Points) -> None:
    share = np.array([0.9, 0.2, np.nan, 0.6], np.float32)
    answer = Classification(
        classes=("bag", "bin", "box", "chair"),
        probabilities=np.array([0.4, 0.3, 0.2, 0.1], np.float32),
        foreground=share,
        notes=("a note",),
        cloud=cloud(points[:3]),
    )
    scene = answer.show("thing.ply").scene
    assert scene.title == "thing.ply: bag"
    assert scene.notes == ("bag 40 %, bin 30 %, box 20 %", "a note")
    assert scene.classes == ("surroundings", "object")
    shown = scene.clouds[0]
    assert shown.label is not None
    assert shown.label.tolist() == [1, 0, 1]
    np.testing.assert_allclose(shown.confidence, [0.9, 0.8, 0.6], rtol=1e-6)


def test_files_that_contradict_themselves_are_refused(tmp_path: Path, weights: Weights) -> None:
    path = tmp_path / "a.safetensors"
    model = models.load(weights["classification"])
    for preparation, sentence in [
        (PREPARATIONS["completion"], "completion with a classifier"),
        (replace(PREPARATIONS["classification"], classes=("one",)), "1 class names for 5 classes"),
    ]:
        models.save(model, path, preparation=preparation)
        with pytest.raises(InputError, match=sentence):
            ct.Predictor.load(path)
    for points in (0, 97):
        odd = replace(PREPARATIONS["completion"], points=points)
        with pytest.raises(InputError, match=f"{points} points in and 96 out"):
            ct.Predictor.load(weights["completion"], preparation=odd)
    models.save(model, path)
    with pytest.raises(InputError, match="does not say what input"):
        ct.Predictor.load(path)
    assert ct.Predictor.load(path, preparation=PREPARATIONS["classification"]).classes == CLASSES


def test_an_unknown_device_is_one_sentence(weights: Weights) -> None:
    with pytest.raises(InputError, match="'abacus' cannot be used"):
        ct.Predictor.load(weights["classification"], device="abacus")
