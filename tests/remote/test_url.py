"""URLs as names: what is one, what a path would say of it, and what is never shown of it."""

import os
import pickle
from pathlib import Path

import pytest

import cloud_transformers as ct
from cloud_transformers.errors import InputError
from cloud_transformers.remote import as_url, is_url, located


def test_a_url_has_the_names_of_a_path() -> None:
    url = located("s3://scans/tiles/a.b.laz")
    assert (url.name, url.stem, url.suffix) == ("a.b.laz", "a.b", ".laz")
    assert str(url.parent) == "s3://scans/tiles/"
    assert str(url.parent / Path("deep") / "c.ply") == "s3://scans/tiles/deep/c.ply"
    assert str(url.with_suffix(".csv")) == "s3://scans/tiles/a.b.csv"
    assert url.relative_to(located("s3://scans")) == Path("tiles/a.b.laz")
    assert [str(each) for each in url.parents] == ["s3://scans/tiles/", "s3://scans/"]
    assert located("s3://scans/tiles/").is_dir()
    assert located("s3://scans/tiles") == located("s3://scans/tiles/")


def test_a_copy_has_a_name_that_any_disk_takes() -> None:
    names = {
        "a.laz": "a.laz",
        "..": "file",
        "a:b?.ply": "a_b_.ply",
        "x" * 300 + ".laz": "x" * 96 + ".laz",
        ".a.ply": "a.ply",
    }
    for name, wanted in names.items():
        url = as_url(located(f"s3://scans/{name}"))
        assert url is not None
        assert url.local_name == wanted


def test_only_text_becomes_a_url() -> None:
    assert as_url(located(Path("s3://scans/a.laz"))) is None
    assert as_url(located("s3:/scans/a.laz")) is None
    assert as_url(located(r"C:\scans\a.laz")) is None
    assert not is_url(Path("s3://scans/a.laz"))


def test_a_file_url_is_a_path() -> None:
    assert located("file:///scans/a%20b.laz") == Path("/scans/a b.laz")
    assert located("file://localhost/scans/a.laz") == Path("/scans/a.laz")
    with pytest.raises(InputError, match="a file of this machine is file:///"):
        located("file://elsewhere/scans/a.laz")


def test_secrets_are_not_shown() -> None:
    url = as_url(located("https://anna:pass@host:8000/a.laz?X-Signature=abc#part"))
    assert url is not None
    assert str(url) == repr(url) == f"{url}" == "https://host:8000/a.laz?..."
    assert url.address == "https://anna:pass@host:8000/a.laz?X-Signature=abc"
    assert (url.name, url.suffix) == ("a.laz", ".laz")


def test_a_url_goes_to_other_processes_whole() -> None:
    url = located("https://anna:pass@host/a.laz?X-Signature=abc")
    assert pickle.loads(pickle.dumps(url)) == url


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("ftp://host/a.laz", "ftp://... is not known; there are file, s3, gs"),
        ("simplecache::s3://scans/a.laz", None),
        ("s3://scans/a.zip::memory://b", "chains of URLs"),
        ("https://scans.org:99999/a.laz", "look at its host and its port"),
        ("https://scans.org:port/a.laz", "look at its host and its port"),
        ("https://[::1/a.laz", "look at its host and its port"),
        ("s3://key:secret@scans/a.laz", "^s3://scans/a.laz: credentials do not belong into the URL"),
        ("s3:///a.laz", "must be followed by a bucket"),
        ("https:///a.laz", "must be followed by a host"),
    ],
)
def test_other_urls_are_refused(text: str, complaint: str | None) -> None:
    if complaint is None:
        assert as_url(located(text)) is None  # a path with an odd name, which is not there
        return
    with pytest.raises(InputError, match=complaint) as caught:
        located(text)
    assert "secret" not in str(caught.value)


def test_a_host_may_be_an_address_with_colons() -> None:
    assert str(located("http://[::1]:8080/a.laz")) == "http://[::1]:8080/a.laz"


def test_what_works_on_disks_alone_says_so() -> None:
    with pytest.raises(InputError, match=r"s3://scans/a\.laz: this works on local files only"):
        os.fspath(located("s3://scans/a.laz"))


def test_memory_is_a_place_like_others() -> None:
    pytest.importorskip("fsspec")
    cloud = ct.PointCloud(positions=[[0, 0, 0], [1, 2, 3]])
    ct.write("memory://somewhere/two.ply", cloud)
    assert len(ct.read("memory://somewhere/two.ply")) == 2
    assert [str(each) for each in located("memory://somewhere").rglob("*")] == ["memory://somewhere/two.ply"]
    with pytest.raises(InputError, match=r"memory://somewhere/three\.ply: there is no such file"):
        ct.read("memory://somewhere/three.ply")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "gcsfs", None)
    with pytest.raises(InputError, match=r"gs:// needs the package gcsfs.*pip install 'cloud-transformers\[gcs\]'"):
        ct.read("gs://scans/a.laz")
