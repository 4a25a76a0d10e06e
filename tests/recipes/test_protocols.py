"""Recipes are wired as their protocols say: which split, which augmentation when, which votes, shares and lengths."""

import numpy as np
import pytest

from cloud_transformers import models
from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.scanobjectnn import ScanObjectNNSource
from cloud_transformers.errors import InputError
from cloud_transformers.models.trunk import Size
from cloud_transformers.recipes import from_configuration, recipe, with_settings
from cloud_transformers.recipes.recipe import Recipe
from tests.tasks import made_up

# Recipe -> layout, size of the world, settings with which every sample holds all of its points.
WHOLE = {
    "s3dis-blocks": ("s3dis", 6, {}),
    "scanobjectnn": ("scanobjectnn", 30, {}),
    "scanobjectnn-scales": ("scanobjectnn", 30, {}),
    "modelnet40": ("modelnet40", 80, {}),
    "completion": ("completion", 16, {"points": "16384"}),
    "reconstruction": ("reconstruction", 16, {}),
}
SPHERES = {"spheres": "12", "train_spheres": "12", "votes": "3", "radius": "1", "points": "512"}


@pytest.fixture
def opened(data):
    def open_(name: str, size: Size = "full", **settings: str) -> Recipe:
        layout, count, whole = WHOLE.get(name, ("s3dis", 6, SPHERES))
        folder = data(layout, count)
        folder = folder / "indoor3d_sem_seg_hdf5_data" if name == "s3dis-blocks" else folder
        return with_settings(recipe(name, size), {"folder": str(folder), **whole, **settings})

    return open_


def evaluated(chosen: Recipe):
    return chosen.data.protocol(chosen.task, batch_size=2, workers=0)


def clouds(sample) -> dict[str, PointCloud]:
    return {name: getattr(sample, name) for name in sample.CLOUDS}


def places(sample) -> dict[str, np.ndarray]:
    """The points of each cloud whatever their order: every axis sorted for itself."""
    return {name: np.sort(cloud.positions, axis=0) for name, cloud in clouds(sample).items()}


def is_test(name: str) -> bool:
    return any(word in name for word in ("test/", "test_", "data_test", "Area_5"))


@pytest.mark.parametrize("name", [*WHOLE, "s3dis-spheres"])
def test_scores_come_from_the_test_split_and_training_never_does(name, opened):
    chosen = opened(name)
    splits, protocol = chosen.data.splits(chosen.task, 0), evaluated(chosen)
    trained = {sample.name + getattr(sample, "scene", "") for sample in splits.train}
    scored = {sample.name + getattr(sample, "scene", "") for each in protocol.passes for sample in each.dataset}
    kept = {sample.name for sample in splits.validation} if splits.validation else set()
    assert all(map(is_test, scored))
    assert not any(map(is_test, trained | kept))
    assert scored


@pytest.mark.parametrize("name", WHOLE)
def test_only_training_is_augmented(name, opened):
    """A test sample is the same in every epoch, but for the order of its points; one of training is not."""
    chosen = opened(name)
    scored, trained = evaluated(chosen).passes[0].dataset, chosen.data.splits(chosen.task, 0).train
    for epoch in (0, 1, 2):
        for cloud, found in places(scored.sample(0, epoch)).items():
            np.testing.assert_allclose(found, places(scored.sample(0, 0))[cloud], atol=1e-5)
    if name == "reconstruction":  # its cloud cannot be turned without its picture
        return
    frames = [trained.sample(0, epoch).frame for epoch in range(8)]
    assert len({(*frame.matrix.round(9).flatten(), *frame.shift.round(9)) for frame in frames}) > 1


@pytest.mark.parametrize("name", ["scanobjectnn", "modelnet40"])
def test_scored_objects_are_the_stored_ones_in_the_unit_sphere(name, opened):
    dataset = evaluated(opened(name)).passes[0].dataset
    stored = dataset.source.read(0, np.random.default_rng(0), 0).cloud.positions.astype(np.float64)
    stored -= stored.mean(axis=0)
    stored /= np.linalg.norm(stored, axis=1).max()
    np.testing.assert_allclose(places(dataset[0])["cloud"], np.sort(stored, axis=0), atol=1e-5)


