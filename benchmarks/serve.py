"""Load on `cloudt serve`: many clients at once, each submits a cloud, waits for the answer, fetches it, and again.

    python -m benchmarks.serve --clients 32 --seconds 300

Every answer is checked. A refusal (429, 503) is polite if it says when to come back; anything else is an error. Memory
is that of the server and of all its workers together. Clients come from addresses of their own, 127.0.0.1, 127.0.0.2
and so on (Linux only), each with one job at a time. Further options are those of `cloudt serve`.
"""

from __future__ import annotations

import argparse
import http.client
import io
import json
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import psutil

from cloud_transformers.world import cutouts

POINTS = 4096
BYTES = {"Content-Type": "application/octet-stream"}


@dataclass
class Tally:
    """What all clients saw; lists grow from several threads, which Python allows."""

    seconds: list[float] = field(default_factory=list)  # from the submission to the answer's last byte
    refused: list[int] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    memory: list[tuple[float, int]] = field(default_factory=list)  # seconds since the start, bytes


def cloud(seed: int) -> bytes:
    """A file .npy of an object of the world, with as many points as a client submits."""
    points = cutouts.cutout(0, seed)["data"]
    rows = np.random.default_rng(seed).integers(len(points), size=POINTS)
    jitter = np.random.default_rng(seed).normal(scale=1e-3, size=(POINTS, 3))
    file = io.BytesIO()
    np.save(file, (points[rows] + jitter).astype(np.float32))
    return file.getvalue()


class Client(threading.Thread):
    def __init__(self, port: int, number: int, end: float, tally: Tally) -> None:
        super().__init__()
        self.port, self.address, self.end, self.tally = port, f"127.0.0.{number + 1}", end, tally
        self.content = cloud(number)

    def ask(self, method: str, path: str, body: bytes | None = None) -> tuple[http.client.HTTPResponse, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, source_address=(self.address, 0), timeout=300)
        try:
            connection.request(method, path, body, BYTES)
            response = connection.getresponse()
            return response, response.read()
        finally:
            connection.close()

    def run(self) -> None:
        while time.monotonic() < self.end:
            try:
                self.once()
            except Exception as error:
                self.tally.errors.append(f"{type(error).__name__}: {error}")

    def once(self) -> None:
        began = time.monotonic()
        response, body = self.ask("POST", "/api/tasks/classification?name=object.npy&up=y", self.content)
        if response.status in (429, 503) and response.getheader("Retry-After"):
            self.tally.refused.append(response.status)
            time.sleep(float(response.getheader("Retry-After") or 1))
            return
        job = json.loads(body)["id"]
        _, events = self.ask("GET", f"/api/jobs/{job}/events")
        last = json.loads(events.decode().strip().split("data: ")[-1])
        _, answer = self.ask("GET", f"/api/jobs/{job}/answer/npz")
        with np.load(io.BytesIO(answer)) as arrays:
            if last["state"] != "done" or arrays["label"].shape != (POINTS,):
                raise ValueError(f"the job ended as {last}")
        self.tally.seconds.append(time.monotonic() - began)


def watch(process: psutil.Process, end: float, tally: Tally) -> None:
    began = time.monotonic()
    while (now := time.monotonic()) < end:
        family = [process, *process.children()]
        tally.memory.append((now - began, sum(each.memory_info().rss for each in family)))
        time.sleep(1)


def measured(clients: int, seconds: float, options: list[str]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        words = ["serve", "--port", "0", "--no-browser", "--folder", folder, *options]
        server = subprocess.Popen(
            [sys.executable, "-m", "cloud_transformers.cli", *words], stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline().split()[3].rstrip("/").rpartition(":")[2])
            end, tally = time.monotonic() + seconds, Tally()
            threads = [Client(port, number, end, tally) for number in range(clients)]
            for thread in threads:
                thread.start()
            watch(psutil.Process(server.pid), end, tally)
            for thread in threads:
                thread.join()
        finally:
            server.kill()
            server.wait()
    return summary(tally, seconds)


def summary(tally: Tally, seconds: float) -> dict[str, Any]:
    settled = [size for moment, size in tally.memory if moment > min(60.0, seconds / 2)]
    return {
        "answers": len(tally.seconds),
        "answers per second": round(len(tally.seconds) / seconds, 2),
        "median seconds": round(float(np.median(tally.seconds)), 2),
        "99th percentile": round(float(np.percentile(tally.seconds, 99)), 2),
        "polite refusals": len(tally.refused),
        "errors": len(tally.errors),
        "first errors": tally.errors[:3],
        "memory in MB, least and most after the first minute": [round(f(settled) / 2**20) for f in (min, max)],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=300.0)
    args, options = parser.parse_known_args()
    for name, value in measured(args.clients, args.seconds, options).items():
        print(f"{name:<52} {value}")


if __name__ == "__main__":
    main()
