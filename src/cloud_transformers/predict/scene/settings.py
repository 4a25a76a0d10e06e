"""What a caller can choose about segmenting a scene, and how much memory it may take."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from cloud_transformers.datasets.s3dis.subrooms import CELL
from cloud_transformers.errors import InputError
from cloud_transformers.memory import available_memory
from cloud_transformers.models.preparation import Preparation
from cloud_transformers.space.axes import up_rotation

MISSING_COLORS = {"grey": 0.5, "black": 0.0, "white": 1.0}

# What the interpreter, torch and a small model take before the first point is read, and a batch of regions on its way
# through the model. Measured with the command in docs/scenes.md, rounded up.
BASE_BYTES = 600 << 20
# Per point of a tile while it is thinned, cut into overlapping regions and voted on; measured likewise.
BYTES_PER_POINT = 320
_MOST_POINTS_PER_TILE = 1_000_000  # more would only take memory, and make a kill cost more
_LEAST_POINTS_PER_TILE = 100_000


@dataclass(frozen=True, kw_only=True)
class SceneSettings:
    """How a scene is brought to what the model was trained on.

    cell: the scene is thinned to one point per cube of this side, in metres, before it is scored; 0 scores every point;
        None takes what `default_cell` says.
    overlap: the share of a block's side that neighbouring blocks have in common.
    up, scale: the file's axis that points up, and metres per unit of its coordinates.
    missing_color: what a model that wants colours gets where the file has none; "refuse" makes that an error.
    floor: heights count from the lowest point around, within this many metres; 0 takes the lowest of the whole scene,
        None ten times the region's extent.
    seed: of the draws from regions that hold more points than the model takes at once.
    """

    cell: float | None = None
    overlap: float = 0.5
    up: str = "z"
    scale: float = 1.0
    missing_color: Literal["grey", "black", "white", "refuse"] = "grey"
    floor: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.cell is not None and not 0 <= self.cell < float("inf"):
            raise InputError(f"cell must be a side in metres, or 0 for every point, got {self.cell}")
        if not 0 <= self.overlap <= 0.9:
            raise InputError(f"overlap must be a share between 0 and 0.9, got {self.overlap}")
        up_rotation(self.up, "z")  # complains about other names
        if not 0 < self.scale < float("inf"):
            raise InputError(f"scale must be metres per unit, above 0, got {self.scale}")
        if self.missing_color not in (*MISSING_COLORS, "refuse"):
            raise InputError(
                f"missing_color must be one of {', '.join(MISSING_COLORS)} or refuse, not {self.missing_color!r}"
            )
        if self.floor is not None and not self.floor >= 0:
            raise InputError(f"floor must be a distance in metres, or 0 for the whole scene, got {self.floor}")
        if self.seed < 0:
            raise InputError(f"seed must not be negative, got {self.seed}")

    def chosen_cell(self, preparation: Preparation) -> float:
        return default_cell(preparation) if self.cell is None else self.cell

    def chosen_floor(self, preparation: Preparation) -> float:
        return 10 * preparation.extent if self.floor is None else self.floor


def default_cell(preparation: Preparation) -> float:
    """The side of the cubes to which a scene is thinned.

    Models of spheres were trained on a grid, so they get the same one. Models of blocks were trained on random draws
    of the raw points: 3 % of the block's side leaves about as many points as such a draw has, and evens them out.
    """
    return CELL if preparation.region == "sphere" else 0.03 * preparation.extent


@dataclass(frozen=True)
class Budget:
    """How many bytes a run may take in total, and what follows from that."""

    total: int

    @property
    def free(self) -> int:
        """What is left for points."""
        return self.total - BASE_BYTES

    @property
    def tile_points(self) -> int:
        """How many points a tile should hold at most."""
        return min(_MOST_POINTS_PER_TILE, self.most_points // 2)

    @property
    def most_points(self) -> int:
        """How many points a tile can hold at all."""
        return self.free // BYTES_PER_POINT


def memory_budget(text: str | None) -> Budget:
    """A budget from "2GB", "800 MB" and the like; none given takes half of what the process may have."""
    if text is None:
        return Budget(max(available_memory() // 2, BASE_BYTES + (1 << 30)))
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)(?:i?B)?\s*", text, re.IGNORECASE)
    if found is None:
        raise InputError(f"memory {text!r} is not understood; write it as 2GB or 800MB")
    power = " KMGT".index(found[2].upper() or " ")
    budget = Budget(int(float(found[1]) * 1024**power))
    least = BASE_BYTES + 2 * _LEAST_POINTS_PER_TILE * BYTES_PER_POINT
    if budget.total < least:
        raise InputError(f"memory {text} is too little: at least {-(-least // 2**20)}MB are needed for a scene")
    return budget
