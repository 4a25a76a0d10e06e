"""What one training loop relies on: parts of a batch add up to the whole, and nothing depends on its neighbours."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from sklearn.metrics import accuracy_score, confusion_matrix

from cloud_transformers import models
from cloud_transformers.errors import InputError
from cloud_transformers.tasks import (
    Classification,
    Completion,
    Image,
    Reconstruction,
    Segmentation,
    SegmentationBatch,
    VoteTally,
)
from tests.tasks import made_up

CLASSES = ("a", "b", "c", "d")


def cases():
    torch.manual_seed(0)
    return {
        "segmentation": (Segmentation(), models.segmenter("tiny", 4), made_up.segmentation),
        "weighted": (
            Segmentation(class_weights=(1.0, 2.0, 0.5, 3.0), label_smoothing=0.1),
            models.segmenter("tiny", 4),
            made_up.segmentation,
        ),
        "classification": (Classification(), models.classifier("tiny", 4), made_up.classification),
        "no mask": (Classification(with_mask=False), models.classifier("tiny", 4), made_up.classification),
        "completion": (Completion(num_points=64, emd_steps=10), models.completer("tiny"), made_up.completion),
        "reconstruction": (
            Reconstruction(num_points=64, drawn=64, score_emd=True),
            models.reconstructor("tiny"),
            made_up.reconstruction,
        ),
        "distances": (
            Reconstruction(num_points=64, drawn=64, linear=2.0),
            models.reconstructor("tiny"),
            made_up.reconstruction,
        ),
    }


@pytest.fixture(params=cases())
def case(request):
    task, model, make = cases()[request.param]
    return task, model.eval(), made_up.items(make, 5)


def total(task, predictions, batches, step=0):
    """The loss of several batches as if they were one: each mean counts by what it is a mean over."""
    counts = {}
    for batch in batches:
        for name, count in task.counts(batch).items():
            counts[name] = counts.get(name, 0) + count
    loss = 0
    for prediction, batch in zip(predictions, batches, strict=True):
        for name, term in task.loss(prediction, batch, step).items():
            loss = loss + term.share * term.value * task.counts(batch)[name] / counts[name]
    return loss


def test_losses_of_parts_add_up_to_the_loss_of_the_whole(case):
    """Parts are scored by the rows of the whole's predictions: a model's own predictions for a part may differ in
    rounding, and then the partners of EMD's matching, which no tolerance of a loss covers."""
    task, model, items = case
    batch = task.collate(items)
    prediction = task.forward(model, batch)
    parts, predictions = [], []
    for chosen in (slice(2), slice(2, None)):
        parts.append(task.collate(items[chosen]))
        predictions.append(_rows_like(prediction, task.forward(model, parts[-1]), chosen))
    whole = total(task, [prediction], [batch])
    torch.testing.assert_close(total(task, predictions, parts), whole, rtol=1e-5, atol=1e-6)
    assert whole.requires_grad
    assert torch.isfinite(whole)


def test_merged_tallies_say_what_one_would_have_said(case):
    task, model, items = case
    with torch.inference_mode():
        whole, left, right = (task.tally(CLASSES) for _ in range(3))
        for tally, chosen in ((whole, items), (left, items[3:]), (right, items[:3])):
            for item in chosen:
                batch = task.collate([item])
                tally.update(task.predict(model, batch), batch)
    left.merge(right)
    assert [score.as_record() for score in left.scores()] == [score.as_record() for score in whole.scores()]
    assert left.details() == whole.details()
    assert left.quality() == whole.quality()


def test_answers_do_not_depend_on_the_neighbours_in_a_batch(case):
    task, model, items = case
    with torch.inference_mode():
        alone = task.predict(model, task.collate(items[1:2]))
        together = task.predict(model, task.collate(items))
    _rows_like(together, alone, slice(1, 2))


def _rows_like(prediction, own, chosen):
    """The chosen rows of a prediction without the padding that their `own` has not, which must be close to that."""
    if isinstance(prediction, tuple):
        return tuple(_rows_like(*both, chosen) for both in zip(prediction, own, strict=True))
    rows = prediction[chosen, : own.shape[1]]
    torch.testing.assert_close(rows, own, rtol=1e-4, atol=1e-5)
    return rows


