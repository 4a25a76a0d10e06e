"""What is shown: clouds in a common frame, and the classes of their labels.

Letters: N points, K classes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.class_colors import class_colors
from cloud_transformers.viewer.packing import Start, pack

POINTS = 1_000_000  # of a cloud that are shown unless another number is asked for
MOST_CLASSES = 1000  # labels with more values than this number instances rather than name classes
TRUTHS = ("truth", "original_label")  # fields that hold the truth beside an answer
_LEGEND = re.compile(r"comment label (-?\d+) (.+)")  # of a .ply file, as answers have it


class Points(Protocol):
    """What is asked of a cloud; `PointCloud` has it."""

    @property
    def positions(self) -> NDArray[Any]:
        """[N, 3]"""

    @property
    def offset(self) -> NDArray[Any]:
        """[3], to be added to positions"""

    @property
    def fields(self) -> Mapping[str, NDArray[Any]]:
        """each [N] or [N, C]"""

    @property
    def metadata(self) -> Mapping[str, Any]:
        """`classes`, names of labels, and `ply`, with its comments, are looked at"""


Mesh = tuple[NDArray[Any], NDArray[Any]]  # vertices [V, 3] in world coordinates, and triangles [F, 3] of their numbers


@dataclass(frozen=True, eq=False, kw_only=True)
class ShownCloud:
    """One cloud with what it can be coloured by."""

    name: str  # by which it is chosen, such as that of its file
    positions: NDArray[Any]  # [N, 3]
    offset: NDArray[Any] = field(default_factory=lambda: np.zeros(3))  # [3] world coordinates are positions + offset
    color: NDArray[np.uint8] | None = None  # [N, 3]
    label: NDArray[Any] | None = None  # [N] places among the scene's classes, -1 for none
    truth: NDArray[Any] | None = None  # [N] likewise
    confidence: NDArray[Any] | None = None  # [N] in [0, 1]
    probabilities: NDArray[Any] | None = None  # [N, K] in [0, 1]
    scalars: Mapping[str, NDArray[Any]] = field(default_factory=dict)  # each [N]
    moved: NDArray[Any] | None = None  # [N, 3] where points go when the slider of the folding is moved
    mesh: Mesh | None = None  # on whose triangles the points were drawn


@dataclass(frozen=True, eq=False, kw_only=True)
class Scene:
    """Clouds to be looked at together."""

    clouds: tuple[ShownCloud, ...]  # the first is shown first
    title: str = "cloud"  # of the page
    up: str = "z"  # the axis that points up: x, y, z, -x, -y or -z
    classes: tuple[str, ...] = ()  # [K]
    values: tuple[int, ...] = ()  # [K] what files call the classes; none: 0, 1, ...
    notes: tuple[str, ...] = ()  # sentences to be read below the picture
    points: int = POINTS  # of each cloud, at most; the others are left out of the picture, and it says so; a mesh with
    # more triangles than this is shown as points only
    exact: bool = False  # whether positions keep all digits of float32
    start: Start | None = None  # which clouds and colours are shown first; None: the viewer chooses
    inspection: Mapping[str, Any] | None = None  # of the head inspector, see `inspect.heads_page`

    @classmethod
    def of(
        cls,
        clouds: Mapping[str, Points],
        *,
        classes: Sequence[str] = (),
        values: Sequence[int] = (),
        meshes: Mapping[str, Mesh] | None = None,
        **settings: Any,
    ) -> Scene:
        """Clouds by their names, with all that their fields tell: colour, label, truth, confidence, other numbers.

        `classes` name the labels, by `values` if given, else 0, 1 and so on; without them names are taken from the
        clouds, or labels are called by their numbers. `meshes` are those that clouds of the same name were drawn on,
        as `io.read_mesh` returns them. The `settings` are fields of a scene: `title`, `up`, `points`.

        >>> cloud = ct.PointCloud(positions=np.eye(3, dtype=np.float32), fields={"label": np.array([4, 7, 7])})
        >>> ct.viewer.Scene.of({"a.ply": cloud}).classes
        ('label 4', 'label 7')
        """
        named = dict(zip(values or range(len(classes)), classes, strict=True))
        for cloud in clouds.values():
            if not classes:
                named |= _names_of(cloud)
        names = {**{value: f"label {value}" for value in _found_labels(clouds.values())}, **named}
        table = sorted(names)
        of_name = meshes or {}
        shown = tuple(_shown(name, each, np.array(table, np.int64), of_name.get(name)) for name, each in clouds.items())
        settings.setdefault("title", ", ".join(clouds) or "nothing")
        return cls(clouds=shown, classes=tuple(names[value] for value in table), values=tuple(table), **settings)

    def to_bytes(self) -> bytes:
        """Header and arrays in one piece, as the viewer takes them."""
        header, data = pack(self, class_colors(self.classes))
        return header + data


def _names_of(cloud: Points) -> dict[int, str]:
    found = [_LEGEND.fullmatch(line) for line in cloud.metadata.get("ply", {}).get("comments", ())]
    legend = {int(each[1]): each[2] for each in found if each}
    return legend or dict(enumerate(cloud.metadata.get("classes", ())))


def _labels_of(cloud: Points) -> dict[str, NDArray[Any]]:
    """Fields that hold labels: `label`, and the truth where there is one."""
    fields = [("label", cloud.fields.get("label"))]
    fields += [("truth", cloud.fields[name]) for name in TRUTHS if name in cloud.fields][:1]
    return {
        name: values
        for name, values in fields
        if values is not None and values.ndim == 1 and values.dtype.kind in "iub" and len(_different(values))
    }


def _different(values: NDArray[Any]) -> NDArray[Any]:
    """The labels that occur; none if there are too many to be classes."""
    found = np.unique(values)
    return found if len(found) <= MOST_CLASSES else found[:0]


def _found_labels(clouds: Iterable[Points]) -> set[int]:
    labels = [values for cloud in clouds for values in _labels_of(cloud).values()]
    return {int(value) for values in labels for value in _different(values) if value >= 0}


def _shown(name: str, cloud: Points, table: NDArray[np.int64], mesh: Mesh | None) -> ShownCloud:
    labels = _labels_of(cloud)
    places = {key: _places(values.astype(np.int64), table) for key, values in labels.items()}
    probabilities = cloud.fields.get("probabilities")
    known = {"label", "confidence", "color", *TRUTHS} if "label" in labels else {"color"}
    others = {
        key: values
        for key, values in cloud.fields.items()
        if key not in known and values.ndim == 1 and values.dtype.kind in "iufb"
    }
    return ShownCloud(
        name=name,
        positions=cloud.positions,
        offset=cloud.offset,
        color=_bytes(cloud.fields.get("color")),
        label=places.get("label"),
        truth=places.get("truth"),
        confidence=cloud.fields.get("confidence") if "label" in labels else None,
        probabilities=probabilities if probabilities is not None and probabilities.shape[1:] == table.shape else None,
        scalars=others,
        mesh=mesh,
    )


def _places(labels: NDArray[np.int64], table: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where labels stand in the sorted `table`; -1 for those that do not."""
    if not len(table):
        return np.full(len(labels), -1)
    found = np.searchsorted(table, labels).clip(max=len(table) - 1)
    return np.where(table[found] == labels, found, -1)


def _bytes(colors: NDArray[Any] | None) -> NDArray[np.uint8] | None:
    """Colours of any type as bytes: those of 16 bits lose the lower ones, floats are in [0, 1]."""
    if colors is None or colors.ndim != 2 or colors.shape[1] < 3:
        return None
    colors = colors[:, :3]
    if colors.dtype.kind == "f":
        return np.rint(255 * np.nan_to_num(colors).clip(0, 1)).astype(np.uint8)
    return (colors >> 8).astype(np.uint8) if colors.dtype == np.uint16 else colors.clip(0, 255).astype(np.uint8)