def test_the_first_vote_is_clean_and_the_others_are_augmented(opened):
    protocol = evaluated(opened("s3dis-spheres"))
    assert len(protocol.passes) == 3
    clean, *others = protocol.passes
    for number in range(6):
        stored = clean.dataset.source.read(number, np.random.default_rng(0), clean.epoch).cloud
        np.testing.assert_array_equal(clean.dataset.sample(number, clean.epoch).cloud.positions, stored.positions)
        for each in others:
            stored = each.dataset.source.read(number, np.random.default_rng(0), each.epoch).cloud
            changed = each.dataset.sample(number, each.epoch)
            assert np.abs(changed.cloud.positions - stored.positions).max() > 0.01
            assert np.abs(changed.frame.matrix - np.eye(3)).max() > 1e-3
            # The colours of a vote are those of the clean one: nothing is dropped.
            assert changed.cloud.fields["color"].any()


def test_votes_on_shapes_are_one_clean_and_others_scaled_by_axis(opened):
    assert "one vote" in evaluated(opened("modelnet40")).name
    protocol = evaluated(opened("modelnet40", votes="3"))
    assert "mean logits of 3 votes" in protocol.name
    clean, *others = (each.dataset.sample(0, each.epoch).cloud.positions for each in protocol.passes)
    factors = [np.sort(cloud, axis=0)[-1] / np.sort(clean, axis=0)[-1] for cloud in others]
    assert len({round(float(factor), 4) for row in factors for factor in row}) == 6
    assert all(0.8 <= factor <= 1.25 for row in factors for factor in row)
    with pytest.raises(InputError, match="votes must be at least 1, got 0"):
        evaluated(opened("modelnet40", votes="0"))


def test_votes_are_on_spheres_of_their_own(opened):
    protocol = evaluated(opened("s3dis-spheres"))
    shown = [
        [frozenset(each.dataset.sample(number, each.epoch).cloud.fields["index"].tolist()) for number in range(12)]
        for each in protocol.passes
    ]
    assert all(len(each.dataset) == 12 for each in protocol.passes)
    assert not set(shown[0]) & set(shown[1])
    assert not set(shown[1]) & set(shown[2])


def test_completion_mirrors_its_training_pairs_and_nothing_else(opened):
    chosen = opened("completion")
    train = chosen.data.splits(chosen.task, 0).train
    found = set()
    for number, epoch in np.ndindex(4, 10):
        sample, stored = train.sample(number, epoch), train.source.read(number, np.random.default_rng(0), epoch)
        signs = np.diag(sample.frame.matrix)
        np.testing.assert_array_equal(sample.frame.matrix, np.diag(signs))
        np.testing.assert_allclose(
            places(sample)["complete"], np.sort(stored.complete.positions * signs, axis=0), atol=1e-6
        )
        found.add(tuple(signs))
    assert found == {(x, 1, z) for x in (-1, 1) for z in (-1, 1)}
    assert recipe("completion", "small").data.mirror
    assert not recipe("completion", "tiny").data.mirror


def test_zoom_and_backdrops_are_for_training_pictures_alone(opened):
    chosen = opened("reconstruction", "small", zoom="0.5", backdrops="1", mirror="false", exposure="0")
    plain = opened("reconstruction", "small", mirror="false", exposure="0")
    train, still = (each.data.splits(each.task, 0).train for each in (chosen, plain))
    grounds, scales = set(), set()
    for number, epoch in np.ndindex(4, 5):
        sample, stored = train.sample(number, epoch), still.sample(number, epoch)
        assert sample.image.shape == stored.image.shape == (128, 128, 3)
        grounds.add(tuple(sample.image[0, 0]))
        scales.add(round(float(sample.frame.matrix[0, 0]), 2))
    assert len(grounds) > 10
    assert 0.5 <= min(scales) < 0.7 < 0.9 < max(scales) <= 1.1
    for one, other in zip(
        chosen.data.splits(chosen.task, 0).validation, plain.data.splits(plain.task, 0).validation, strict=True
    ):
        np.testing.assert_array_equal(one.image, other.image)
        np.testing.assert_array_equal(one.cloud.positions, other.cloud.positions)
    assert (chosen.preparation(()).framed, plain.preparation(()).framed) == (True, False)
    framed = opened("reconstruction", "small", frames="1", mirror="false", exposure="0")
    shown = framed.data.splits(framed.task, 0).train.sample(0, 0).image
    rows, columns, _ = np.nonzero(shown < 250)
    assert shown.shape == (128, 128, 3)
    assert max(np.ptp(rows), np.ptp(columns)) == pytest.approx(0.65 * 128, abs=4)
    assert framed.preparation(()).framed