def test_pictures_show_real_points_only(case):
    task, model, items = case
    with torch.inference_mode():
        batch = task.collate(items)
        prediction = task.predict(model, batch)
        panels = task.panels(prediction, batch, 0, CLASSES)
        tally = task.tally(CLASSES)
        tally.update(prediction, batch)
    assert panels
    assert {panel.title for panel in panels} & {"truth", "object, truth", "cloud"}
    assert set(tally.quality()) == set(batch.numbers)
    assert all(tally.caption(number) for number in batch.numbers)
    for panel in panels:
        if isinstance(panel, Image):
            assert panel.pixels.shape == (32, 32, 3)
            np.testing.assert_array_equal(panel.pixels, items[0].sample.image)  # as it was before it was normalised
            continue
        assert len(panel.cloud) > 0
        assert panel.field != "label" or panel.cloud.fields["label"].max() < len(panel.names)
        assert panel.field is None or panel.field in panel.cloud.fields


def watched(model, monkeypatch):
    """What goes into the decoder, pass by pass; its answer is the points that it was given."""
    inputs = []
    monkeypatch.setattr(model, "decode", lambda style, points: inputs.append(points) or points[..., :3])
    return inputs


def test_completion_is_twice_as_large_inside_and_as_given_outside(monkeypatch):
    task, model, make = cases()["completion"]
    batch = task.collate(made_up.items(make, 3))
    inputs = watched(model, monkeypatch)
    encoded = []
    encode = model.encode
    monkeypatch.setattr(model, "encode", lambda partial, mask=None: encoded.append(partial) or encode(partial, mask))
    prediction = task.forward(model, batch)
    for row, seen in enumerate(batch.mask):
        num = int(seen.sum())
        torch.testing.assert_close(encoded[0][row][seen], 2 * batch.partial[row][seen])
        torch.testing.assert_close(inputs[0][row, :num, :3], 2 * batch.partial[row][seen])
        torch.testing.assert_close(prediction[row, :num], batch.partial[row][seen])
        torch.testing.assert_close(prediction[row, num:].norm(dim=1), torch.full((64 - num,), 0.5))  # of the sphere
        assert inputs[0][row, :, 3].tolist() == [1] * num + [0] * (64 - num)


def test_the_completion_loss_looks_both_ways_and_at_its_own_scale():
    task = Completion(num_points=4, emd_steps=10)
    truth = torch.tensor([[0.0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]])[None]
    prediction = torch.tensor([[0.0, 0, 0], [0, 0, 0], [3, 0, 0], [3, 0, 0]])[None]
    batch = replace(task.collate(made_up.items(made_up.completion, 1)), complete=truth)
    # Every predicted point lies on a true one, but two true ones are 1 away from all that is predicted.
    terms = task.loss(prediction, batch, 0)
    assert terms["Chamfer"].value.item() == pytest.approx(0.5)
    assert terms["EMD"].value.item() == pytest.approx(0.5)
    assert task.loss(truth[:, [0, 0, 0, 0]], replace(batch, complete=prediction), 0)["Chamfer"].value.item() == 4.5
    doubled = replace(task, loss_scale=2.0).loss(prediction, batch, 0)
    assert doubled["Chamfer"].value.item() == pytest.approx(4 * 0.5)
    assert doubled["EMD"].value.item() == pytest.approx(2 * 0.5)
    with_distances = replace(task, linear=0.1).loss(prediction, batch, 0)
    assert with_distances["Chamfer"] == terms["Chamfer"]
    assert with_distances["distance"].value.item() == pytest.approx(0.1 * 0.5)


def test_every_pass_of_reconstruction_starts_from_points_of_its_own(monkeypatch):
    task, model, make = cases()["reconstruction"]
    batch = task.collate(made_up.items(make, 2))
    inputs = watched(model, monkeypatch)
    answer = replace(task, passes=2, drawn=100).predict(model, batch)
    one, other = inputs
    assert one.shape == other.shape == (2, 64, 3)
    assert (torch.cdist(one, other) > 0).all()
    merged = torch.cat([one, other], dim=1)
    for row in range(2):  # drawn from both passes, none twice
        rows = torch.cdist(answer[row], merged[row]).argmin(dim=1)
        torch.testing.assert_close(merged[row][rows], answer[row])
        assert len(set(rows.tolist())) == 100
        assert 0 < (rows < 64).sum() < 100


