"""Real servers for tests, each a process of its own at a free port, and a plain client for them."""

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

BYTES = {"Content-Type": "application/octet-stream"}
REAL = (sys.executable, "-m", "cloud_transformers.cli", "serve")
LIGHT = (sys.executable, str(Path(__file__).with_name("light_server.py")))


@dataclass
class Response:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Client:
    """Asks one server, from one address of this machine."""

    port: int
    address: str = "127.0.0.1"
    headers: dict[str, str] = field(default_factory=dict)

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120, source_address=(self.address, 0))

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Response:
        connection = self.connection()
        try:
            given = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, {**self.headers, **given})
            answer = connection.getresponse()
            return Response(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Response:
        return self.ask("GET", path, **headers)

    def submit(self, content: Any, name: str = "cloud.xyz", task: str = "segmentation", **query: str) -> Response:
        path = f"/api/tasks/{task}?{urlencode({'name': name, **query})}"
        return self.ask("POST", path, content, **BYTES)

    def job(self, content: Any, **options: str) -> str:
        """Submits, and returns the job's id."""
        response = self.submit(content, **options)
        assert response.status == 202, response.body
        return str(response.json["id"])

    def events(self, job: str) -> Iterator[dict[str, Any]]:
        """The statuses of a job as they come, until it is finished."""
        connection = self.connection()
        try:
            connection.request("GET", f"/api/jobs/{job}/events", headers=self.headers)
            response = connection.getresponse()
            assert response.status == 200
            assert response.getheader("content-type") == "text/event-stream; charset=utf-8"
            for line in response:
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])
        finally:
            connection.close()

    def finished(self, job: str) -> dict[str, Any]:
        """The last status of a job."""
        return list(self.events(job))[-1]

    def running(self, job: str) -> None:
        """Returns as soon as the job runs."""
        assert next(each for each in self.events(job) if each["state"] != "queued")["state"] == "running"

    def metric(self, name: str) -> float:
        lines = self.get("/metrics").body.decode().splitlines()
        return float(next(line for line in lines if line.startswith(f"{name} ")).rpartition(" ")[2])


@dataclass
class Server:
    process: subprocess.Popen[str]
    address: str
    folder: Path

    @property
    def client(self) -> Client:
        return Client(int(self.address.rstrip("/").rpartition(":")[2]))


@contextmanager
def running(program: tuple[str, ...], folder: Path, *options: object) -> Iterator[Server]:
    """A server that answers; it is killed at the end, if it still runs."""
    words = [*program, "--port", "0", "--no-browser", "--folder", str(folder), *map(str, options)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert "serving at" in line, f"the server said {line!r}"
        yield Server(process, line.split()[3], folder)
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
