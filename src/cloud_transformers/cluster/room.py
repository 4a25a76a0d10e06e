"""What a cluster has to give: how many cores each of some processes can have, and whether graphics cards are there."""

from __future__ import annotations

import os
import platform
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


def enter(folder: str) -> None:
    """Work in this folder, which is the command's, so that paths mean the same here; InputError if it is not there."""
    try:
        os.chdir(folder)
    except OSError as error:
        raise InputError(
            f"{folder}: cannot be entered on {platform.node()} ({error.strerror}); run the command in a folder that "
            "all machines of the cluster share"
        ) from error
