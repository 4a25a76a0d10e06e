"""What a caller can choose about segmenting a scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cloud_transformers.errors import InputError
from cloud_transformers.models.preparation import Preparation
from cloud_transformers.space.frames import up_rotation
from cloud_transformers.space.subsample import SPHERE_CELL

MissingColor = Literal["grey", "black", "white", "refuse"]
MISSING_COLORS = {"grey": 0.5, "black": 0.0, "white": 1.0}


@dataclass(frozen=True, kw_only=True)
class SceneSettings:
    """How a scene is brought to what the model was trained on.

    cell: the scene is thinned to one point per cube of this side, in metres, before it is scored; 0 scores every point;
        None takes what `default_cell` says.
    overlap: the share of a block's side that neighbouring blocks have in common.
    up, scale: the file's axis that points up, and metres per unit of its coordinates. None takes the
        unit that the file's coordinate system names, else metres, and refuses a scene that is some hundred times
        smaller or sparser than what the weights were trained on.
    missing_color: what a model that wants colours gets where the file has none; "refuse" makes that an error.
    floor: heights count from the floor around, within this many metres; 0 takes that of the whole scene, None ten times
        the region's extent.
    turns: how often each region is looked at, turned about the up axis in between; the answers are averaged. None takes
        what the weights say.
    seed: of the draws from regions that hold more points than the model takes at once.
    """

    cell: float | None = None
    overlap: float = 0.5
    up: str = "z"
    scale: float | None = None
    missing_color: MissingColor = "grey"
    floor: float | None = None
    turns: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.cell is not None and not 0 <= self.cell < float("inf"):
            raise InputError(f"cell must be a side in metres, or 0 for every point, got {self.cell}")
        if not 0 <= self.overlap <= 0.9:
            raise InputError(f"overlap must be a share between 0 and 0.9, got {self.overlap}")
        up_rotation(self.up, "z")  # complains about other names
        if self.scale is not None and not 0 < self.scale < float("inf"):
            raise InputError(f"scale must be metres per unit, above 0, got {self.scale}")
        if self.missing_color not in (*MISSING_COLORS, "refuse"):
            raise InputError(
                f"missing_color must be one of {', '.join(MISSING_COLORS)} or refuse, not {self.missing_color!r}"
            )
        if self.floor is not None and not self.floor >= 0:
            raise InputError(f"floor must be a distance in metres, or 0 for the whole scene, got {self.floor}")
        if self.turns is not None and self.turns < 1:
            raise InputError(f"turns must be at least 1, got {self.turns}")
        if self.seed < 0:
            raise InputError(f"seed must not be negative, got {self.seed}")

    @property
    def metres(self) -> float:
        """Per unit of the coordinates."""
        return 1.0 if self.scale is None else self.scale

    def chosen_cell(self, preparation: Preparation) -> float:
        return default_cell(preparation) if self.cell is None else self.cell

    def chosen_turns(self, preparation: Preparation) -> int:
        return preparation.turns if self.turns is None else self.turns

    def chosen_floor(self, preparation: Preparation) -> float:
        return 10 * preparation.extent if self.floor is None else self.floor


def default_cell(preparation: Preparation) -> float:
    """The side of the cubes to which a scene is thinned.

    Models of spheres were trained on a grid, so they get the same one. Models of blocks were trained on random draws
    of the raw points: 3 % of the block's side leaves about as many points as such a draw has, and evens them out.
    """
    return SPHERE_CELL if preparation.region == "sphere" else 0.03 * preparation.extent
