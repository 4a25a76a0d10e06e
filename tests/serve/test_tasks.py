"""The four tasks through a real server with tiny models: from files of many formats to answers in every format."""

import gzip
import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import cloud_transformers as ct
from cloud_transformers.io import writable_suffixes
from cloud_transformers.viewer.packing import MAGIC
from tests.serve.servers import Client, Server

TRIANGLE = b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 1\n3 0 1 2\n"


@pytest.fixture(scope="module")
def client(real: Server) -> Client:
    return real.client


def done(client: Client, content: bytes, **options: str) -> str:
    job = client.job(content, **options)
    last = client.finished(job)
    assert last["state"] == "done", last["message"]
    assert client.get(f"/api/jobs/{job}/scene").body.startswith(MAGIC)
    given = client.get(f"/api/jobs/{job}/preview")
    assert given.body.startswith(MAGIC) or "is a picture" in given.json["error"]
    blocks = client.get(f"/api/jobs/{job}/inspect").json["blocks"]
    assert all(0 < head["occupied"] <= 1 for block in blocks for head in block["heads"])
    assert len(blocks) >= 3
    assert client.get(f"/api/jobs/{job}/heads").body.startswith(MAGIC)
    folding, folds = client.get(f"/api/jobs/{job}/folding"), options.get("task") in ("completion", "reconstruction")
    assert folding.body.startswith(MAGIC) if folds else "folds no sphere" in folding.json["error"]
    return job


def scene_header(content: bytes) -> dict[str, Any]:
    start = len(MAGIC) + 4
    return json.loads(content[start : start + int.from_bytes(content[start - 4 : start], "little")])


def cloud_file(tmp_path: Path, points: NDArray[np.float32], suffix: str, **fields: NDArray[np.uint8]) -> bytes:
    path = tmp_path / f"cloud{suffix}"
    ct.write(path, ct.PointCloud(positions=points, fields=fields))
    return path.read_bytes()


def answer(client: Client, job: str, suffix: str, tmp_path: Path) -> ct.PointCloud:
    path = tmp_path / f"answer{suffix}"
    path.write_bytes(client.get(f"/api/jobs/{job}/answer/{suffix[1:]}").body)
    return ct.read(path)


def test_segmentation_answers_as_in_python_and_in_every_format(
    client: Client, weights: dict[str, Path], points: NDArray[np.float32], tmp_path: Path
) -> None:
    truth = (points[:, 2] > 0.1).astype(np.uint8)
    content = cloud_file(tmp_path, points, ".ply", label=truth)
    job = done(client, content, name="room.ply", weights="segmentation", up="z")
    expected = ct.Predictor.load(weights["segmentation"])(ct.PointCloud(positions=points)).labels
    result = client.get(f"/api/jobs/{job}/result").json
    assert [each["points"] for each in result["classes"]] == np.bincount(expected, minlength=2).tolist()
    header = client.get(f"/api/jobs/{job}/scene").body
    assert {"label", "truth", "confidence", "probabilities"} <= set(scene_header(header)["clouds"][0]["arrays"])
    for suffix in writable_suffixes():
        if suffix in (".xyzn", ".xyzrgb", ".pts"):  # text of fixed columns
            continue
        found = answer(client, job, suffix, tmp_path)
        np.testing.assert_array_equal(found["label"], expected, err_msg=suffix)
        np.testing.assert_allclose(found.world, points, atol=1e-3, err_msg=suffix)
    names = client.get(f"/api/jobs/{job}/answer/ply").body
    assert b"comment label 1 wall" in names


def test_classification_of_a_mesh(client: Client) -> None:
    job = done(client, TRIANGLE, name="triangle.off", task="classification", weights="classification")
    result = client.get(f"/api/jobs/{job}/result").json
    assert result["label"] == result["classes"][0]["name"]
    assert sum(each["probability"] for each in result["classes"]) == pytest.approx(1, abs=1e-5)
    assert any("1 faces" in note for note in result["notes"])
    assert any("y is taken to point up" in note for note in result["notes"])


@pytest.mark.parametrize("pack", [".gz", ".zip"])
def test_completion_of_a_packed_cloud(client: Client, points: NDArray[np.float32], tmp_path: Path, pack: str) -> None:
    content = cloud_file(tmp_path, points, ".csv")
    if pack == ".gz":
        packed = gzip.compress(content)
    else:
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as file:
            file.writestr("folder/cloud.csv", content)
        packed = archive.getvalue()
    job = done(client, packed, name=f"part.csv{pack}", task="completion", weights="completion")
    assert len(answer(client, job, ".npz", tmp_path)) == 96


def test_reconstruction_of_a_picture(client: Client, tmp_path: Path) -> None:
    picture = io.BytesIO()
    Image.new("RGB", (40, 30), "red").save(picture, "JPEG")
    job = done(client, picture.getvalue(), name="Photo.JPG", task="reconstruction", weights="reconstruction")
    assert len(answer(client, job, ".pcd", tmp_path)) == 80
    assert "not square" in client.get(f"/api/jobs/{job}/result").json["notes"][0]
    assert client.get(f"/api/jobs/{job}/input").body == picture.getvalue()


@pytest.mark.parametrize("sample", ["object", "partial", "picture"])
def test_samples_are_answered(client: Client, sample: str) -> None:
    task = next(each["task"] for each in client.get("/api/offer").json["samples"] if each["name"] == sample)
    job = client.ask("POST", f"/api/samples/{sample}?seed=3&weights={task}").json["id"]
    assert client.finished(job)["state"] == "done"


def failed(client: Client, content: bytes, name: str, **options: str) -> str:
    last = client.finished(client.job(content, name=name, **options))
    assert last["state"] == "failed"
    return str(last["message"])


def test_mistakes_name_the_users_file_and_not_the_servers(client: Client, real: Server) -> None:
    for content, name, reason in (
        (b"", "empty.xyz", "is empty"),
        (b"no numbers at all", "words.xyz", "words.xyz"),
        (os.urandom(200), "noise.laz", "noise.laz"),
        (b"0 0 0\n" * 5001, "many.xyz", "has 5,001 points, and this server takes 5,000"),
    ):
        message = failed(client, content, name, weights="segmentation")
        assert reason in message
        assert str(real.folder) not in message


def test_bombs_do_not_go_off(client: Client) -> None:
    """The server takes files of 1 MB: what is packed in one may not become more than 8."""
    bomb = gzip.compress(bytes(20 << 20))
    assert "too large" in failed(client, bomb, "bomb.xyz.gz", weights="segmentation").lower()
    picture = io.BytesIO()
    Image.new("1", (10001, 10000)).save(picture, "PNG")
    assert "pixels" in failed(client, picture.getvalue(), "bomb.png", task="reconstruction", weights="reconstruction")
    assert client.get("/api/health").status == 200
