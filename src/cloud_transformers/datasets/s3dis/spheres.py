"""The S3DIS sphere protocol: balls of 2 m out of whole areas on a 4 cm grid, and the way back to raw points.

Letters: N raw points, M thinned points, P <= 8192 points of a sphere, C classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Unpack

from cloud_transformers.cache import cached_folder, fingerprint
from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.dataset import Dataset
from cloud_transformers.datasets.layout import FolderLayout, choose, locate
from cloud_transformers.datasets.problems import Problem
from cloud_transformers.datasets.s3dis.classes import SPHERE_CLASSES
from cloud_transformers.datasets.s3dis.rooms import RAW_LAYOUT, find_rooms
from cloud_transformers.datasets.s3dis.subrooms import (
    INDEX,
    SubRoomFolder,
    cached_subroom,
    prepared_subrooms,
)
from cloud_transformers.datasets.sample import SegmentationSample
from cloud_transformers.decoding import check_names
from cloud_transformers.errors import InputError
from cloud_transformers.progress import progress
from cloud_transformers.space.cells import Cells
from cloud_transformers.space.frames import Frame
from cloud_transformers.space.spheres import potential_centers, rows_within
from cloud_transformers.space.subsample import grid_subsample

SPHERES_LAYOUT = FolderLayout(
    "S3DIS for spheres",
    RAW_LAYOUT.public_name,
    f"{RAW_LAYOUT.needs}, or {INDEX} as `cloudt data prepare s3dis-spheres` writes it",
    lambda folder: (folder / INDEX).is_file() or RAW_LAYOUT.fits(folder),
)


@dataclass(frozen=True, eq=False)
class Projection:
    """From the thinned points of a scene to the raw points of one of its rooms."""

    scene: str
    room: str
    index: NDArray[np.int64]  # [N] the scene's thinned point that stands for each raw point
    label: NDArray[np.int64]  # [N] the raw points' own labels

    def raw(self, values: NDArray[Any]) -> NDArray[Any]:
        """What the thinned points of the scene [M, ...] say, for each raw point of the room [N, ...]."""
        return values[self.index]


@dataclass(frozen=True, eq=False)
class Scene:
    """One area: the thinned points of its rooms, sorted into cells and memory-mapped, so that workers share them.

    `cells.order` tells where a row stands among the points of the rooms one after the other, which is how votes and
    projections number them.
    """

    cells: Cells
    color: NDArray[np.float32]  # [M, 3] in the order of cells.points
    label: NDArray[np.uint8]  # [M] likewise

    def __len__(self) -> int:
        return len(self.label)


class S3disSpheresSource:
    """Spheres of one side of the split. See `s3dis_spheres`."""

    classes: tuple[str, ...] = SPHERE_CLASSES

    def __init__(
        self,
        rooms: list[SubRoomFolder],
        num_spheres: int,
        *,
        radius: float,
        max_points: int,
        center_noise: float,
        seed: int,
    ):
        self.scenes = tuple(dict.fromkeys(room.area for room in rooms))
        self.rooms = {scene: [room for room in rooms if room.area == scene] for scene in self.scenes}
        self.num_spheres = num_spheres
        self.radius, self.max_points, self.center_noise, self.seed = radius, max_points, center_noise, seed
        self._scenes: dict[str, Scene] = {}
        self._plan: tuple[int, NDArray[np.int64], NDArray[np.float32]] | None = None

    def with_rooms(self, rooms: Iterable[SubRoomFolder], num_spheres: int) -> S3disSpheresSource:
        """Other spheres: of some of the rooms only, as if the others did not exist."""
        return S3disSpheresSource(
            list(rooms),
            num_spheres,
            radius=self.radius,
            max_points=self.max_points,
            center_noise=self.center_noise,
            seed=self.seed,
        )

    def __len__(self) -> int:
        return self.num_spheres

    def __repr__(self) -> str:
        return f"S3DIS spheres({', '.join(self.scenes)}; {self.num_spheres} of radius {self.radius} m)"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_scenes": {}, "_plan": None}

    def name(self, index: int) -> str:
        return f"sphere {index} of {', '.join(self.scenes)}"

    def read(self, index: int, rng: np.random.Generator, epoch: int = 0) -> SegmentationSample:
        """Sphere `index` of the epoch's plan. Fields: `color`, `label`, `height` (z above the area's origin), `index`
        (the scene's thinned point, for votes). Positions are relative to the sphere's centre, nearest first."""
        number, center = self._centers(epoch, index)
        name = self.scenes[number]
        scene = self.scene(name)
        _, rows = rows_within(scene.cells, center, self.max_points)
        positions = scene.cells.points[rows]
        cloud = PointCloud(
            positions=positions - center,
            fields={
                "color": scene.color[rows],
                "label": scene.label[rows].astype(np.int64),
                "height": positions[:, 2].copy(),
                "index": scene.cells.order[rows],
            },
        )
        frame = Frame(shift=-center.astype(np.float64))
        return SegmentationSample(name=f"sphere {index} of {name}", cloud=cloud, scene=name, frame=frame)

    def scene(self, name: str) -> Scene:
        """An area with its search structure, opened once per process."""
        if name not in self._scenes:
            key = fingerprint(self._position_files(name), version=2, radius=self.radius)
            folder = cached_folder("s3dis-scenes", key, lambda folder: self._make_scene(name, folder))
            self._scenes[name] = Scene(
                Cells.load(folder, self.radius),
                np.load(folder / "color.npy", mmap_mode="r", allow_pickle=False),
                np.load(folder / "label.npy", mmap_mode="r", allow_pickle=False),
            )
        return self._scenes[name]

    def _position_files(self, *scenes: str) -> list[Path]:
        return [room.path / "positions.npy" for scene in scenes for room in self.rooms[scene]]

    def _make_scene(self, name: str, folder: Path) -> None:
        rooms = self.rooms[name]
        cells = Cells(np.concatenate([room.load("positions") for room in rooms]), self.radius)
        cells.save(folder)
        for field in ("color", "label"):
            values = np.concatenate([room.load(field) for room in rooms])
            np.save(folder / f"{field}.npy", values[cells.order], allow_pickle=False)

    def projections(self, scene: str) -> Iterator[Projection]:
        """The way to the raw points, room by room (an area has tens of millions of them)."""
        first = 0
        for room in self.rooms[scene]:
            index = room.load("nearest").astype(np.int64) + first
            yield Projection(scene, room.name, index, room.load("raw_label").astype(np.int64))
            first += len(room.load("label"))

    def problems(self) -> list[Problem]:
        problems = []
        for room in (room for rooms in self.rooms.values() for room in rooms):
            label, positions = room.load("label"), room.load("positions")
            if len(label) != len(positions) or len(room.load("color")) != len(positions):
                problems.append(Problem(str(room.path), "", "arrays differ in length; prepare the data again"))
            if len(label) and label.max() >= len(self.classes):
                problems.append(Problem(str(room.path / "label.npy"), "", f"label {label.max()} is out of range"))
            nearest, raw_label = room.load("nearest"), room.load("raw_label")
            if len(nearest) != len(raw_label) or (
                len(nearest) and not 0 <= nearest.min() <= nearest.max() < len(label)
            ):
                problems.append(
                    Problem(
                        str(room.path / "nearest.npy"),
                        "",
                        "names thinned points that do not exist; prepare the data again",
                    )
                )
            if not np.isfinite(positions).all():
                problems.append(Problem(str(room.path / "positions.npy"), "", "a coordinate is NaN or infinite"))
        return problems

    def _centers(self, epoch: int, index: int) -> tuple[int, NDArray[np.float32]]:
        """Scene and centre of a sphere, by the epoch's plan, which all processes share through the cache."""
        if self._plan is None or self._plan[0] != epoch:
            key = fingerprint(
                self._position_files(*self.scenes),
                version=1,
                parameters=[self.num_spheres, self.radius, self.max_points, self.center_noise, self.seed, epoch],
            )
            folder = cached_folder("s3dis-plans", key, lambda folder: self._make_plan(epoch, folder))
            scene = np.load(folder / "scene.npy", allow_pickle=False)
            self._plan = epoch, scene, np.load(folder / "center.npy", allow_pickle=False)
        return int(self._plan[1][index]), self._plan[2][index]

    def _make_plan(self, epoch: int, folder: Path) -> None:
        # Potentials live on a grid of a tenth of the radius: there the plan of an epoch takes seconds, not minutes.
        coarse, weights = [], []
        for name in self.scenes:
            points = np.concatenate([room.load("positions") for room in self.rooms[name]])
            thin, cube = grid_subsample(PointCloud(positions=points), self.radius / 10)
            coarse.append(thin.positions)
            weights.append(np.bincount(cube))
        scene, center = potential_centers(
            coarse,
            self.num_spheres,
            self.radius,
            np.random.default_rng((self.seed, epoch)),
            noise=self.center_noise,
            weights=weights,
            limit=self.max_points,
        )
        np.save(folder / "scene.npy", scene, allow_pickle=False)
        np.save(folder / "center.npy", center, allow_pickle=False)


class SphereOptions(TypedDict, total=False):
    """How spheres are cut: `radius` in metres, points of a sphere at most, and the noise of centres.

    The standard deviation of the noise is `center_noise * radius`.
    """

    radius: float
    max_points: int
    center_noise: float


SPHERES: SphereOptions = {"radius": 2.0, "max_points": 8192, "center_noise": 0.1}


def s3dis_spheres(
    root: str | Path,
    split: str,
    *,
    num_spheres: int,
    test_area: int = 5,
    transform: Callable[..., Any] | None = None,
    seed: int = 0,
    on_corrupt: Literal["stop", "skip"] = "stop",
    **spheres: Unpack[SphereOptions],
) -> Dataset[SegmentationSample]:
    """S3DIS in spheres of 2 m radius with at most 8192 points of a 4 cm grid, labels in `SPHERE_CLASSES`.

    Public name: `Stanford3dDataset_v1.2_Aligned_Version`; 271 rooms in 6 areas, Area 5 for test. `root` is that
    folder, whose rooms are thinned into the cache on first use, or one made by `cloudt data prepare s3dis-spheres`.
    An epoch is a plan of `num_spheres` centres; at evaluation each vote is an epoch of its own. Other spheres are cut
    with `radius`, `max_points` and `center_noise`, see `SphereOptions`. `dataset.source.projections(scene)` leads from
    the field `index` to the raw points. `on_corrupt="skip"` leaves out raw lines that cannot be repaired.
    """
    check_names(SphereOptions, spheres)
    choose("split", split, ("train", "test"))
    folder = locate(SPHERES_LAYOUT, Path(root))
    prepared = (folder / INDEX).is_file()

    def wanted(area: str) -> bool:
        return (area == f"Area_{test_area}") == (split == "test")

    if prepared:
        rooms = [room for room in prepared_subrooms(folder) if wanted(room.area)]
    else:
        raw = [room for room in find_rooms(folder) if wanted(room.area)]
        rooms = [cached_subroom(room, on_corrupt=on_corrupt) for room in progress(raw, "thinning rooms")]
    if not rooms:
        raise InputError(f"has no room for the {split} split with Area_{test_area} as test area", path=root)
    source = S3disSpheresSource(rooms, num_spheres, seed=seed, **(SPHERES | spheres))
    return Dataset(source, transform, seed=seed)
