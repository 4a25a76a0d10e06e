"""How much memory a scene may take while it is segmented."""

from __future__ import annotations

from dataclasses import dataclass

from cloud_transformers.errors import InputError
from cloud_transformers.memory import available_memory, parse_bytes

# What the interpreter, torch and a small model take before the first point is read, and a batch of regions on its way
# through the model. Measured with the command in docs/scenes.md, rounded up.
BASE_BYTES = 600 << 20
# Per point of a tile while it is thinned, cut into overlapping regions and voted on; measured likewise.
BYTES_PER_POINT = 320
_MOST_POINTS_PER_TILE = 1_000_000  # more would only take memory, and make a kill cost more
_LEAST_POINTS_PER_TILE = 100_000


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
    try:
        budget = Budget(parse_bytes(text))
    except InputError as error:
        raise InputError(f"memory {error}") from None
    least = BASE_BYTES + 2 * _LEAST_POINTS_PER_TILE * BYTES_PER_POINT
    if budget.total < least:
        raise InputError(f"memory {text} is too little: at least {-(-least // 2**20)}MB are needed for a scene")
    return budget
