"""The user's own scans cut into columns that together show every labelled point once: for evaluation.

Letters: N points of a file, n points of a block, c cells with labelled points.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.cache import cached_folder, fingerprint
from cloud_transformers.cloud import PointCloud
from cloud_transformers.datasets.folder.config import IGNORED
from cloud_transformers.datasets.folder.single import SegmentationFolder
from cloud_transformers.datasets.problems import Problem
from cloud_transformers.datasets.sample import SegmentationSample
from cloud_transformers.errors import InputError
from cloud_transformers.progress import progress
from cloud_transformers.space.frames import Axis, Frame, upright


class Grid:
    """The points of one scan by the square cells of the ground in which they stand."""

    def __init__(self, ground: NDArray[Any], core: float):  # ground [N, 2]
        self.ground, self.core = ground, core
        self.origin = ground.min(axis=0).astype(np.float64)
        cell = np.floor((ground - self.origin) / core).astype(np.int64)
        self.rows_of_cells = int(cell[:, 1].max()) + 3  # an empty one on either side: no cell has a wrong neighbour
        number = cell[:, 0] * self.rows_of_cells + cell[:, 1] + 1
        self.order = np.argsort(number, kind="stable")
        self.occupied, self.starts = np.unique(number[self.order], return_index=True)
        self.starts = np.append(self.starts, len(number))

    def core_rows(self, cell: int) -> NDArray[np.int64]:
        place = np.searchsorted(self.occupied, cell)
        if place == len(self.occupied) or self.occupied[place] != cell:
            return np.zeros(0, np.int64)
        return self.order[self.starts[place] : self.starts[place + 1]]

    def block_rows(self, cell: int, margin: float) -> NDArray[np.int64]:
        """The points of a cell and of the ground around it, as far as `margin`, which is at most the cell's side."""
        if margin == 0:
            return self.core_rows(cell)
        around = [
            self.core_rows(cell + across * self.rows_of_cells + along) for across in (-1, 0, 1) for along in (-1, 0, 1)
        ]
        rows = np.concatenate(around)
        low = self.origin + np.array([cell // self.rows_of_cells, cell % self.rows_of_cells - 1]) * self.core
        places = self.ground[rows]
        return rows[((places >= low - margin) & (places <= low + self.core + margin)).all(axis=1)]


@dataclass(frozen=True, eq=False)
class Scan:
    """One file, ready to be cut."""

    number: int
    cloud: PointCloud
    grid: Grid
    lowest: float  # along the axis that points up


class SegmentationTiles:
    """Blocks of side `extent`, in which the labelled points of the middle are asked for and the others are context.

    The middle is a cell of the ground, `margin` (a share of the extent) away from the block's border, and the cells
    cover the scan. A block of more than `points` points becomes several samples: each asks for another part of the
    middle's points and is filled up, to the density that training had, with others drawn from the block, whose label is
    then -1. So every labelled point is asked for exactly once. Coordinates are as `transforms.BlockCrop` leaves them.
    """

    def __init__(
        self,
        folder: SegmentationFolder,
        files: NDArray[np.int64],  # the numbers of the folder's files that are to be covered
        *,
        extent: float,
        points: int,
        margin: float = 0.25,
        up: Axis = "z",
    ):
        if not 0 <= margin <= 1 / 3:
            raise InputError(f"margin must be between 0 and a third of the extent, got {margin}")
        self.folder, self.files = folder, files
        self.extent, self.points, self.margin, self.up = extent, points, margin, up
        self.classes = folder.classes
        self.core = extent * (1 - 2 * margin)
        self._scan: Scan | None = None
        plan = cached_folder("folder-tiles", self._key(), self._make_plan)
        # [samples, 4]: file, cell, which part of the cell, of how many
        self.plan = np.load(plan / "plan.npy", allow_pickle=False)

    def _key(self) -> str:
        parameters = [self.extent, self.points, self.margin, self.up, self.folder.settings(), self.files.tolist()]
        return fingerprint([self.folder.files[file] for file in self.files], version=1, parameters=parameters)

    def _make_plan(self, folder: Path) -> None:
        tiles: list[tuple[int, int, int, int]] = []
        for file in progress(self.files, "covering scans"):
            scan = self._opened(int(file))
            grid = scan.grid
            is_labelled = scan.cloud.fields["label"] != IGNORED
            for cell in grid.occupied.tolist():
                num_labelled = int(is_labelled[grid.core_rows(cell)].sum())
                wanted = -(-len(grid.block_rows(cell, self.margin * self.extent)) // self.points)
                parts = min(wanted, num_labelled)
                tiles += [(int(file), cell, part, parts) for part in range(parts)]
        np.save(folder / "plan.npy", np.array(tiles, np.int64).reshape(-1, 4), allow_pickle=False)

    def _opened(self, file: int) -> Scan:
        """The last one is kept, since samples are asked for file by file."""
        if self._scan is None or self._scan.number != file:
            cloud = self.folder.read(file, np.random.default_rng(0)).cloud
            up = "xyz".index(self.up)
            grid = Grid(np.delete(cloud.positions, up, axis=1), self.core)
            self._scan = Scan(file, cloud, grid, float(cloud.positions[:, up].min()))
        return self._scan

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_scan": None}

    def __len__(self) -> int:
        return len(self.plan)

    def __repr__(self) -> str:
        return f"tiles({self.folder!r}, extent={self.extent:g}, {len(self)} samples)"

    def name(self, index: int) -> str:
        file, cell, part, parts = self.plan[index].tolist()
        return f"{self.folder.name(file)}, cell {cell}, part {part + 1} of {parts}"

    def read(self, index: int, rng: np.random.Generator, epoch: int = 0) -> SegmentationSample:
        """Fields: `label`, -1 where a point is context, and `color` where the scan has it."""
        file, cell, part, parts = self.plan[index].tolist()
        scan = self._opened(file)
        cloud, grid = scan.cloud, scan.grid
        block = grid.block_rows(cell, self.margin * self.extent)
        labels = cloud.fields["label"]
        core = np.sort(grid.core_rows(cell))
        core = core[labels[core] != IGNORED]
        # The same shuffle for all parts, whoever reads them: together they are the whole.
        asked = np.random.default_rng(cell).permutation(core)[part::parts]
        others = np.setdiff1d(block, asked)
        context = rng.permutation(others)[: max(0, self.points - len(asked))]
        rows = np.concatenate([asked, context])
        turn = upright(self.up, "z")
        low = (cloud.positions[block] @ turn.T).min(axis=0) + np.array([self.extent / 2, self.extent / 2, 0])
        low[2] = scan.lowest
        fields = {"label": np.concatenate([labels[asked], np.full(len(context), IGNORED, np.int64)])}
        if "color" in cloud.fields:
            fields["color"] = cloud.fields["color"][rows]
        positions = (cloud.positions[rows] @ turn.T - low).astype(np.float32)
        return SegmentationSample(
            name=self.name(index),
            cloud=PointCloud(positions=positions, fields=fields, offset=cloud.offset),
            scene=str(self.folder.files[file]),
            frame=Frame(turn, -low),
        )

    def problems(self) -> list[Problem]:
        """None: scans are looked at by their folder, before they are cut."""
        return []
