"""A job: what was asked, by whom, and what has become of it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any, Literal

State = Literal["uploading", "queued", "running", "done", "failed", "cancelled"]
UNFINISHED: tuple[State, ...] = ("uploading", "queued", "running")
FINISHED: tuple[State, ...] = ("done", "failed", "cancelled")

ID_PATTERN = "^[A-Za-z0-9_-]{32}$"


def new_id() -> str:
    """Whoever knows it may see and delete the job: 192 random bits."""
    return secrets.token_urlsafe(24)


@dataclass(frozen=True, kw_only=True)
class Order:
    """What was asked."""

    task: str
    weights: str  # a name of the catalogue
    name: str  # of the file or sample, for people
    suffix: str  # of the input's file, with its dot
    sample: str | None = None  # made on the spot instead of uploaded
    seed: int = 0
    up: str | None = None  # the axis that points up; None: as the file or the weights say


@dataclass(frozen=True, kw_only=True)
class Job:
    """A row of the store."""

    id: str
    client: str  # a network address
    order: Order
    state: State
    created: float  # seconds since 1970, as all times here
    started: float | None = None
    finished: float | None = None
    attempts: int = 0
    message: str | None = None  # why it failed, in a sentence
    facts: dict[str, Any] = field(default_factory=dict)  # of the answer
    size: int = 0  # bytes on disk
