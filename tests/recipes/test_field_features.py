"""Fields of the user's files as features: learned from, kept in the weights, and the same on every way to the model."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from cloud_transformers.cli import main
from cloud_transformers.cloud import PointCloud
from cloud_transformers.cloud.channels import channels, standardized
from cloud_transformers.errors import InputError
from cloud_transformers.io import read, write
from cloud_transformers.models import Preparation, load_prepared
from cloud_transformers.predict import Predictor
from cloud_transformers.predict.scene import SceneSettings, memory_budget, segment_cloud, segment_file
from cloud_transformers.recipes import recipe, with_settings
from tests.recipes import own_folders

BRIGHT = 3000.0  # the intensity from which on a point of these scans is paint


def painted(rng: np.random.Generator, num: int = 700) -> PointCloud:
    """A flat floor of concrete, label 1, with points of paint, label 2, that only their intensity tells."""
    is_paint = rng.random(num) < 0.5
    intensity = np.where(is_paint, rng.uniform(3200, 4000, num), rng.uniform(1000, 2800, num))
    return PointCloud(
        positions=(rng.uniform(0, 1, (num, 3)) * (3, 2, 0.01)).astype(np.float32),
        fields={
            "label": np.where(is_paint, 2, 1).astype(np.uint8),
            "intensity": intensity.astype(np.uint16),
            "return_number": rng.integers(1, 4, num).astype(np.uint8),
            "gps_time": 3e8 + rng.random(num),
        },
        offset=np.array([500000.0, 4100000.0, 100.0]),
    )


def painted_scans(root: Path) -> Path:
    """Whose fields are in another order in every format."""
    rng = np.random.default_rng(0)
    for split, suffixes in {"train": (".ply", ".las", ".npz", ".xyz"), "val": (".las",), "test": (".las",)}.items():
        for suffix in suffixes:
            own_folders.put(root / split / f"a{suffix}", painted(rng))
    return root


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The folder, and a run on it."""
    root = tmp_path_factory.mktemp("painted")
    mine, run = painted_scans(root / "mine"), root / "run"
    words = ["--size", "tiny", "steps=80", "points=128", "batch_size=8", "crops=20", "device=cpu", "validate_every=80"]
    chosen = ["features=intensity,return_number", "learning_rate=0.01", *words]
    assert main(["train", "own-segmentation", "--data", str(mine), *chosen, "--out", str(run)]) == 0
    return mine, run


def accuracy(found: NDArray[np.integer], cloud: PointCloud) -> float:
    return float((found == cloud.fields["label"]).mean())


def test_what_only_the_intensity_tells_is_learned_and_found_in_any_file(trained, tmp_path, capsys) -> None:
    mine, run = trained
    said = load_prepared(run / "weights.safetensors")[1]
    assert said.features == ("intensity", "return_number")
    clouds = [read(path) for path in sorted((mine / "train").iterdir())]
    together = np.concatenate([cloud["intensity"] for cloud in clouds]).astype(np.float64)
    np.testing.assert_allclose(said.field_mean[0], together.mean(), rtol=1e-5)
    np.testing.assert_allclose(said.field_std[0], together.std(), rtol=1e-5)
    unseen = painted(np.random.default_rng(9), 900)
    fields = dict(reversed(unseen.fields.items()))  # in another order
    for suffix in (".las", ".ply", ".csv"):
        file = tmp_path / f"scan{suffix}"
        write(file, replace(unseen, fields=fields))
        out = tmp_path / f"out{suffix}"
        assert main(["segment", str(file), "--weights", str(run), "-o", str(out), "--scale", "1", "--cell", "0"]) == 0
        assert accuracy(read(out)["label"], unseen) > 0.95
    predictor = Predictor.load(run, task="segmentation")
    in_memory = predictor(unseen, scale=1.0, cell=0.0)
    assert accuracy(in_memory.cloud["label"], unseen) > 0.95
    # Values of another file's unit are told of, and a file without the field is one sentence.
    far = unseen.with_fields(intensity=unseen["intensity"].astype(np.float32) / 65535)
    notes = " ".join(predictor(unseen, scale=1.0).notes)
    assert "deviations" not in notes
    assert "its intensity is on average" not in notes
    assert "deviations below that of the training" in " ".join(
        predictor(far.with_fields(intensity=far["intensity"] - 9000), scale=1.0).notes
    )
    with pytest.raises(InputError, match="has no field 'return_number'"):
        predictor(PointCloud(positions=unseen.positions, fields={"intensity": unseen["intensity"]}), scale=1.0)


def test_evaluation_elsewhere_has_the_statistics_of_the_weights(trained, tmp_path, capsys) -> None:
    mine, run = trained
    assert main(["evaluate", str(run)]) == 0
    other = tmp_path / "other"
    (other / "train").mkdir(parents=True)
    shutil.copytree(mine / "test", other / "test")
    rng = np.random.default_rng(4)
    own_folders.put(other / "train" / "a.las", painted(rng).with_fields(intensity=np.full(700, 7, np.uint16)))
    file = shutil.copy(run / "weights.safetensors", tmp_path / "w.safetensors")
    capsys.readouterr()
    words = ["--recipe", "own-segmentation", "--size", "tiny", "--data", str(other), "points=128", "device=cpu"]
    assert main(["evaluate", str(file), *words]) == 0, capsys.readouterr().err
    shown = capsys.readouterr().out
    assert float(shown.partition("OA ")[2].split()[0]) > 95, shown


