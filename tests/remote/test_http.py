"""Files of web servers: with ranges and without, and servers that are not to be trusted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import cloud_transformers as ct
from cloud_transformers.cli import main
from cloud_transformers.errors import InputError
from cloud_transformers.remote import copies, systems
from tests.io.copc import write_copc
from tests.predict.scene.scenes import room
from tests.remote.servers import WebServer


@pytest.fixture(scope="module")
def clouds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A cloud of 4 MB as .las, and as a COPC tile with a large octree."""
    import laspy

    folder = tmp_path_factory.mktemp("clouds")
    ct.write(folder / "a.las", room(120_000))
    las = laspy.read(folder / "a.las")
    las.header.vlrs.append(laspy.VLR("copc", 1, "", bytes(160)))
    las.header.evlrs = laspy.vlrs.vlrlist.VLRList([laspy.VLR("copc", 1000, "", bytes(600_000))])
    las.write(folder / "a.copc.laz")
    return {f"/{path.name}": path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("name", ["/a.las", "/a.copc.laz"])
def test_info_fetches_the_header_alone(
    web: WebServer, clouds: dict[str, bytes], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    web.files = clouds
    assert main(["info", web.url + name, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)[0]
    assert (facts["points"], facts["bytes"], facts["header_only"]) == (120_000, len(clouds[name]), True)
    assert facts["fields"]["color"] == {"type": "uint16", "channels": 3}
    np.testing.assert_allclose(facts["high"], [6, 4, 2.5], atol=1e-3)
    assert 0 < web.served < len(clouds[name]) / 3
    assert main(["info", web.url + name]) == 0
    assert "this is what the header says; --no-header reads the points too" in capsys.readouterr().out
    web.served = 0
    assert main(["info", web.url + name, "--json", "--no-header"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["classes"]
    assert web.served >= len(clouds[name])


def test_without_ranges_a_file_is_fetched_once(
    web: WebServer, clouds: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    web.files, web.ranges = clouds, False
    assert main(["info", web.url + "/a.las", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["points"] == 120_000
    fetched = [request for request in web.requests if request.startswith("GET")]
    assert fetched == ["GET /a.las bytes=1-131072", "GET /a.las"], "a try for a range, and one copy"
    assert len(ct.read(web.url + "/a.las")) == 120_000


def test_ranges_and_copies_say_the_same(
    web: WebServer, clouds: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    web.files = clouds
    copied = ct.read(web.url + "/a.copc.laz")
    monkeypatch.setattr(copies, "WORTH_RANGES", 0)
    monkeypatch.setattr(copies, "_fetched", None)
    ranged = ct.read(web.url + "/a.copc.laz")
    np.testing.assert_array_equal(ranged.world, copied.world)
    np.testing.assert_array_equal(ranged["label"], copied["label"])


def test_a_box_of_copc_and_rows_of_las_fetch_little(
    web: WebServer, clouds: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "WORTH_RANGES", 0)
    monkeypatch.setattr(copies, "_fetched", None)
    write_copc(tmp_path / "tile.copc.laz", np.random.default_rng(0).uniform(0, 64, (500_000, 3)), 64.0)
    web.files = {**clouds, "/tile.copc.laz": (tmp_path / "tile.copc.laz").read_bytes()}
    box = ct.io.read_box(web.url + "/tile.copc.laz", [3, 4], [9, 11], spacing=2)
    near = ct.io.read_box(tmp_path / "tile.copc.laz", [3, 4], [9, 11], spacing=2)
    np.testing.assert_array_equal(box.world, near.world)
    assert 0 < len(box) < 500_000 / 64
    assert web.served < 0.6 * len(web.files["/tile.copc.laz"])  # of which 1.3 MB are header, tables and octree

    web.served = 0
    monkeypatch.setattr("cloud_transformers.io.las._READ_BYTES", 1 << 18)
    (rows,) = ct.io.read_rows(web.url + "/a.las", range(60_000, 61_000), 1000)
    (tmp_path / "a.las").write_bytes(clouds["/a.las"])
    np.testing.assert_allclose(rows.world, ct.read(tmp_path / "a.las").world[60_000:61_000], atol=1e-6)
    assert web.served < len(clouds["/a.las"]) / 2


def test_a_file_that_changes_between_two_ranges_is_noticed(
    web: WebServer, clouds: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    web.files = dict(clouds)
    monkeypatch.setattr(copies, "WORTH_RANGES", 0)
    monkeypatch.setattr("cloud_transformers.io.las._READ_BYTES", 1 << 16)
    chunks = ct.io.read_chunks(web.url + "/a.las", 10_000)
    next(chunks)
    web.files["/a.las"] = bytes(reversed(clouds["/a.las"]))
    with pytest.raises(InputError, match=r"/a\.las: was changed or replaced while it was being read"):
        list(chunks)


def test_a_server_without_lengths_or_versions_is_read_and_bounded(
    web: WebServer, clouds: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    web.files, web.lengths, web.tags = clouds, False, False
    assert len(ct.read(web.url + "/a.las")) == 120_000
    monkeypatch.setattr(copies, "MOST_UNDECLARED", 1000)
    with pytest.raises(InputError, match=r"/a\.las: its server sends more than 1,000 bytes; it was not read"):
        ct.read(web.url + "/a.las")


def test_a_file_that_ends_early_is_not_read(web: WebServer, clouds: dict[str, bytes]) -> None:
    web.files, web.stops_after = clouds, 100_000
    with pytest.raises(InputError, match=r"/a\.copc\.laz: (its server|could not be)"):
        ct.read(web.url + "/a.copc.laz")


@pytest.mark.parametrize(
    ("status", "complaint"),
    [
        (401, "access is denied"),
        (403, "access is denied"),
        (404, "there is no such file"),
        (503, "its server answered 503"),
    ],
)
def test_complaints_name_the_url_without_its_secrets(web: WebServer, status: int, complaint: str) -> None:
    web.statuses["/a.ply"] = status
    secret = web.url.replace("http://", "http://anna:pass@")
    with pytest.raises(InputError) as caught:
        ct.read(f"{secret}/a.ply?X-Signature=abc")
    assert str(caught.value).startswith(f"{web.url}/a.ply?...: {complaint}")
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_a_signed_url_is_asked_for_as_it_is(web: WebServer, clouds: dict[str, bytes]) -> None:
    web.files["/a b.las"] = web.files["/a%20b.las"] = clouds["/a.las"]
    signed = "/a%20b.las?X-Credential=me%2F2026%2Fs3&X-Signature=a%2Bb%3D"
    assert len(ct.read(web.url + signed)) == 120_000
    assert {request.split()[1] for request in web.requests} == {signed}


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/a.ply"])
def test_a_redirect_to_something_else_is_not_followed(web: WebServer, target: str) -> None:
    web.redirects["/a.ply"] = target
    with pytest.raises(InputError, match=r"/a\.ply: its server redirects to what is no web address"):
        ct.read(web.url + "/a.ply")


def test_a_redirect_to_another_page_is_followed_but_not_in_circles(web: WebServer, clouds: dict[str, bytes]) -> None:
    web.files = clouds
    web.redirects |= {"/b.las": "/a.las", "/c.las": "/c.las"}
    assert len(ct.read(web.url + "/b.las")) == 120_000
    with pytest.raises(InputError, match=r"/c\.las: its server redirects in circles"):
        ct.read(web.url + "/c.las")


def test_links_in_pages_are_not_followed(web: WebServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    web.files["/tiles/"] = b'<a href="a.ply">a.ply</a>'
    for word in (f"{web.url}/tiles/", f"{web.url}/tiles/*.ply"):
        assert main(["classify", word]) == 2
        assert "a web server does not list what it has" in capsys.readouterr().err
    assert not any("a.ply" in request.split()[1] for request in web.requests if request.startswith("GET /tiles/a"))


def test_a_server_that_says_nothing_is_given_up(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    monkeypatch.setattr(systems, "READ_SECONDS", 0.3)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(InputError, match="its server did not answer in time"):
            ct.read(f"http://127.0.0.1:{silent.getsockname()[1]}/a.ply")