def test_a_short_partial_cloud_is_not_made_longer(opened):
    chosen = opened("completion", points="100000", num_points="16384")
    dataset = evaluated(chosen).passes[0].dataset
    stored = dataset.source.read(0, np.random.default_rng(0), 0).partial
    assert len(dataset[0].partial) == len(stored) < 16384
    batch = chosen.task.collate(made_up.items(lambda rng, number: dataset[number], 1))
    assert batch.mask.sum() == len(stored)
    repeated = evaluated(opened("completion", points="16384", repeat="true")).passes[0].dataset[0].partial
    assert len(repeated) == 16384
    assert len(np.unique(repeated.positions, axis=0)) == len(np.unique(stored.positions, axis=0))


def test_the_frame_that_completion_is_trained_in_goes_into_the_weights():
    for size, frame in (("full", "data"), ("small", "partial"), ("tiny", "data")):
        assert recipe("completion", size).preparation(()).frame == frame
    assert recipe("own-completion", "small").preparation(()).frame == "partial"


@pytest.mark.parametrize("size", ["full", "small", "tiny"])
def test_class_and_mask_have_half_of_the_loss_each(size):
    task = recipe("scanobjectnn", size).task
    batch = task.collate(made_up.items(made_up.classification, 3))
    terms = task.loss(task.forward(models.classifier("tiny", 4), batch), batch, 0)
    assert {name: term.share for name, term in terms.items()} == {"class": 0.5, "mask": 0.5}


def test_full_completion_doubles_coordinates_in_the_loss_and_says_what_it_scores():
    assert recipe("completion").task.loss_scale == recipe("completion").task.scale == 2
    assert [recipe("completion", size).task.loss_scale for size in ("small", "tiny")] == [1, 1]


def test_categories_won_are_counted_as_the_paper_s_table_measures_and_never_on_the_world(opened):
    assert evaluated(opened("completion")).tally().rivals["lamp"] == 0.761
    assert not evaluated(opened("completion", frame="partial")).tally().rivals
    assert not evaluated(opened("completion", thresholds="0.02")).tally().rivals
    world = with_settings(recipe("completion", "tiny"), {"world_size": "8"})
    assert not evaluated(world).tally().rivals


@pytest.mark.parametrize(
    ("name", "epochs", "samples", "batch", "drops_last"),
    [
        ("s3dis-blocks", 1000, 16_733, 16, False),
        ("s3dis-spheres", 600, 2000, 12, True),
        ("scanobjectnn", 600, 11_416, 16, False),
        ("scanobjectnn-scales", 600, 11_416, 16, False),
    ],
)
def test_full_training_is_as_long_as_the_release_s(name, epochs, samples, batch, drops_last):
    training = recipe(name).training
    per_epoch = samples // batch if drops_last else -(-samples // batch)
    assert training.batch_size == batch
    assert training.steps == epochs * per_epoch


def test_copies_of_an_object_are_on_one_side_of_the_holdout(opened, monkeypatch):
    chosen = opened("scanobjectnn", holdout="0.3")
    copies = np.repeat(np.arange(6), 5)
    monkeypatch.setattr(ScanObjectNNSource, "objects", lambda self: copies)
    splits = chosen.data.splits(chosen.task, 0)
    trained, kept = set(copies[splits.train.rows]), set(copies[splits.validation.rows])
    assert not trained & kept
    assert trained | kept == set(range(6))
    assert len(kept) == 2


