"""The verbs from bucket to bucket: many files, scenes that change or are given up half way, weights behind a URL."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cloud_transformers as ct
from cloud_transformers.cli import main
from cloud_transformers.errors import InputError
from cloud_transformers.predict.scene.writing import LabelledFile
from cloud_transformers.remote import copies
from tests.predict.scene.scenes import ByHeight, room
from tests.predict.scene.test_streamed import segmented
from tests.remote.conftest import keys_of
from tests.remote.servers import S3Server, WebServer
from tests.safety.test_changing_input import Meddling


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache, in which work for URLs is kept; the kernels are where they were."""
    from cloud_transformers.predict.scene import streamed

    monkeypatch.setattr(streamed, "cache_root", lambda: tmp_path / "cache")
    return tmp_path / "cache"


def test_many_objects_are_answered_and_the_answered_are_spared(
    bucket: str,
    client: Any,
    weights: dict[str, Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    tiles = f"s3://{bucket}/tiles"
    for number in range(4):
        ct.write(f"{tiles}/{number}.ply", room(200, seed=number))
    client.put_object(Bucket=bucket, Key="tiles/bad.ply", Body=b"ply\nnonsense")
    model = f"s3://{bucket}/weights/classification.safetensors"
    client.upload_file(str(weights["classification"]), bucket, "weights/classification.safetensors")
    command = ["classify", f"{tiles}/*.ply", "-o", f"s3://{bucket}/out/", "--weights", model]
    assert main([*command, "--json", f"s3://{bucket}/all.json"]) == 1
    told = capsys.readouterr()
    assert f"cloudt: {tiles}/bad.ply: " in told.err
    assert f"{tiles}/3.ply" in told.out
    assert [key for key in keys_of(client, bucket) if key.startswith("out")] == [f"out/{n}.ply" for n in range(4)]
    report = json.loads(client.get_object(Bucket=bucket, Key="all.json")["Body"].read())
    assert report["weights"] == model
    assert [each["output"] for each in report["files"]] == [f"s3://{bucket}/out/{n}.ply" for n in range(4)]
    assert list(report["failed"]) == [f"{tiles}/bad.ply"]

    local = ct.Predictor.load(weights["classification"], task="classification")(room(200, seed=2), votes=3)
    assert report["files"][2]["class"] == local.label

    client.delete_object(Bucket=bucket, Key="tiles/bad.ply")
    assert main(command) == 2
    assert f"s3://{bucket}/out/0.ply (and 3 more): exists" in capsys.readouterr().err
    client.delete_object(Bucket=bucket, Key="out/1.ply")
    assert main([*command, "--skip-existing"]) == 0
    assert f"{tiles}/1.ply" in (out := capsys.readouterr().out)
    assert f"{tiles}/2.ply" not in out


def test_a_scene_is_segmented_from_bucket_to_bucket(
    bucket: str,
    client: Any,
    tmp_path: Path,
    cache: Path,
    weights: dict[str, Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    ct.write(tmp_path / "a.laz", room(3000))
    client.upload_file(str(tmp_path / "a.laz"), bucket, "a.laz")
    options = ["--weights", str(weights["segmentation"]), "--memory", "1GB"]
    assert main(["segment", f"s3://{bucket}/a.laz", "-o", f"s3://{bucket}/out.laz", *options]) == 0
    assert capsys.readouterr().out.startswith(f"s3://{bucket}/out.laz: 3,000 points")
    assert main(["segment", str(tmp_path / "a.laz"), "-o", str(tmp_path / "out.laz"), *options]) == 0
    assert client.get_object(Bucket=bucket, Key="out.laz")["Body"].read() == (tmp_path / "out.laz").read_bytes()
    assert not [each for each in (cache / "work").iterdir() if each.suffix != ".lock"]


@pytest.mark.parametrize("how", ["copied", "in ranges"])
@pytest.mark.parametrize(
    "deed",
    [
        lambda client, bucket: ct.write(f"s3://{bucket}/scene.las", room(3000, seed=1)),
        lambda client, bucket: client.delete_object(Bucket=bucket, Key="scene.las"),
    ],
    ids=["replaced", "removed"],
)
def test_an_object_that_changes_is_noticed_and_nothing_is_written(
    bucket: str, client: Any, deed: Callable[[Any, str], object], how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if how == "in ranges":
        monkeypatch.setattr(copies, "WORTH_RANGES", 0)
        monkeypatch.setattr(LabelledFile, "fits", lambda answer, few: False)
    ct.write(f"s3://{bucket}/scene.las", room(3000))
    with pytest.raises(InputError, match=rf"s3://{bucket}/scene.las: was changed, replaced or removed"):
        segmented(
            *(f"s3://{bucket}/scene.las", f"s3://{bucket}/out.las"),  # type: ignore[arg-type]
            scorer=Meddling(lambda: deed(client, bucket)),
        )
    assert "out.las" not in keys_of(client, bucket)


class GivesUp(ByHeight):
    """Answers a few times, and then not any more."""

    def __call__(self, positions: Any, features: Any) -> Any:
        if len(self.regions) > 40:
            raise KeyboardInterrupt
        return super().__call__(positions, features)


@pytest.mark.parametrize("suffix", [".las", ".ply"])
def test_work_that_was_given_up_goes_on_on_this_machine(
    bucket: str, client: Any, cache: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "WORTH_RANGES", 0)
    source, target = f"s3://{bucket}/scene{suffix}", f"s3://{bucket}/out{suffix}"
    ct.write(source, room(6000))
    told: dict[str, Any] = {"tile_points": 800}
    with pytest.raises(KeyboardInterrupt):
        segmented(source, target, scorer=GivesUp(), **told)  # type: ignore[arg-type]
    assert keys_of(client, bucket) == [f"scene{suffix}"]
    assert not client.list_multipart_uploads(Bucket=bucket).get("Uploads")
    assert any((cache / "work").iterdir())
    report = segmented(source, target, **told)  # type: ignore[arg-type]
    assert 0 < report.resumed_tiles < report.num_tiles
    whole = segmented(source, f"s3://{bucket}/other{suffix}", **told)  # type: ignore[arg-type]
    assert whole.resumed_tiles == 0
    one, other = (client.get_object(Bucket=bucket, Key=f"{name}{suffix}")["Body"].read() for name in ("out", "other"))
    assert one == other


def test_a_scene_of_a_web_server_without_versions_is_what_was_fetched(web: WebServer, tmp_path: Path) -> None:
    ct.write(tmp_path / "scene.ply", room(3000))
    web.files["/scene.ply"] = (tmp_path / "scene.ply").read_bytes()
    web.tags = web.ranges = False
    segmented(f"{web.url}/scene.ply", tmp_path / "out.ply")  # type: ignore[arg-type]
    segmented(tmp_path / "scene.ply", tmp_path / "same.ply")
    assert (tmp_path / "out.ply").read_bytes() == (tmp_path / "same.ply").read_bytes()
    assert sum(request.startswith("GET") for request in web.requests) == 1


def test_weights_behind_a_url_answer_as_those_on_disk(
    bucket: str,
    client: Any,
    weights: dict[str, Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    client.upload_file(str(weights["completion"]), bucket, "c.safetensors")
    cloud = room(100)
    near, far = (
        ct.Predictor.load(name, task="completion") for name in (weights["completion"], f"s3://{bucket}/c.safetensors")
    )
    np.testing.assert_array_equal(near(cloud).positions, far(cloud).positions)
    assert main(["info", f"s3://{bucket}/c.safetensors"]) == 0
    assert capsys.readouterr().out.startswith(f"s3://{bucket}/c.safetensors: weights")
    model = ct.load(f"s3://{bucket}/c.safetensors")
    ct.save(model, f"s3://{bucket}/copy.safetensors")
    assert "copy.safetensors" in keys_of(client, bucket)
    for name, complaint in [("none.safetensors", "there is no such file"), ("c", "name it whole")]:
        with pytest.raises(InputError, match=f"s3://{bucket}/{name}: .*{complaint}"):
            ct.Predictor.load(f"s3://{bucket}/{name}")


def test_pictures_and_pages_go_the_same_way(
    bucket: str,
    client: Any,
    weights: dict[str, Path],
    tmp_path: Path,
) -> None:
    from PIL import Image

    Image.new("RGB", (40, 40), "red").save(tmp_path / "a.png")
    client.upload_file(str(tmp_path / "a.png"), bucket, "pictures/a.png")
    told = ["--weights", str(weights["reconstruction"])]
    assert main(["reconstruct", f"s3://{bucket}/pictures", "-o", f"s3://{bucket}/clouds/", *told]) == 0
    assert "clouds/a.ply" in keys_of(client, bucket)
    assert main(["view", f"s3://{bucket}/clouds/a.ply", "-o", f"s3://{bucket}/page.html"]) == 0
    assert client.get_object(Bucket=bucket, Key="page.html")["Body"].read().startswith(b"<!")


def test_convert_goes_from_url_to_url_and_says_first_what_cannot_be(
    bucket: str, client: Any, s3: S3Server, web: WebServer, capsys: pytest.CaptureFixture[str]
) -> None:
    source = f"s3://{bucket}/a.ply"
    ct.write(source, room(50))
    assert main(["convert", source, f"s3://{bucket}/b.csv"]) == 0
    assert len(ct.read(f"s3://{bucket}/b.csv")) == 50
    s3.forget()
    for target, complaint in [
        (f"s3://{bucket}/b.csv", "exists; replace it with --force"),
        (f"s3://no-{bucket}/b.csv", "there is no such bucket"),
        (f"{web.url}/b.csv", "nothing can be written to a web server"),
    ]:
        assert main(["convert", source, target]) == 2
        assert complaint in capsys.readouterr().err
    assert not any("GET" in request and "a.ply" in request for request in s3.requests)


def test_what_needs_a_disk_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    place = "s3://key:pass@scans/data"
    for command in (
        ["data", "check", "folder", "s3://scans/data"],
        ["train", "own-segmentation", "--data", "s3://scans/data"],
        ["train", "scanobjectnn", "--size", "tiny", "--out", "s3://scans/data"],
        ["train", "scanobjectnn", "--size", "tiny", "--from", "s3://scans/data/w.safetensors"],
        ["serve", "--weights", "s3://scans/data/w.safetensors"],
        ["segment", "a.ply", "-o", "b.ply", "--work", "s3://scans/data"],
        ["data", "check", "folder", place],
    ):
        with suppress(SystemExit):  # argparse's way to say it
            assert main(command) == 2
        told = capsys.readouterr().err
        assert "s3://scans/data" in told
        assert "disk" in told or "credentials do not belong" in told
        assert "pass" not in told