def test_fields_travel_through_the_parts_and_tiles_of_a_large_scene(tmp_path, monkeypatch) -> None:
    """A scorer that answers by the intensity alone gives every point of a file in parts its own answer."""
    from cloud_transformers.predict.scene import source

    monkeypatch.setattr(source, "PART", 500)
    rng = np.random.default_rng(3)
    cloud = painted(rng, 4000)
    cloud = replace(cloud, positions=cloud.positions * np.float32([10, 10, 1]))
    write(tmp_path / "scan.las", cloud)
    said = Preparation(
        task="segmentation", classes=("concrete", "paint"), values=(1, 2), up="z",
        region="block", points=200, extent=3.0,
        features=("color", "intensity", "height", "gps_time"), field_mean=(2000.0, 3e8), field_std=(100.0, 1.0),
    )  # fmt: skip

    def by_intensity(positions, features):  # type: ignore[no-untyped-def]
        for channels_of_points in features:
            assert channels_of_points.shape[1] == 6
            assert ((channels_of_points[:, 5] >= 0) & (channels_of_points[:, 5] <= 1)).all()  # double precision is kept
        bright = [100 * each[:, 3] + 2000 > BRIGHT for each in features]
        return [np.stack([~each, each], axis=1).astype(np.float32) for each in bright]

    settings = SceneSettings(cell=0.0, scale=1.0)
    report = segment_file(
        *(tmp_path / "scan.las", tmp_path / "out.las", by_intensity, said),
        weights="none", budget=memory_budget("2GB"), settings=settings, tile_points=600,
    )  # fmt: skip
    assert report.num_tiles > 3
    assert accuracy(read(tmp_path / "out.las")["label"], cloud) == 1.0
    answers, _ = segment_cloud(cloud, by_intensity, said, settings)
    assert accuracy(np.array([1, 2])[answers.labels], cloud) == 1.0


@pytest.mark.parametrize("up", ["y", "z"])
def test_normals_turn_with_the_cloud_in_training_evaluation_and_prediction(up, tmp_path) -> None:
    """On planes of any slope, what the model gets for normals is perpendicular to what it gets for positions."""
    rng = np.random.default_rng(5)
    slope = np.array([0.3, 0.2, 0.0])

    def plane() -> PointCloud:
        ground = rng.uniform(0, 2, (400, 3)) * (1, 1, 0)
        positions = ground + np.outer(ground @ slope, (0, 0, 1))
        normal = np.tile((np.array([0, 0, 2.0]) - 2 * slope), (400, 1))
        if up == "y":
            positions, normal = (values[:, [0, 2, 1]] * (1, 1, -1) for values in (positions, normal))
        fields = {"label": rng.integers(0, 2, 400).astype(np.uint8), "normal": normal.astype(np.float32)}
        return PointCloud(positions=positions.astype(np.float32), fields=fields)

    for split in ("train", "val", "test"):
        own_folders.put(tmp_path / "mine" / split / "a.ply", plane())
    chosen = with_settings(
        recipe("own-segmentation", "tiny"),
        {"folder": str(tmp_path / "mine"), "up": up, "features": "normals", "jitter": 0.0, "points": 200},
    )
    splits = chosen.data.splits(chosen.task, 0)
    protocol = chosen.data.protocol(chosen.task, batch_size=2, workers=0)
    shown = [*splits.train, *splits.validation, *protocol.passes[0].dataset]
    pairs = [(sample.cloud.positions, sample.cloud.fields["normal"]) for sample in shown]

    def see(positions, features):  # type: ignore[no-untyped-def]
        pairs.extend(zip(positions, features, strict=True))
        return [np.zeros((len(each), 2), np.float32) for each in positions]

    said = chosen.preparation(("0", "1"))
    segment_cloud(plane(), see, said, SceneSettings(up=up, scale=1.0, cell=0.1, turns=4))
    assert len(pairs) > 4
    for positions, normals in pairs:
        centred = positions - positions.mean(axis=0)
        np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-5)
        np.testing.assert_allclose((centred * normals).sum(axis=1), 0, atol=1e-4)
        assert (normals[:, 2] > 0).all()


def test_fields_by_name() -> None:
    cloud = PointCloud(
        positions=np.zeros((3, 3), np.float32),
        fields={
            "wide": np.arange(6).reshape(3, 2),
            "Nx": np.array([3.0, 0, np.nan]), "Ny": np.zeros(3), "Nz": np.array([4.0, 0, 1]),
            "word": np.array(["a", "b", "c"]),
        },
    )  # fmt: skip
    assert channels(cloud, "wide[1]", "f").tolist() == [1, 3, 5]
    np.testing.assert_allclose(channels(cloud, "normal", "f"), [[0.6, 0, 0.8], [0, 0, 0], [0, 0, 0]])
    for name, text in {
        "wide": "2 channels: name those that are meant, wide\\[0\\]",
        "wide[2]": "there is no wide\\[2\\]",
        "depth": "f: has no field 'depth'.*fields: wide",
        "word": "not numbers",
    }.items():
        with pytest.raises(InputError, match=text):
            channels(cloud, name, "f")
    values = np.array([3e8 + 0.5, np.nan, np.inf])
    assert standardized(values, 3e8, 0.25).tolist() == [2.0, 0.0, 0.0]
