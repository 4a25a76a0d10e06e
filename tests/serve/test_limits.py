"""Each limit holds, says what it is, and gives way when there is room again."""

import http.client
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cloud_transformers.cli import main
from tests.serve.servers import BYTES, LIGHT, Client, Server, running


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    return tmp_path / "jobs"


def kept(server: Server) -> list[Path]:
    places = server.folder / "jobs"
    return list(places.iterdir()) if places.is_dir() else []


def test_uploads_are_bounded_in_size(folders: Path) -> None:
    with running(LIGHT, folders, "--max-upload", "1KB") as server:
        client = server.client
        assert client.submit(bytes(1024)).status == 202
        announced = client.submit(bytes(1025))
        assert announced.status == 413
        assert "1,024 bytes" in announced.json["error"]
        before = len(kept(server))
        unannounced = client.submit(iter([b"x" * 600, b"x" * 600]))  # in chunks, without a length
        assert unannounced.status == 413
        assert len(kept(server)) == before, "nothing is left of what was refused"


def test_uploads_are_bounded_in_time(folders: Path) -> None:
    with running(LIGHT, folders, "--upload-seconds", "0.2") as server:
        connection = server.client.connection()
        connection.putrequest("POST", "/api/tasks/segmentation?name=a.xyz")
        connection.putheader("Content-Type", BYTES["Content-Type"])
        connection.putheader("Content-Length", "1000")
        connection.endheaders(b"a few bytes, then silence")
        response = connection.getresponse()
        assert response.status == 408
        assert b"0.2 seconds" in response.read()
        connection.close()
        assert not kept(server)


def test_an_upload_that_is_broken_off_leaves_nothing(folders: Path) -> None:
    with running(LIGHT, folders, "--jobs-per-client", "1") as server:
        for _ in range(3):
            with socket.create_connection(("127.0.0.1", server.client.port)) as connection:
                connection.sendall(
                    b"POST /api/tasks/segmentation?name=a.xyz HTTP/1.1\r\nHost: localhost\r\n"
                    b"Content-Type: application/octet-stream\r\nContent-Length: 1000\r\n\r\nsome"
                )
        client = server.client
        while (response := client.submit(b"points")).status == 429:  # the server notices at its own pace
            pass
        assert client.finished(response.json["id"])["state"] == "done"
        while client.get("/api/health").json["jobs"]["uploading"]:
            pass
        assert len(kept(server)) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has more than one loopback address")
def test_jobs_are_bounded_per_client_and_in_all(folders: Path) -> None:
    with running(LIGHT, folders, "--jobs-per-client", "2", "--max-jobs", "3") as server:
        first, second = server.client, Client(server.client.port, address="127.0.0.2")
        jobs = [first.job(b"slow"), first.job(b"slow")]
        refused = first.submit(b"points")
        assert (refused.status, refused.headers["retry-after"]) == (429, "5")
        jobs.append(second.job(b"slow"))
        full = second.submit(b"points")
        assert (full.status, full.headers["retry-after"]) == (503, "5")
        for job in jobs:
            assert first.ask("POST", f"/api/jobs/{job}/cancel").status == 200
        assert first.finished(first.job(b"points"))["state"] == "done"


def test_a_job_is_bounded_in_time(folders: Path) -> None:
    with running(LIGHT, folders, "--job-seconds", "0.5") as server:
        last = server.client.finished(server.client.job(b"slow"))
        assert (last["state"], "0.5 seconds" in last["message"]) == ("failed", True)


def test_old_results_go_when_there_are_too_many(folders: Path) -> None:
    with running(LIGHT, folders, "--keep", "2") as server:
        client = server.client
        jobs = [client.job(b"points") for _ in range(3)]
        for job in jobs[1:]:
            assert client.finished(job)["state"] == "done"
        assert [client.get(f"/api/jobs/{job}").status for job in jobs] == [404, 200, 200]
        assert len(kept(server)) == 2