def test_tables_have_f_and_distance_of_every_category_and_count_those_won():
    task = Completion(num_points=64)
    batch = task.collate(made_up.items(made_up.completion, 4))
    prediction = batch.complete.clone()  # F is 1 ...
    prediction[1] += 5  # ... but 0.5 in the second category
    tally = task.tally(CLASSES, rivals={"airplane": 0.9, "chair": 0.6, "lamp": 0.1})
    tally.update(prediction, batch)
    details = {score.name: score.value for score in tally.details()}
    assert details["F@0.01 airplane"] == 1
    assert details["F@0.01 chair"] == 0.5
    assert details["CD-L2 airplane"] == pytest.approx(0)
    assert len(details) == 4
    (won,) = (score for score in tally.scores() if score.name == "categories won")
    assert (won.value, won.unit) == (1, "of 2")
    assert "categories won" not in {score.name for score in task.tally(CLASSES).scores()}


def test_the_emd_term_ends_with_its_steps():
    task, model, make = cases()["completion"]
    batch = task.collate(made_up.items(make, 2))
    prediction = task.forward(model, batch)
    assert set(task.loss(prediction, batch, 9)) == {"EMD", "Chamfer"}
    assert set(task.loss(prediction, batch, 10)) == {"Chamfer"}


def test_emd_comes_with_its_gap_and_can_be_left_out():
    task, model, make = cases()["completion"]
    batch = task.collate(made_up.items(make, 3))
    with torch.inference_mode():
        prediction = task.predict(model, batch)
    for scored in (True, False):
        tally = replace(task, score_emd=scored).tally(CLASSES)
        tally.update(prediction, batch)
        scores = {score.name: score for score in tally.scores()}
        assert ("EMD" in scores) == ("EMD gap" in scores) == scored
    tally = task.tally(CLASSES)
    tally.update(prediction, batch)
    *_, emd, gap = tally.scores()
    assert (emd.name, gap.name) == ("EMD", "EMD gap")
    assert "mean over 2 clouds" in gap.definition


def test_captions_name_truth_and_answer():
    task = Classification(with_mask=False)
    batch = task.collate(made_up.items(made_up.classification, 2))
    truth = batch.labels.tolist()
    logits = torch.full((2, 4), -20.0)
    logits[0, truth[0]] = 20
    logits[1, (truth[1] + 1) % 4] = 20
    tally = task.tally(CLASSES)
    tally.update((logits, torch.zeros(batch.mask.shape)), batch)
    assert tally.caption(0) == f"true {CLASSES[truth[0]]}, predicted {CLASSES[truth[0]]} (100.0%)"
    assert tally.caption(1) == f"true {CLASSES[truth[1]]} (0.0%), predicted {CLASSES[(truth[1] + 1) % 4]} (100.0%)"


def test_accuracies_agree_with_scikit_learn():
    task = Classification()
    batch = task.collate(made_up.items(made_up.classification, 40))
    generator = torch.Generator().manual_seed(0)
    logits = torch.randn(40, 4, generator=generator), torch.randn(batch.mask.shape, generator=generator)
    tally = task.tally(CLASSES)
    tally.update(logits, batch)
    overall, _, mask = tally.scores()
    truth, answers = batch.labels.numpy(), logits[0].argmax(-1).numpy()
    assert overall.value == pytest.approx(100 * accuracy_score(truth, answers))
    assert (tally.confusion().counts.numpy() == confusion_matrix(truth, answers, labels=range(4))).all()
    points = batch.mask.numpy()
    assert mask.value == pytest.approx(
        100 * accuracy_score(batch.foreground.numpy()[points], (logits[1] > 0).numpy()[points])
    )


def test_votes_on_a_cloud_are_means_of_logits_and_count_once():
    task = Classification(with_mask=False)
    batch = task.collate(made_up.items(made_up.classification, 2))
    right, wrong = torch.nn.functional.one_hot(batch.labels, 4).float(), torch.zeros(2, 4)
    wrong[torch.arange(2), (batch.labels + 1) % 4] = torch.tensor([1.0, 4.0])  # weaker than 2, and stronger
    one, other = task.tally(CLASSES), task.tally(CLASSES)
    one.update((2 * right, None), batch)
    other.update((wrong, None), batch)
    one.merge(other)
    assert one.scores()[0].value == 50.0
    assert one.confusion().counts.sum() == 2
    chances = ((2 * right + wrong) / 2).softmax(-1)
    assert one.quality() == pytest.approx({row: float(chances[row, batch.labels[row]]) for row in range(2)})


