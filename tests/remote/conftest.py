"""A bucket and a web server of its own for every test, on servers that are started once."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.predict.conftest import weights as weights  # a fixture of this folder, too
from tests.remote.servers import S3Server, WebServer, web_server

_numbers = itertools.count()
KEY, SECRET = "AKIATEST", "a-secret-key"


@pytest.fixture(scope="session")
def s3_server() -> Iterator[S3Server]:
    pytest.importorskip("moto.server")
    pytest.importorskip("s3fs")
    server = S3Server()
    yield server
    server.server.shutdown()


@pytest.fixture(scope="session")
def client(s3_server: S3Server) -> Any:
    """boto3 itself, to look at what is there without our own code."""
    import boto3

    keys = {"aws_access_key_id": KEY, "aws_secret_access_key": SECRET, "region_name": "us-east-1"}
    return boto3.client("s3", endpoint_url=s3_server.url, **keys)


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where copies go; what is in it after a test was left behind."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def s3(s3_server: S3Server, client: Any, scratch: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[S3Server]:
    """The server, with credentials and endpoint where a user has them: in the environment."""
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL_S3"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3_server.url)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    s3_server.forget()
    yield s3_server
    s3_server.forget()
    assert not list(scratch.glob(".cloudt*"))


@pytest.fixture
def anew(s3: S3Server) -> Iterator[None]:
    """For tests that change the environment, which s3fs looks at once."""
    import s3fs

    s3fs.S3FileSystem.clear_instance_cache()
    yield
    s3fs.S3FileSystem.clear_instance_cache()


@pytest.fixture
def bucket(s3: S3Server, client: Any) -> str:
    name = f"scans-{next(_numbers)}"
    client.create_bucket(Bucket=name)
    return name


@pytest.fixture
def web(scratch: Path) -> Iterator[WebServer]:
    pytest.importorskip("aiohttp")
    with web_server() as server:
        yield server
    assert not list(scratch.glob(".cloudt*"))


def keys_of(client: Any, bucket: str) -> list[str]:
    return [each["Key"] for each in client.list_objects_v2(Bucket=bucket).get("Contents", [])]
