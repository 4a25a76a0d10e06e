"""Counters as text that Prometheus reads."""

from __future__ import annotations

from collections.abc import Mapping

import psutil

from cloud_transformers.serve.foreman import Tally
from cloud_transformers.serve.jobs import FINISHED, UNFINISHED
from cloud_transformers.serve.store import Store


def metrics_text(store: Store, tally: Tally, statuses: Mapping[int, int], starts: int) -> str:
    """All metrics: name, kind, meaning, then a value per label."""
    table: list[tuple[str, str, str, dict[str, float]]] = [
        ("cloudt_jobs", "gauge", "Jobs now.", {_label("state", s): store.count(s) for s in (*UNFINISHED, *FINISHED)}),
        (
            "cloudt_jobs_finished_total",
            "counter",
            "Jobs that ended since the server started.",
            {_label("state", state): getattr(tally, state) for state in FINISHED},
        ),
        ("cloudt_job_seconds_total", "counter", "Seconds that workers spent on jobs.", {"": tally.seconds}),
        ("cloudt_worker_starts_total", "counter", "Worker processes started.", {"": starts}),
        ("cloudt_worker_deaths_total", "counter", "Worker processes that ended unasked.", {"": tally.deaths}),
        (
            "cloudt_responses_total",
            "counter",
            "Responses by status.",
            {_label("status", str(status)): count for status, count in sorted(statuses.items())},
        ),
        ("cloudt_disk_bytes", "gauge", "Bytes that jobs take on disk.", {"": store.bytes_used()}),
        ("process_resident_memory_bytes", "gauge", "Of the server itself.", {"": psutil.Process().memory_info().rss}),
    ]
    lines = []
    for name, kind, meaning, values in table:
        lines += [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"]
        lines += [f"{name}{label} {value}" for label, value in values.items()]
    return "\n".join(lines) + "\n"


def _label(name: str, value: str) -> str:
    return f'{{{name}="{value}"}}'