def test_missing_fields_are_named():
    item = made_up.items(made_up.classification, 1)[0]
    bare = item._replace(
        sample=made_up.ClassificationSample(name="x", cloud=made_up.cloud(np.random.default_rng(0), 5), label=0)
    )
    with pytest.raises(InputError, match="no field 'mask'"):
        Classification().collate([bare])


class TwoRooms:
    """A scene of six thinned points, the last of which stands for two raw ones."""

    scenes = ("area",)

    def scene(self, name):
        return range(6)

    def projections(self, scene):
        index = np.array([0, 1, 2, 3, 4, 5, 5])
        label = np.array([0, 1, 0, 1, 0, 1, 0])
        yield type("Projection", (), {"label": label, "raw": staticmethod(lambda values: values[index])})()


def votes(indices, logits):
    num = len(indices)
    return torch.tensor([logits]), SegmentationBatch(
        numbers=(0,), names=("sphere",), seeds=(0,), positions=torch.zeros(1, num, 3), features=torch.zeros(1, num, 3),
        mask=torch.ones(1, num, dtype=torch.bool), labels=torch.zeros(1, num, dtype=torch.int64), scenes=("area",),
        index=torch.tensor([indices]),
    )  # fmt: skip


def test_votes_are_means_of_logits_and_count_raw_points():
    left, right = VoteTally(("x", "y"), TwoRooms()), VoteTally(("x", "y"), TwoRooms())
    left.update(*votes([0, 1, 2], [[2.0, 0.0], [0.0, 1.0], [0.0, 1.0]]))
    right.update(*votes([2, 3, 4, 5], [[3.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]))
    left.merge(right)
    # Point 2: (0, 1) and (3, 0) make class 0. All are right but the second raw point of thinned point 5.
    assert left.confusion().counts.tolist() == [[3, 1], [0, 3]]
    assert left.scores()[1].sample == "raw points"


def test_votes_of_one_tally_are_added_up():
    """Every sphere counts: the last one that shows a point does not decide alone."""
    tally = VoteTally(("x", "y"), TwoRooms())
    tally.update(*votes(range(6), [[5.0, 0.0]] * 6))
    tally.update(*votes(range(6), [[0.0, 1.0]] * 6))
    assert tally.confusion().counts.tolist() == [[4, 0], [3, 0]]
    assert tally.votes["area"].visits.tolist() == [2] * 6


def test_points_that_no_sphere_showed_are_an_error():
    tally = VoteTally(("x", "y"), TwoRooms())
    tally.update(*votes([0, 1, 2, 3, 4], [[1.0, 0.0]] * 5))
    with pytest.raises(InputError, match="2 raw points of area were in no sphere"):
        tally.scores()


def test_reconstruction_may_end_on_distances_alone():
    task = Reconstruction(num_points=64, drawn=64, linear=2.0, emd_steps=3)
    batch = task.collate(made_up.items(made_up.reconstruction, 2))
    moved = batch.cloud + torch.tensor([0.0, 0.0, 0.001])  # so little that nearest points are the points' own
    assert list(task.loss(moved, batch, step=2)) == ["EMD", "distance"]
    (alone,) = task.loss(moved, batch, step=3).values()
    torch.testing.assert_close(alone.value, torch.tensor(2.0 * 2 * 0.001), rtol=1e-3, atol=1e-6)
    assert list(Reconstruction().loss(moved, batch, step=10**6)) == ["EMD"]  # the paper's
    with pytest.raises(InputError, match="nothing left to learn from"):
        Reconstruction(emd_steps=3)


@pytest.mark.parametrize("with_mask", [True, False])
def test_a_thinned_batch_has_points_of_the_same_clouds_and_no_padding_before_them(with_mask):
    task = Classification(with_mask=with_mask)
    items = made_up.items(made_up.classification, 5)
    batch = task.collate(items)
    thinned = batch.thinned(0.5)
    assert thinned.positions.shape[1] == round(0.5 * batch.positions.shape[1])
    for row, item in enumerate(items):
        cloud = item.sample.cloud
        truth = dict(zip(map(tuple, cloud.positions.tolist()), cloud.fields["mask"].tolist(), strict=True))
        seen = thinned.mask[row]
        drawn = [tuple(point) for point in thinned.positions[row][seen].tolist()]
        assert len(set(drawn)) == len(drawn) == min(thinned.positions.shape[1], len(truth))
        assert set(drawn) <= set(truth)
        if with_mask:
            assert [truth[point] for point in drawn] == thinned.foreground[row][seen].tolist()
    assert torch.equal(thinned.labels, batch.labels)
