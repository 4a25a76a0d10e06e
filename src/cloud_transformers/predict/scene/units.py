"""Scenes whose numbers cannot be metres, or that are nothing like what the weights know: said before the long work."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from cloud_transformers.errors import InputError
from cloud_transformers.models.preparation import Preparation
from cloud_transformers.predict.scene.tiling import Census

_OFF = 200  # times sparser, or regions of the training wider than the scene, from which on a scene is refused
_UNITS = {"millimetres": 0.001, "centimetres": 0.01, "feet": 0.3048, "kilometres": 1000.0}
_NEAR = 0.45  # powers of ten: a unit that is farther from what the density suggests is not named
_LENGTH = re.compile(r'UNIT\["([^"]*(?:foot|feet|ft|met)[^"]*)",\s*(\d[\d.eE+-]*)', re.IGNORECASE)
_ENOUGH = 1000  # points: of fewer, nothing can be said about their density


@dataclass(frozen=True)
class Unit:
    name: str
    metres: float  # in one of it


def units_of(crs: str | None) -> tuple[Unit, Unit] | None:
    """The units of the ground and of heights that the text of a coordinate system names; None if it names none.

    The first is the ground's. A system of two parts names that of heights in the second.
    """
    found = list(_LENGTH.finditer(crs or ""))
    if not found:
        return None
    part = re.search(r"VERT_?(CS|CRS)\[", crs or "", re.IGNORECASE)
    ground, heights = found[0], next((each for each in found if part and each.start() > part.start()), found[0])
    return Unit(ground[1], float(ground[2])), Unit(heights[1], float(heights[2]))


def check_size(
    source: str,
    low: NDArray[Any],  # [3] the corners of the scene
    high: NDArray[Any],  # [3]
    census: Census,
    preparation: Preparation,
    metres: float = 1.0,  # per unit of the coordinates, as the scene was understood
) -> None:
    """InputError for a scene that is far sparser or smaller than those of the training, with the likely unit."""
    total, extent = int(census.counts.sum()), preparation.extent
    if total < _ENOUGH:
        return
    sides = (high - low)[:2]
    longest, mean = float(sides.max()), census.mean()
    if longest * _OFF < extent:
        wrong = f"it measures {longest:.3g} m, where the model looks at {extent:g} m at once"
    elif mean * _OFF < preparation.points:
        wrong = (
            f"it has {mean:.1f} points per {census.side:g} x {census.side:g} m, where the model was trained with up to "
            f"{preparation.points}"
        )
    else:
        return
    density = total / max(float(sides.prod()), 1e-12)
    likely = _likely_unit(metres * math.sqrt(density * extent**2 / preparation.points))
    advice = (
        f"its coordinates are likely {likely}: give --scale {_UNITS[likely]:g}; if they"
        if likely
        else "if its coordinates"
    )
    known = "metres" if metres == 1 else f"as they should be, {metres:g} m"
    raise InputError(
        f"{source}: {wrong}; {advice} are {known}, give --scale {metres:g}, and expect little: the weights know no "
        "such scenes"
    )


def _likely_unit(scale: float) -> str | None:
    """The unit nearest to a number of metres, if one is near."""
    away = {name: abs(math.log10(scale / metres)) for name, metres in _UNITS.items()}
    name = min(away, key=lambda each: away[each])
    return name if away[name] < _NEAR else None
