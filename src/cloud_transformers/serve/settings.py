"""What a server is told when it starts: where it listens, whom it trusts, and how much it takes on."""

from __future__ import annotations

import ipaddress
import re
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from cloud_transformers.errors import InputError

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one server takes on. Whoever asks for more is refused with a sentence; nothing grows without bound."""

    upload_bytes: int = 256 << 20
    upload_seconds: float = 600.0
    points: int = 5_000_000
    queue: int = 64  # jobs that wait, run or are being uploaded
    per_client: int = 16  # of those, from one network address
    job_seconds: float = 600.0
    results: int = 200  # finished jobs that are kept; the oldest go first
    disk_bytes: int = 4 << 30  # of all jobs together
    memory_bytes: int = 4 << 30  # of a worker process
    connections: int = 512


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Where a server listens and keeps its jobs."""

    folder: Path
    host: str = "127.0.0.1"
    port: int = 8765  # 0: any free one
    token: str | None = None
    hosts: tuple[str, ...] = ()  # further names under which browsers may reach it
    origins: tuple[str, ...] = ()  # pages of other servers that may use the API
    weights: tuple[str, ...] = ()  # beside those in the box
    workers: int = 1
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if not self.is_loopback and self.token is None:
            raise InputError(
                f"{self.host} can be reached from other machines, so a token is needed: choose one with --token or in "
                f"CLOUDT_TOKEN, such as {secrets.token_urlsafe(24)}"
            )
        if self.token is not None and not re.fullmatch(r"[\x21-\x7e]{16,}", self.token):
            raise InputError("a token must have at least 16 letters, digits or signs of ASCII, without spaces")

    @property
    def is_loopback(self) -> bool:
        """Whether only programs on this machine can reach it."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"
