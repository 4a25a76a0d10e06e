"""Memory in bytes: how much this process may take, containers included, and how people write it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from cloud_transformers.errors import InputError


def parse_bytes(text: str) -> int:
    """Bytes from "2GB", "800 MB" and the like; K, M, G and T are powers of 1024."""
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)(?:i?B)?\s*", text, re.IGNORECASE)
    if found is None:
        raise InputError(f"{text!r} is not understood; write it as 2GB or 800MB")
    return int(float(found[1]) * 1024 ** " KMGT".index(found[2].upper() or " "))


def available_memory(root: Path = Path("/")) -> int:
    """Bytes: the machine's memory, or the lowest limit of the control groups that this process is in.

    `root` is where Linux shows its control groups, below proc and sys.
    """
    import psutil

    return min([int(psutil.virtual_memory().total), *group_limits(root)])


def group_limits(root: Path = Path("/")) -> Iterator[int]:
    """The limits that control groups of both versions set, from the process's own group to the outermost one."""
    try:
        lines = (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:  # not Linux, or proc is hidden
        return
    mounted = root / "sys/fs/cgroup"
    for line in lines:
        _, controllers, group = line.split(":", 2)
        if controllers == "":
            top, file = mounted, "memory.max"
        elif "memory" in controllers.split(","):
            top, file = mounted / "memory", "memory.limit_in_bytes"
        else:
            continue
        # Inside a container the group's path may be that of the machine outside; what is mounted is then its own.
        path = top / group.lstrip("/")
        for folder in (path, *path.parents):
            limit = _limit(folder / file)
            if limit is not None:
                yield limit
            if folder == top:
                break


def _limit(file: Path) -> int | None:
    try:
        text = file.read_text(encoding="ascii").strip()
    except OSError:
        return None
    # "max", or in version 1 a number as large as can be, stands for no limit.
    return int(text) if text.isdecimal() and int(text) < 1 << 60 else None
