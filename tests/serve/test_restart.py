"""kill -9 and a new start: what was finished is there, what was not is done or said to be lost."""

import signal
from pathlib import Path

import psutil

from tests.serve.servers import LIGHT, Client, running


def test_finished_results_survive_and_unfinished_jobs_are_done(tmp_path: Path) -> None:
    with running(LIGHT, tmp_path) as server:
        client = server.client
        done, slow = client.job(b"finished"), client.job(b"slow", name="slow.xyz")
        waiting = client.job(b"waiting")
        client.running(slow)
        workers = psutil.Process(server.process.pid).children()
        server.process.kill()
        server.process.wait()
        psutil.wait_procs(workers, timeout=60)
        assert not any(worker.is_running() and worker.status() != "zombie" for worker in workers)
    (tmp_path / "jobs" / slow / "input.xyz").write_bytes(b"quick now")
    (tmp_path / "jobs" / "left over").mkdir()
    with running(LIGHT, tmp_path) as server:
        client = server.client
        assert client.get(f"/api/jobs/{done}/scene").body == b"scene of finished"
        assert client.finished(slow)["state"] == "done"
        assert client.finished(waiting)["state"] == "done"
        assert not (tmp_path / "jobs" / "left over").exists()


def test_a_job_that_takes_the_server_along_twice_is_lost(tmp_path: Path) -> None:
    job = ""
    for _ in range(2):
        with running(LIGHT, tmp_path) as server:
            job = job or server.client.job(b"slow")
            server.client.running(job)
    with running(LIGHT, tmp_path) as server:
        last = server.client.finished(job)
        assert last["state"] == "failed"
        assert "is lost: the server stopped 2 times" in last["message"]
        assert server.client.finished(server.client.job(b"points"))["state"] == "done"


def test_a_server_that_is_told_to_stop_lets_go_of_those_who_watch(tmp_path: Path) -> None:
    with running(LIGHT, tmp_path) as server:
        client: Client = server.client
        events = client.events(client.job(b"slow"))
        while next(events)["state"] != "running":
            pass
        server.process.send_signal(signal.SIGTERM)
        assert all(each["state"] == "running" for each in events)
        assert server.process.wait(timeout=60) in (0, -signal.SIGTERM)