def test_the_disk_is_bounded(folders: Path) -> None:
    with running(LIGHT, folders, "--disk", "10KB") as server:
        client = server.client
        first = client.job(bytes(3000))  # its answer and scene take as much again
        client.finished(first)
        second = client.job(bytes(3000))
        client.finished(second)
        assert client.get(f"/api/jobs/{first}").status == 404, "the older result makes room"
        assert client.metric("cloudt_disk_bytes") <= 10 << 10
        assert client.submit(bytes(11 << 10)).status == 507


def test_only_loopback_goes_without_a_token(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        ["--host", "0.0.0.0"],
        ["--host", "::"],
        ["--token", "short"],
        ["--host", "0.0.0.0", "--token", "x y"],
    ):
        assert main(["serve", "--no-browser", "--folder", str(tmp_path), *words]) == 2
        said = capsys.readouterr()
        assert "token" in said.err
        assert said.err.count("\n") == 1


def test_mistakes_at_the_start_are_one_sentence(folders: Path, tmp_path: Path) -> None:
    with running(LIGHT, folders) as server:
        port = str(server.client.port)
        for words, reason in (
            (["--folder", str(folders), "--port", "0"], "another server uses this folder"),
            (["--folder", str(tmp_path / "other"), "--port", port], f"port {port} is in use"),
            (["--folder", str(tmp_path / "other"), "--max-upload", "much"], "'much' is not understood"),
            (["--folder", str(tmp_path / "other"), "--port", "0", "--weights", "none"], "none: no such weights"),
        ):
            said = subprocess.run([*LIGHT, "--no-browser", *words], capture_output=True, text=True, timeout=120)
            assert said.returncode == 2
            assert reason in said.stderr
            assert said.stderr.count("\n") == 1


@pytest.fixture
def impatient(tmp_path: Path) -> Iterator[Client]:
    """A server that waits for a request's headers for a moment only."""
    program = (
        "import sys; from cloud_transformers.serve import server; server.HEADER_SECONDS = 0.2; "
        "from tests.serve import light_server; from cloud_transformers.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    with running((sys.executable, "-c", program, "serve"), tmp_path / "jobs") as server:
        yield server.client


def test_connections_that_ask_nothing_are_closed(impatient: Client) -> None:
    for begun in (b"", b"GET / HTTP/1.1\r\nHost: local"):
        with socket.create_connection(("127.0.0.1", impatient.port), timeout=60) as connection:
            connection.sendall(begun)
            assert connection.recv(100) == b""
    connection = http.client.HTTPConnection("127.0.0.1", impatient.port, timeout=60)
    for _ in range(3):  # who asks may go on asking
        connection.request("GET", "/api/health")
        assert connection.getresponse().read()
    connection.close()


def test_what_is_said_about_a_job_is_bounded(folders: Path) -> None:
    """And whoever says more does not stop the server's work."""
    with running(LIGHT, folders) as server:
        last = server.client.finished(server.client.job(b"long"))
        assert (last["state"], "than fits" in last["message"]) == ("failed", True)
        assert server.client.finished(server.client.job(b"points"))["state"] == "done"


@pytest.mark.skipif(sys.platform != "linux", reason="limits of another process are set")
def test_a_full_disk_is_a_sentence_and_goes_by(folders: Path) -> None:
    import resource

    def room(size: int) -> None:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    with running(LIGHT, folders, "--job-seconds", "3") as server:
        client = server.client
        room(5000)
        refused = client.submit(bytes(6000))
        assert (refused.status, "disk" in refused.json["error"]) == (507, True)
        room(resource.RLIM_INFINITY)
        slow = client.job(b"slow")
        client.running(slow)
        room(0)  # so that its end cannot be written
        while (refused := client.submit(b"points")).status != 507:
            pass
        assert "disk" in refused.json["error"]
        room(resource.RLIM_INFINITY)
        assert client.finished(slow)["state"] == "failed"
        assert client.finished(client.job(b"points"))["state"] == "done"
