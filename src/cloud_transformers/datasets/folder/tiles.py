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
from cloud_transformers.cloud.channels import NORMAL
from cloud_transformers.datasets.folder.config import IGNORED
from cloud_transformers.datasets.folder.single import SegmentationFolder
from cloud_transformers.datasets.problems import Problem
from cloud_transformers.datasets.sample import SegmentationSample
from cloud_transformers.errors import InputError
from cloud_transformers.progress import progress
from cloud_transformers.space.blocks import block_frame, column_rows
from cloud_transformers.space.cells import Cells
from cloud_transformers.space.floors import Estimate, floor_under
from cloud_transformers.space.frames import Axis


@dataclass(frozen=True, eq=False)
class Scan:
    """One file, ready to be cut."""

    number: int
    cloud: PointCloud
    cells: Cells  # squares of the ground
    floor: float  # along the axis that points up

    def cell_numbers(self) -> list[int]:
        """One number for each occupied cell, by which plans and names know it and its points are shuffled."""
        across, along = self.cells.indices().T
        return (across * self._stride() + along + 1).tolist()

    def cell_index(self, number: int) -> NDArray[np.int64]:  # [2]
        return np.array([number // self._stride(), number % self._stride() - 1])

    def _stride(self) -> int:
        return int(self.cells.lines[1][-1]) + 3


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
        floor: Estimate = "lowest",
    ):
        if not 0 <= margin <= 1 / 3:
            raise InputError(f"margin must be between 0 and a third of the extent, got {margin}")
        self.folder, self.files = folder, files
        self.extent, self.points, self.margin, self.up, self.floor = extent, points, margin, up, floor
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
            is_labelled = scan.cloud.fields["label"] != IGNORED
            for cell, core in zip(scan.cell_numbers(), scan.cells, strict=True):
                num_labelled = int(is_labelled[core].sum())
                block = column_rows(scan.cells, scan.cell_index(cell), self.margin * self.extent)
                wanted = -(-len(block) // self.points)
                parts = min(wanted, num_labelled)
                tiles += [(int(file), cell, part, parts) for part in range(parts)]
        np.save(folder / "plan.npy", np.array(tiles, np.int64).reshape(-1, 4), allow_pickle=False)

    def _opened(self, file: int) -> Scan:
        """The last one is kept, since samples are asked for file by file."""
        if self._scan is None or self._scan.number != file:
            cloud = self.folder.read(file, np.random.default_rng(0)).cloud
            up = "xyz".index(self.up)
            ground = np.delete(cloud.positions, up, axis=1)
            cells = Cells(ground, self.core, ground.min(axis=0).astype(np.float64))
            self._scan = Scan(file, cloud, cells, floor_under(cloud.positions, up, self.extent, self.floor))
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
        """Fields: `label`, -1 where a point is context, the folder's features, and `color` where the scan has it."""
        file, cell, part, parts = self.plan[index].tolist()
        scan = self._opened(file)
        cloud, square = scan.cloud, scan.cell_index(cell)
        block = column_rows(scan.cells, square, self.margin * self.extent)
        labels = cloud.fields["label"]
        core = np.sort(scan.cells.rows(square))
        core = core[labels[core] != IGNORED]
        # The same shuffle for all parts, whoever reads them: together they are the whole.
        asked = np.random.default_rng(cell).permutation(core)[part::parts]
        others = np.setdiff1d(block, asked)
        context = rng.permutation(others)[: max(0, self.points - len(asked))]
        rows = np.concatenate([asked, context])
        frame = block_frame(cloud.positions[block], self.extent, self.up, scan.floor)
        fields = {"label": np.concatenate([labels[asked], np.full(len(context), IGNORED, np.int64)])}
        if "color" in cloud.fields:
            fields["color"] = cloud.fields["color"][rows]
        fields |= {name: cloud.fields[name][rows] for name in self.folder.features}
        if NORMAL in fields:
            fields[NORMAL] = fields[NORMAL] @ frame.matrix.T
        positions = frame.apply(cloud.positions[rows]).astype(np.float32)
        return SegmentationSample(
            name=self.name(index),
            cloud=PointCloud(positions=positions, fields=fields, offset=cloud.offset),
            scene=str(self.folder.files[file]),
            frame=frame,
        )

    def problems(self) -> list[Problem]:
        """None: scans are looked at by their folder, before they are cut."""
        return []
