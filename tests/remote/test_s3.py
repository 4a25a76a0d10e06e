"""Objects of an S3 server that is really asked: read, written, listed, refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cloud_transformers as ct
from cloud_transformers.cli.shared.many_files import find_files, plan
from cloud_transformers.errors import InputError
from cloud_transformers.remote import as_url, copies, located, sending
from tests.predict.scene.scenes import room
from tests.remote.conftest import SECRET, keys_of
from tests.remote.servers import S3Server


@pytest.mark.parametrize("suffix", [".ply", ".laz", ".npz", ".csv", ".h5"])
def test_clouds_come_back_as_they_went(bucket: str, suffix: str) -> None:
    cloud = room(500)
    ct.write(f"s3://{bucket}/deep/a{suffix}", cloud, **({"scale": 1e-6} if suffix.startswith(".la") else {}))
    again = ct.read(f"s3://{bucket}/deep/a{suffix}")
    np.testing.assert_allclose(again.world, cloud.world, atol=1e-6)
    assert again["color"].shape == cloud["color"].shape


@pytest.mark.parametrize("suffix", [".las", ".laz"])
def test_las_is_read_in_ranges_and_says_the_same(
    bucket: str, s3: S3Server, scratch: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, cloud = f"s3://{bucket}/a{suffix}", room(120_000)
    ct.write(url, cloud)
    copied = ct.read(url)
    monkeypatch.setattr(copies, "_fetched", None)  # no copy is made
    monkeypatch.setattr(copies, "WORTH_RANGES", 0)
    s3.forget()
    whole = ct.read(url)
    parts = list(ct.io.read_chunks(url, 50_000))
    assert [len(part) for part in parts] == [50_000, 50_000, 20_000]
    for name in copied.fields:
        np.testing.assert_array_equal(whole[name], copied[name])
        np.testing.assert_array_equal(np.concatenate([part[name] for part in parts]), copied[name])
    np.testing.assert_array_equal(whole.world, copied.world)
    assert sum(request.startswith("GET") for request in s3.requests) > 2


def test_a_large_file_is_sent_in_parts_and_is_there_at_the_end(
    bucket: str, s3: S3Server, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "_SMALL", 5 << 20)  # the least that S3 takes for a part
    seen: list[list[str]] = []

    def look(request: str) -> None:
        if "partNumber" in request:
            s3.deed = lambda request: None
            seen.append(keys_of(client, bucket))
            s3.deed = look  # type: ignore[assignment]

    s3.deed = look  # type: ignore[assignment]
    cloud = ct.PointCloud(positions=np.random.default_rng(0).random((1_000_000, 3)).astype(np.float32))
    ct.write(f"s3://{bucket}/large.ply", cloud)
    assert len(seen) >= 2
    assert not any(seen)
    assert keys_of(client, bucket) == ["large.ply"]
    np.testing.assert_array_equal(ct.read(f"s3://{bucket}/large.ply").positions, cloud.positions)


@pytest.mark.parametrize("how", ["refused", "interrupted"])
def test_an_interrupted_upload_leaves_nothing(
    bucket: str, s3: S3Server, client: Any, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "_SMALL", 5 << 20)
    cloud = ct.PointCloud(positions=np.zeros((1_000_000, 3), np.float32))
    ct.write(f"s3://{bucket}/large.ply", room(10))  # what was there before stays
    before = client.head_object(Bucket=bucket, Key="large.ply")["ETag"]
    if how == "refused":
        s3.deed = lambda request: 403 if "partNumber=2" in request else None
        with pytest.raises(InputError, match=rf"s3://{bucket}/large.ply: access is denied"):
            ct.write(f"s3://{bucket}/large.ply", cloud)
    else:

        def interrupt(local: Path, file: Any, *rest: Any) -> None:
            file.write(bytes(6 << 20))
            raise KeyboardInterrupt

        monkeypatch.setattr(sending, "_send", interrupt)
        with pytest.raises(KeyboardInterrupt):
            ct.write(f"s3://{bucket}/large.ply", cloud)
    s3.forget()
    assert client.head_object(Bucket=bucket, Key="large.ply")["ETag"] == before
    assert not client.list_multipart_uploads(Bucket=bucket).get("Uploads")


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("{}/none.ply", "s3://{}/none.ply: there is no such file"),
        ("{}/none.las", "s3://{}/none.las: there is no such file"),
        ("no-{}/a.ply", "s3://no-{}/a.ply: there is no such bucket"),
        ("{}/tiles", "s3://{}/tiles: is a folder; name a file in it"),
        ("{}/", "s3://{}/: is a folder; name a file in it"),
    ],
)
def test_what_is_not_there_is_one_sentence(bucket: str, client: Any, name: str, complaint: str) -> None:
    client.put_object(Bucket=bucket, Key="tiles/a.ply", Body=b"")
    with pytest.raises(InputError) as caught:
        ct.read("s3://" + name.format(bucket))
    assert str(caught.value) == complaint.format(bucket)


def test_without_permission_nothing_is_read_or_written(bucket: str, client: Any) -> None:
    client.put_object(Bucket=bucket, Key="a.ply", Body=b"ply\n")
    what = {"Effect": "Deny", "Principal": "*", "Action": ["s3:GetObject", "s3:PutObject"]}
    policy = {"Version": "2012-10-17", "Statement": [{**what, "Resource": f"arn:aws:s3:::{bucket}/*"}]}
    client.put_bucket_policy(Bucket=bucket, Policy=json.dumps(policy))
    with pytest.raises(InputError, match=rf"^s3://{bucket}/a.ply: access is denied") as caught:
        ct.read(f"s3://{bucket}/a.ply")
    assert SECRET not in str(caught.value)
    with pytest.raises(InputError, match=rf"^s3://{bucket}/b.ply: access is denied"):
        ct.write(f"s3://{bucket}/b.ply", room(10))


def test_a_server_that_is_not_there_is_one_sentence(anew: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://anna:pass@127.0.0.1:9")
    with pytest.raises(InputError) as caught:
        ct.read("s3://scans/a.ply")
    assert "could not be reached (AWS_ENDPOINT_URL is http://127.0.0.1:9)" in str(caught.value)


def test_an_endpoint_that_is_none_and_a_bucket_that_cannot_be_are_said(
    anew: None, bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match=r"^s3://a bucket!/a\.ply: is no URL that could be asked for"):
        ct.read("s3://a bucket!/a.ply")
    s3fs = pytest.importorskip("s3fs")
    s3fs.S3FileSystem.clear_instance_cache()
    monkeypatch.setenv("AWS_ENDPOINT_URL", "nonsense")
    with pytest.raises(InputError, match=r"the endpoint in your settings is no URL \(AWS_ENDPOINT_URL is 'nonsense'\)"):
        ct.read(f"s3://{bucket}/a.ply")


def test_without_credentials_the_sentence_says_how_to_give_them(anew: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    monkeypatch.setenv("HOME", "/nowhere")
    with pytest.raises(InputError, match="no credentials were found; set AWS_PROFILE"):
        ct.read("s3://scans/a.ply")


def test_a_place_that_cannot_be_written_is_said_before_the_work(bucket: str, client: Any) -> None:
    for name, complaint in [
        (f"s3://no-{bucket}/out/", "there is no such bucket"),
        ("https://host/out.ply", "nothing can be written to a web server"),
    ]:
        with pytest.raises(InputError, match=complaint):
            sending.require_writable(located(name))  # type: ignore[arg-type]
    sending.require_writable(located(f"s3://{bucket}/out/"))  # type: ignore[arg-type]
    assert not keys_of(client, bucket)
    assert not client.list_multipart_uploads(Bucket=bucket).get("Uploads")


def test_folders_and_patterns_mean_what_they_mean_on_a_disk(bucket: str, s3: S3Server, client: Any) -> None:
    names = ["tiles/a.laz", "tiles/b.laz", "tiles/deep/c.laz", "tiles/.hidden/d.laz", "tiles/e.md", "tiles2/f.laz"]
    for name in names:
        client.put_object(Bucket=bucket, Key=name, Body=b"")

    def found(word: str, out: str | None = None) -> list[str]:
        files = find_files([f"s3://{bucket}/{word}"], [".laz"], None if out is None else located(out))
        assert files.several
        return [each.relative.as_posix() for each in files.found]

    assert found("tiles") == found("tiles/") == ["a.laz", "b.laz", "deep/c.laz"]
    assert found("tiles/*.laz") == ["a.laz", "b.laz"]
    assert found("**/[cf].laz") == ["tiles/deep/c.laz", "tiles2/f.laz"]
    assert found("tiles", f"s3://{bucket}/tiles/deep/") == ["a.laz", "b.laz"]
    many = find_files([f"s3://{bucket}/tiles"], [".laz"])
    s3.forget()
    jobs = plan(many, located(f"s3://{bucket}/tiles2/"), lambda path: ".laz", force=False, skip_existing=True)
    assert [str(job.target) for job in jobs] == [
        f"s3://{bucket}/tiles2/{each}" for each in ["a.laz", "b.laz", "deep/c.laz"]
    ]
    assert len(s3.requests) <= 4, "what is there is asked once, not for every file"
    client.put_object(Bucket=bucket, Key="tiles2/b.laz", Body=b"")
    jobs = plan(many, located(f"s3://{bucket}/tiles2/"), lambda path: ".laz", force=False, skip_existing=True)
    assert [job.source.name for job in jobs] == ["a.laz", "c.laz"]
    with pytest.raises(InputError, match=rf"s3://{bucket}/tiles2/b.laz: exists"):
        plan(many, located(f"s3://{bucket}/tiles2/"), lambda path: ".laz", force=False, skip_existing=False)


def test_keys_that_lead_out_of_a_folder_are_passed_over(
    bucket: str, s3: S3Server, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    wild = ["tiles/../../a.laz", "tiles//etc/b.laz", "tiles/./c.laz", r"tiles\..\..\d.laz", "tiles/e.laz"]
    url = as_url(located(f"s3://{bucket}/**/*.laz"))
    assert url is not None
    monkeypatch.setattr(url.files, "find", lambda path: [f"{bucket}/{key}" for key in wild])
    found = {f"{bucket}/{key}": {"type": "file"} for key in wild}
    monkeypatch.setattr(url.files, "glob", lambda path, detail: found)
    assert [str(each) for each in url.parent.rglob("*")] == [f"s3://{bucket}/tiles/e.laz"]
    assert [str(each) for each in url.glob_whole()[1]] == [f"s3://{bucket}/tiles/e.laz"]


@pytest.mark.parametrize("how", ["damaged", "interrupted"])
def test_copies_are_gone_after_errors(
    bucket: str, client: Any, scratch: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.put_object(Bucket=bucket, Key="a.ply", Body=b"ply\nformat nonsense\n")
    if how == "damaged":
        with pytest.raises(InputError, match=rf"^s3://{bucket}/a.ply: line 2 of the header"):
            ct.read(f"s3://{bucket}/a.ply")
    else:

        def interrupt(*given: Any) -> None:
            assert list(scratch.iterdir())
            raise KeyboardInterrupt

        monkeypatch.setattr(ct.io, "_existing", interrupt)
        with pytest.raises(KeyboardInterrupt):
            ct.read(f"s3://{bucket}/a.ply")
    assert not list(scratch.iterdir())


def test_a_copy_is_made_once_for_all_who_need_it(bucket: str, s3: S3Server, capsys: pytest.CaptureFixture[str]) -> None:
    from cloud_transformers.cli import main

    url = f"s3://{bucket}/a.ply"
    ct.write(url, room(5000))
    size = located(url).stat().st_size
    s3.forget()
    assert main(["info", url, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)[0]
    assert (facts["file"], facts["points"], facts["bytes"]) == (url, 5000, size)
    assert size <= s3.served < size + 2000


def test_what_does_not_fit_on_the_disk_is_not_fetched(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ct.write(f"s3://{bucket}/a.ply", room(100))
    monkeypatch.setattr(copies, "_SPARE", 1 << 60)
    with pytest.raises(
        InputError, match=r"the disk of .* has room for 0\.0 GB; name a folder on another disk in TMPDIR"
    ):
        ct.read(f"s3://{bucket}/a.ply")
