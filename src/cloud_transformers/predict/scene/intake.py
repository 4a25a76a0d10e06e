"""Clouds as they come from a file, brought to the model's metres, up axis and colours by a stated policy.

- `--up` turns the axes (a rotation, no mirror), `--scale` multiplies all coordinates.
- Colours of uint8 are divided by 255, of uint16 by 65535, floats are taken as they are. Files that keep 8-bit colours
  in 16 bits, or 0..255 in floats, are recognised by their largest value; one with nothing but black has no colours.
- Where there are none, the model gets one colour for all points, and the user is told.
- Normals and other fields that the model learned from must be there, by their names; see `cloud.channels`.

Letters: N points, C channels that the model wants of the file, E of them that are no colours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cloud import PointCloud
from cloud_transformers.cloud.channels import NORMAL, channels, standardized
from cloud_transformers.errors import InputError
from cloud_transformers.io import Outline
from cloud_transformers.models.preparation import Preparation, num_channels, plain_fields
from cloud_transformers.predict.scene.points import ScenePoints
from cloud_transformers.predict.scene.regions import Extent
from cloud_transformers.predict.scene.settings import MISSING_COLORS, SceneSettings
from cloud_transformers.predict.scene.units import Unit, units_of
from cloud_transformers.space.blocks import bounds
from cloud_transformers.space.frames import up_rotation

# Kinds of colours by width, and the values that full light can have in each; the last is the usual one.
_FULL_LIGHT = {"uint8": (255.0,), "uint16": (255.0, 65535.0), "float": (65535.0, 255.0, 1.0)}
_KINDS = list(_FULL_LIGHT)


_FAR = 5.0  # of the training's deviations: a field whose mean is farther away is likely in another unit


@dataclass(frozen=True, eq=False)
class Part:
    """Points of a part of a file, as far as the model will need them."""

    positions: NDArray[np.float32]  # [N, 3] relative to the scene's anchor, z up, in metres
    colors: NDArray[Any] | None  # [N, 3 or 4] as the file has them; None where it has none or nobody wants them
    fields: NDArray[np.float32]  # [N, E] as the model wants them


class Survey:
    """What must be known of the whole scene before its first point can be brought to the model."""

    def __init__(self, source: str, preparation: Preparation, settings: SceneSettings) -> None:
        self.source, self.settings, self.preparation = source, settings, preparation
        self.wants_color = "color" in preparation.features
        self._turn = up_rotation(settings.up, "z")
        self.num_points = self.num_left_out = 0
        self.metres = settings.metres  # per unit of the coordinates
        self._scales = np.full(3, self.metres)  # the same for each axis of the file: heights may have their own unit
        self._units: tuple[Unit, Unit] | None = None  # that the file names for its ground and heights
        self._anchor: NDArray[np.float64] | None = None  # [3] what positions are relative to
        self.low, self.high = np.full(3, np.inf), np.full(3, -np.inf)
        self.file_low, self.file_high = np.full(3, np.inf), np.full(3, -np.inf)
        self.fields = [name for name in preparation.features if name not in ("color", "height")]
        self._fields_sum = np.zeros(num_channels(self.fields))  # [E]
        self.brightest = 0.0
        self.color_kind: str | None = None

    def _positions(self, cloud: PointCloud) -> NDArray[np.float32]:
        """Positions relative to the anchor, z up, in metres."""
        if self._anchor is None and self.settings.scale is None and (units := units_of(cloud.crs)) is not None:
            self._units, self.metres = units, units[0].metres
            self._scales = np.array([units[0].metres, units[0].metres, units[1].metres])
        anchor = self._turn @ (cloud.offset * self._scales)
        if self._anchor is None:
            self._anchor = anchor
        if not np.array_equal(anchor, self._anchor):
            raise ValueError("all parts of a scene must have one offset")
        positions = cloud.positions
        if (self._scales != 1).any():
            positions = (positions * self._scales).astype(np.float32)
        if self.settings.up != "z":
            positions = positions @ self._turn.T.astype(np.float32)  # zeros and ones: every bit is kept
        return np.ascontiguousarray(positions)

    def add(self, cloud: PointCloud) -> Part:
        """Take note of a part of the scene; returns what the model will need of it."""
        positions = self._positions(cloud)
        self.num_left_out += int(cloud.metadata.get("non_finite", 0))
        part = Part(positions, cloud.fields.get("color") if self.wants_color else None, self._fields(cloud))
        if not len(positions):
            return part
        self.num_points += len(positions)
        low, high = bounds(positions)
        self.low, self.high = np.minimum(self.low, low), np.maximum(self.high, high)
        low, high = bounds(cloud.positions)
        self.file_low, self.file_high = np.minimum(self.file_low, low), np.maximum(self.file_high, high)
        self._fields_sum += part.fields.sum(axis=0, dtype=np.float64)
        colors = part.colors
        if colors is not None:
            if colors.ndim != 2 or colors.shape[1] < 3 or colors.dtype.kind not in "uif":
                raise InputError(f"{self.source}: its colours are {colors.dtype} {list(colors.shape)}, not [N, 3]")
            if colors.dtype.kind == "f" and not np.isfinite(colors).all():
                raise InputError(f"{self.source}: a colour is NaN or infinite; leave them out with --drop color")
            if colors.min() < 0:
                raise InputError(f"{self.source}: a colour is negative; leave them out with --drop color")
            self.brightest = max(self.brightest, float(colors[:, :3].max()))
            kind = "float" if colors.dtype.kind == "f" else "uint8" if colors.dtype == np.uint8 else "uint16"
            # Text in parts decides on types part by part: the widest counts.
            self.color_kind = max(self.color_kind or kind, kind, key=_KINDS.index)
        return part

    def merge(self, other: Survey) -> None:
        """Take note of the parts that another survey of the same file has seen, which come after those seen here."""
        if self._anchor is None:
            self._anchor, self._units = other._anchor, other._units
            self.metres, self._scales = other.metres, other._scales
        self.num_points += other.num_points
        self.num_left_out += other.num_left_out
        self.low, self.high = np.minimum(self.low, other.low), np.maximum(self.high, other.high)
        self.file_low = np.minimum(self.file_low, other.file_low)
        self.file_high = np.maximum(self.file_high, other.file_high)
        self._fields_sum = self._fields_sum + other._fields_sum
        self.brightest = max(self.brightest, other.brightest)
        kinds = [kind for kind in (self.color_kind, other.color_kind) if kind is not None]
        self.color_kind = max(kinds, key=_KINDS.index) if kinds else None

    @property
    def outline(self) -> Outline:
        """The scene as its file has it."""
        return Outline(self.num_points, self.file_low, self.file_high)

    def extent(self) -> Extent:
        """Where the scene lies, once all parts were added; its floors are still to be filled with the positions."""
        return Extent.between(self.low, self.high, self.preparation, self.settings.chosen_floor(self.preparation))

    @property
    def full_brightness(self) -> float | None:
        """The value of a channel that means full light; None where the colours are missing."""
        if not self.wants_color or self.color_kind is None or self.brightest == 0:
            return None
        for full in sorted(_FULL_LIGHT[self.color_kind]):
            if self.brightest <= full * (1 + 1e-6):
                return full
        raise InputError(
            f"{self.source}: colours reach {self.brightest:g}, which is neither 0..1, 0..255 nor 0..65535; "
            "leave them out with --drop color"
        )

    def notes(self) -> list[str]:
        """What the user should know about how the file was understood."""
        return self._notes_on_units() + self._notes_on_points() + self._notes_on_colors() + self._notes_on_fields()

    def _notes_on_units(self) -> list[str]:
        if self._units is None or (self._scales == 1).all():
            return []
        ground, heights = self._units
        also = "" if heights == ground else f", its heights in {heights.name}: {heights.metres:g} m"
        return [f"is in {ground.name}: {ground.metres:g} m per unit (--scale){also}"]

    def _notes_on_points(self) -> list[str]:
        if not self.num_left_out:
            return []
        return [f"{self.num_left_out:,} points with a NaN or infinite coordinate were left out"]

    def _notes_on_colors(self) -> list[str]:
        if not self.wants_color:
            return []
        if self.full_brightness is None:
            what = "nothing but black for colours" if self.color_kind else "no colours"
            if self.settings.missing_color == "refuse":
                raise InputError(f"{self.source}: has {what}, which these weights need; choose --missing-color")
            chosen = self.settings.missing_color
            return [f"has {what}: the model, trained with colours, sees every point {chosen} (--missing-color)"]
        assert self.color_kind is not None
        if self.full_brightness != _FULL_LIGHT[self.color_kind][-1]:
            return [f"has colours up to {self.brightest:g}: they are taken as 0..{self.full_brightness:g}"]
        return []

    def points(self, part: Part, first: int) -> ScenePoints:
        """Points of a part that `add` returned, once all were added; the first of them has the number `first`."""
        columns = {name: part.fields[:, place] for name, place in self._places().items()}
        if self.wants_color:
            columns["color"] = self._brightness(part)
        wanted = [columns[name] for name in self.preparation.features if name != "height"]
        values = np.concatenate(wanted, axis=1) if wanted else np.zeros((len(part.positions), 0), np.float32)
        return ScenePoints(part.positions, values, np.arange(first, first + len(part.positions)))

    def _brightness(self, part: Part) -> NDArray[np.float32]:  # [N, 3]
        if self.full_brightness is None or part.colors is None:
            return np.full((len(part.positions), 3), MISSING_COLORS[self.settings.missing_color], np.float32)
        return part.colors[:, :3].astype(np.float32) / np.float32(self.full_brightness)

    def _places(self) -> dict[str, slice]:
        """Where the channels of each field are among those of all."""
        ends = np.cumsum([num_channels([name]) for name in self.fields]).tolist()
        return {name: slice(end - num_channels([name]), end) for name, end in zip(self.fields, ends, strict=True)}

    def _fields(self, cloud: PointCloud) -> NDArray[np.float32]:  # [N, E]
        """Normals with z up, other fields less the training's mean over its deviation."""
        said = self.preparation
        scales = dict(zip(plain_fields(self.fields), zip(said.field_mean, said.field_std, strict=True), strict=True))
        columns = [np.zeros((len(cloud), 0), np.float32)]
        for name in self.fields:
            found = channels(cloud, name, self.source)
            if name == NORMAL:
                columns.append((found @ self._turn.T).astype(np.float32))
            else:
                columns.append(standardized(found, *scales[name])[:, None])
        return np.concatenate(columns, axis=1)

    def _notes_on_fields(self) -> list[str]:
        notes = []
        for name, place in self._places().items():
            away = float(self._fields_sum[place][0]) / max(self.num_points, 1)
            if name != NORMAL and abs(away) > _FAR:
                side = "above" if away > 0 else "below"
                notes.append(
                    f"its {name} is on average {abs(away):.0f} deviations {side} that of the training: if it is in "
                    "another unit or range, the labels are guesses"
                )
        return notes