def test_a_full_reconstructor_without_imagenet_says_so_in_the_run_and_on_its_card(
    opened, tmp_path, capsys, monkeypatch
):
    from cloud_transformers.cli import main

    small = models.reconstructor("tiny")
    monkeypatch.setattr(models, "reconstructor", lambda **options: small)
    chosen = opened("reconstruction")
    words = f"num_points=32 drawn=40 pixels=32 steps=1 batch_size=2 validate_every=0 device=cpu --out {tmp_path}/run"
    assert main(["train", "reconstruction", "--data", chosen.data.folder, *words.split()]) == 0
    warned = [line for line in capsys.readouterr().err.splitlines() if line.startswith("warning: ")]
    assert len(warned) == 1
    assert "ImageNet" in warned[0]
    assert main(["evaluate", str(tmp_path / "run")]) == 0
    assert "note      the image trunk starts from random weights" in capsys.readouterr().out
    assert "ImageNet" in (tmp_path / "run/results.html").read_text()
    assert models.load_prepared(tmp_path / "run/weights.safetensors")[1].recipe.endswith("not from ImageNet")
    for size, settings in (("full", {"image_weights": "resnet50.pth"}), ("small", {}), ("tiny", {})):
        assert not with_settings(recipe("reconstruction", size), settings).warnings()


def test_small_sizes_keep_what_they_were_measured_with():
    """The release's choices are the default of `full`; the small sizes say what they leave out."""
    for size in ("small", "tiny"):
        assert not recipe("s3dis-blocks", size).data.hue
        assert recipe("modelnet40", size).data.augmentation == "stretch"
        assert recipe("reconstruction", size).data.alpha == "white"
    assert recipe("s3dis-blocks").data.hue
    assert recipe("modelnet40").data.augmentation == "pointnet++"
    assert recipe("reconstruction").data.alpha == recipe("reconstruction").preparation(()).alpha == "dropped"


def test_what_an_old_configuration_does_not_say_is_as_its_size_has_it():
    old = recipe("completion", "tiny").configuration()
    del old["data"]["mirror"], old["task"]["loss_scale"]
    assert from_configuration(old, "run") == recipe("completion", "tiny")


@pytest.mark.parametrize("name", ["completion", "own-completion"])
def test_a_run_of_a_small_completer_that_placed_its_points_goes_on_placing_them(name):
    now = recipe(name, "small")
    old = now.configuration()
    for group, setting in (("model", "moves"), ("model", "style_channels"), ("task", "linear"), ("data", "drawn")):
        del old[group][setting]
    then = from_configuration(old, "run")
    assert (then.model.moves, then.model.style_channels, then.task.linear, then.data.drawn) == (False, 48, 0, None)
    assert from_configuration(now.configuration(), "run") == now


@pytest.mark.parametrize(
    ("group", "option", "before"),
    [("model", "max_and_mean", False), ("model", "surroundings", False), ("training", "points_at_first", 1.0)],
)
def test_a_run_of_a_small_classifier_without_an_option_goes_on_without(group, option, before):
    old = recipe("modelnet40", "small").configuration()
    assert old[group].pop(option) != before
    assert getattr(getattr(from_configuration(old, "run"), group), option) == before


def test_training_draws_fewer_points_than_are_scored(opened):
    chosen = opened("completion", "tiny", points="300", num_points="400", drawn="60", predicted="90", truth="200")
    splits = chosen.data.splits(chosen.task, 0)
    counts = [(len(sample.partial), len(sample.complete)) for sample in (splits.train[0], splits.validation[0])]
    assert counts == [(60, 200), (300, 400)]
    model = chosen.model.build(chosen.task, 0)
    batch = chosen.task.collate(made_up.items(lambda rng, number: splits.train[number], 2))
    assert chosen.task.forward(model.train(), batch).shape[1] == 90
    assert chosen.task.forward(model.eval(), batch).shape[1] == 400


def test_a_share_of_the_training_pairs_is_turned_by_quarters_and_all_are_stretched(opened):
    chosen = opened("completion", "tiny", turn="180", quarter="0.5", stretch="0.2", mirror="false")
    train = chosen.data.splits(chosen.task, 0).train
    matrices = np.array([train.sample(0, epoch).frame.matrix for epoch in range(60)])
    along = (np.abs(matrices) > 1e-6).sum(axis=(1, 2)) == 3
    assert 15 < along.sum() < 45
    lengths = np.linalg.norm(matrices, axis=1)  # how much each axis of the file is stretched
    assert ((lengths > 0.8 - 1e-6) & (lengths < 1.2 + 1e-6)).all()
    assert len(np.unique(lengths.round(6))) > 100
