"""The API without models: jobs and what is asked about them."""

import json
import re
from pathlib import Path

import psutil

from tests.serve.servers import LIGHT, Client, running


def test_a_job_from_submission_to_answer(light: Client) -> None:
    response = light.submit(b"points", name="Büro 1.xyz", weights="light", up="-y")
    job = response.json
    assert response.status == 202
    assert response.headers["location"] == f"/api/jobs/{job['id']}"
    assert re.fullmatch("[A-Za-z0-9_-]{32}", job["id"])
    assert (job["task"], job["weights"], job["name"]) == ("segmentation", "light", "Büro 1.xyz")
    states = list(light.events(job["id"]))
    assert states[-1]["state"] == "done"
    assert states[-1]["progress"] == 1
    assert [each["progress"] for each in states] == sorted(each["progress"] for each in states)
    assert light.get(f"/api/jobs/{job['id']}").json == states[-1]
    assert light.get(f"/api/jobs/{job['id']}/result").json["points"] == 1
    assert light.get(f"/api/jobs/{job['id']}/scene").body == b"scene of points"
    for made in ("inspect", "heads", "preview"):
        assert light.get(f"/api/jobs/{job['id']}/{made}").json == {"notes": [], "blocks": []}
    assert light.get(f"/api/jobs/{job['id']}/folding").json["error"] == "light: folds no sphere"
    answer = light.get(f"/api/jobs/{job['id']}/answer/ply")
    assert answer.body == b"points"
    assert "B%C3%BCro%201-answer.ply" in answer.headers["content-disposition"]
    given = light.get(f"/api/jobs/{job['id']}/input")
    assert given.body == b"points"
    assert given.headers["content-type"] == "application/octet-stream"
    assert given.headers["content-disposition"].startswith("attachment")


def test_part_of_an_answer_can_be_had(light: Client) -> None:
    job = light.job(b"0123456789")
    light.finished(job)
    part = light.get(f"/api/jobs/{job}/answer/ply", Range="bytes=2-4")
    assert (part.status, part.body) == (206, b"234")
    assert light.get(f"/api/jobs/{job}/answer/ply", Range="bytes=20-30").status == 416
    many = light.get(f"/api/jobs/{job}/answer/ply", Range="bytes=" + ",".join(["0-"] * 1000))
    assert len(many.body) < 100, "a request for many ranges must not multiply the file"


def test_a_sample_is_made_on_the_spot(light: Client) -> None:
    job = light.ask("POST", "/api/samples/room?seed=7").json
    assert job["name"] == "room-7.xyz"
    assert light.finished(job["id"])["state"] == "done"


def test_a_job_that_fails_says_why_and_has_no_answer(light: Client) -> None:
    job = light.job(b"bad", name="empty.xyz")
    last = light.finished(job)
    assert (last["state"], last["message"]) == ("failed", "empty.xyz: holds no points")
    for path in ("result", "scene", "answer/ply"):
        response = light.get(f"/api/jobs/{job}/{path}")
        assert response.status == 409
        assert "holds no points" in response.json["error"]


def test_a_format_that_cannot_hold_the_answer_says_so(light: Client) -> None:
    job = light.job(b"points")
    light.finished(job)
    response = light.get(f"/api/jobs/{job}/answer/txt")
    assert (response.status, response.json["error"]) == (409, "answer.txt: text cannot hold it")
    assert light.get(f"/api/jobs/{job}/answer/exe").status == 404


def test_a_crash_costs_the_one_job(light: Client) -> None:
    deaths = light.metric("cloudt_worker_deaths_total")
    assert "code 3" in light.finished(light.job(b"crash"))["message"]
    assert "memory" in light.finished(light.job(b"kill"))["message"]
    assert light.finished(light.job(b"points"))["state"] == "done"
    assert light.metric("cloudt_worker_deaths_total") == deaths + 2


def test_a_worker_that_dies_while_it_waits_costs_nothing(tmp_path: Path) -> None:
    with running(LIGHT, tmp_path) as server:
        client = server.client
        client.finished(client.job(b"points"))
        workers = psutil.Process(server.process.pid).children()
        for worker in workers:
            worker.kill()
        psutil.wait_procs(workers)
        assert client.finished(client.job(b"points"))["state"] == "done"
        assert client.metric("cloudt_worker_deaths_total") == 0


def test_cancelling(light: Client) -> None:
    slow = light.job(b"slow")
    light.running(slow)
    waiting = light.job(b"points")
    assert light.get(f"/api/jobs/{waiting}").json["ahead"] == 1
    assert light.get(f"/api/jobs/{slow}/result").status == 409
    assert light.ask("POST", f"/api/jobs/{slow}/cancel").json["state"] == "cancelled"
    assert light.finished(waiting)["state"] == "done"
    again = light.ask("POST", f"/api/jobs/{waiting}/cancel")
    assert (again.status, again.json["state"]) == (200, "done"), "what is finished stays as it is"


def test_a_waiting_job_can_be_cancelled(light: Client) -> None:
    slow, waiting = light.job(b"slow"), light.job(b"points")
    assert light.ask("POST", f"/api/jobs/{waiting}/cancel").json["state"] == "cancelled"
    assert light.ask("POST", f"/api/jobs/{slow}/cancel").json["state"] == "cancelled"


def test_deleting_leaves_nothing(light: Client) -> None:
    finished, slow = light.job(b"points"), light.job(b"slow")
    light.running(slow)
    for job in (finished, slow):
        assert light.ask("DELETE", f"/api/jobs/{job}").status == 204
        for path in (
            "",
            "/events",
            "/result",
            "/scene",
            "/input",
            "/preview",
            "/inspect",
            "/heads",
            "/folding",
            "/answer/ply",
        ):
            assert light.get(f"/api/jobs/{job}{path}").status == 404
        assert light.ask("DELETE", f"/api/jobs/{job}").status == 404


def test_two_clients_cannot_see_each_others_jobs_without_the_link(light: Client) -> None:
    other = Client(light.port)
    job = light.job(b"mine")
    guesses = [job[:-1] + letter for letter in "AaBb_" if letter != job[-1]] + ["x" * 32, "%2e%2e", "..", "*", "%00"]
    assert {other.get(f"/api/jobs/{guess}").status for guess in guesses} == {404}
    assert other.get(f"/api/jobs/{job}").status == 200


def test_what_there_is(light: Client) -> None:
    offer = light.get("/api/offer").json
    assert [each["name"] for each in offer["weights"]] == ["light", "lighter"]
    assert "path" not in json.dumps(offer), "where files lie on the server is nobody's business"
    assert light.get("/api/health").json["status"] == "ok"
    assert light.get("/openapi.json").json["openapi"] == "3.1.0"


def test_metrics_are_text_that_prometheus_reads(light: Client) -> None:
    response = light.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
    for line in response.body.decode().splitlines():
        assert re.fullmatch(r'# (HELP|TYPE) \w+ .+|\w+(\{\w+="\w+"\})? [0-9.e+]+', line), line
