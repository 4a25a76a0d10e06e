"""What a cluster has to give: how many cores each of some processes can have, and whether graphics cards are there."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cloud_transformers.errors import InputError


def cores_each(ray: Any, count: int) -> int:
    """The most cores that `count` processes can have each, at the same time; 0 if there are too few for all of them."""
    nodes = [int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]]
    fitting = (each for each in range(max(nodes, default=0), 0, -1) if sum(cores // each for cores in nodes) >= count)
    return next(fitting, 0)


def cores(ray: Any) -> int:
    """All cores of the cluster."""
    return int(ray.cluster_resources().get("CPU", 0))


def cards(ray: Any) -> int:
    """All graphics cards of the cluster."""
    return int(ray.cluster_resources().get("GPU", 0))


@dataclass(frozen=True)
class Command:
    """Who asks for the work: its folder, in which relative paths have a meaning, and its words."""

    folder: str
    words: tuple[str, ...]

    @classmethod
    def this(cls) -> Command:
        return cls(str(Path.cwd()), tuple(sys.argv))

    def adopt(self) -> None:
        """Work as if this process were the command; InputError if its folder is not there."""
        try:
            os.chdir(self.folder)
        except OSError as error:
            raise InputError(
                f"{self.folder}: cannot be entered on {platform.node()} ({error.strerror}); run the command in a "
                "folder that all machines of the cluster share"
            ) from error
        sys.argv = list(self.words)  # what a run's environment.json says
