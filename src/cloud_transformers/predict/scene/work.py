"""The folder in which a scene lies while it is segmented: its points by tile, and the answers that are there already.

    parts/00003         positions, colours and fields of a part of the file, until they are in tiles
    ranges/...          the same of a range of the file, and its tiles, where many workers sort the points
    spooled.json        written when all points are in their tiles: how many each has, which, and where they lie
    tiles/00012/        number, position, values    the tile's points, in the order of the file
                        thin_number, ...            what they were thinned to
                        stands_for                  which thinned point stands for each
                        label, confidence, unsure   the answers, for each of the tile's points

A file is there whole or not at all, and depends on nothing but the input, the weights and the settings, whose content
is in the folder's name. So what a killed run has left is taken as it is, if every file is as long as it must be. Beside
the folder lies the lock of the process that works in it.

Letters: T tiles, S tiles of a range.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cloud_transformers.decoding import decode, read_object
from cloud_transformers.errors import InputError
from cloud_transformers.files import whole_file
from cloud_transformers.predict.scene.parts import PartsFolder, as_bytes, read_array
from cloud_transformers.predict.scene.points import ScenePoints
from cloud_transformers.predict.scene.scoring import Answers
from cloud_transformers.space.blocks import bounds

_BLOCK = 1 << 18  # points of a neighbouring tile looked at together
_COPIED = 4 << 20  # bytes at a time
_PREFIXES = {False: "", True: "thin_"}


@dataclass(frozen=True, kw_only=True)
class _Spooled:
    counts: tuple[int, ...]
    numbers: tuple[tuple[int, ...], ...]
    boxes: tuple[tuple[tuple[float, ...], ...], ...]


@dataclass(frozen=True, eq=False)
class TileCounts:
    """What a folder holds of the tiles that have points in it."""

    folder: Path
    tiles: NDArray[np.int64]  # [S] their numbers
    counts: NDArray[np.int64]  # [S]
    numbers: NDArray[np.int64]  # [S, first and last point's number]
    boxes: NDArray[np.float64]  # [S, low and high, x and y]


class WorkFolder:
    def __init__(self, path: Path, channels: int, *, knows_unsure: bool = False) -> None:
        self.path, self.channels, self.knows_unsure = path, channels, knows_unsure  # channels: of `ScenePoints.values`
        self.counts: list[int] = []  # [T]
        self.numbers = np.zeros((0, 2), np.int64)  # [T, first and last point's number]
        self.boxes = np.zeros((0, 2, 2))  # [T, low and high, x and y]
        self.parts = PartsFolder(path / "parts")

    @property
    def lock(self) -> Path:
        return self.path.with_name(f"{self.path.name}.lock")

    def resume(self) -> bool:
        """Whether the points are in their tiles already; if not, what there is of them is removed."""
        try:
            spooled = decode(_Spooled, read_object(self.path / "spooled.json"), "spooled.json")
            self.counts = list(spooled.counts)
            self.numbers = np.array(spooled.numbers, np.int64).reshape(len(self.counts), 2)
            self.boxes = np.array(spooled.boxes).reshape(len(self.counts), 2, 2)
            if all(map(self._is_consistent, range(len(self.counts)))):
                return True
        except (OSError, ValueError):
            pass
        shutil.rmtree(self.path, ignore_errors=True)
        self.path.mkdir(parents=True, exist_ok=True)  # a worker of a killed command may live a moment longer
        self.counts = []
        return False

    def _is_consistent(self, tile: int) -> bool:
        """Whether all files of a tile have the lengths that belong together."""
        folder = self._tile(tile)
        sizes = {each.name: each.stat().st_size for each in folder.iterdir() if not each.name.startswith(".")}
        scored = sizes.get("thin_number", 0) // 8
        per_point = {"number": 8, "position": 12, "values": 4 * self.channels}
        wanted = {name: size * self.counts[tile] for name, size in per_point.items()}
        if "stands_for" in sizes:
            wanted |= {f"thin_{name}": size * scored for name, size in per_point.items()}
            wanted["stands_for"] = 4 * self.counts[tile]
        if "label" in sizes:
            wanted |= {"label": 4 * self.counts[tile], "confidence": 4 * self.counts[tile]}
        return all(sizes.get(name) == size for name, size in wanted.items())

    def begin(self, num_tiles: int) -> None:
        self.counts = [0] * num_tiles
        self.numbers = np.zeros((num_tiles, 2), np.int64)
        self.boxes = np.full((num_tiles, 2, 2), np.inf) * np.array([1, -1])[:, None]

    def append(self, points: ScenePoints, tile: NDArray[np.int64]) -> None:
        """Put points into their tiles."""
        order = np.argsort(tile, kind="stable")
        tiles, first = np.unique(tile[order], return_index=True)
        for number, rows in zip(tiles.tolist(), np.split(order, first[1:]), strict=True):
            part = points.select(rows)
            if not self.counts[number]:
                self._tile(number).mkdir(parents=True)
            for name, values in (("number", part.number), ("position", part.positions), ("values", part.values)):
                with (self._tile(number) / name).open("ab") as file:
                    file.write(as_bytes(values))
            if not self.counts[number]:
                self.numbers[number, 0] = part.number[0]
            self.numbers[number, 1] = part.number[-1]
            self.counts[number] += len(part)
            low, high = bounds(part.positions[:, :2])
            self.boxes[number, 0] = np.minimum(self.boxes[number, 0], low)
            self.boxes[number, 1] = np.maximum(self.boxes[number, 1], high)

    def segment(self, name: str) -> WorkFolder:
        """A folder below this one, never used before, for the tiles' points of a range of the file."""
        folder = self.path / "ranges" / f"{name}.{uuid.uuid4().hex}"  # who does it again must not meet what was begun
        folder.mkdir(parents=True)
        return WorkFolder(folder, self.channels)

    def gather(self, tile: int, segments: Sequence[Path]) -> None:
        """Put together a tile's points from the folders that hold some, in the order of the file."""
        self._tile(tile).mkdir(parents=True, exist_ok=True)
        for name in ("number", "position", "values"):
            with whole_file(self._tile(tile) / name) as target, target.open("wb") as file:
                for folder in segments:
                    with (_tile_of(folder, tile) / name).open("rb") as segment:
                        shutil.copyfileobj(segment, file, _COPIED)

    def take_counts(self, num_tiles: int, segments: Iterable[TileCounts]) -> None:
        """What there is in the tiles, of segments in the order of the file."""
        self.begin(num_tiles)
        counts = np.zeros(num_tiles, np.int64)
        for each in segments:
            tiles = each.tiles
            self.numbers[tiles, 0] = np.where(counts[tiles] == 0, each.numbers[:, 0], self.numbers[tiles, 0])
            self.numbers[tiles, 1] = each.numbers[:, 1]
            counts[tiles] += each.counts
            self.boxes[tiles, 0] = np.minimum(self.boxes[tiles, 0], each.boxes[:, 0])
            self.boxes[tiles, 1] = np.maximum(self.boxes[tiles, 1], each.boxes[:, 1])
        self.counts = counts.tolist()

    def tile_counts(self) -> TileCounts:
        """What there is in the tiles that hold points."""
        tiles = np.flatnonzero(self.counts)
        return TileCounts(self.path, tiles, np.array(self.counts)[tiles], self.numbers[tiles], self.boxes[tiles])

    def require_seen(self) -> None:
        """InputError on a machine that does not see the folder."""
        if not self.path.is_dir():
            raise InputError(
                f"{self.path}: this machine of the cluster does not see the work folder; name one that all of them "
                "share, under the same path, with --work"
            )

    def finish_spooling(self) -> None:
        with whole_file(self.path / "spooled.json") as target:
            spooled = {"counts": self.counts, "numbers": self.numbers.tolist(), "boxes": self.boxes.tolist()}
            target.write_text(json.dumps(spooled), encoding="utf-8")

    def points(self, tile: int, *, thinned: bool) -> ScenePoints:
        return next(self._blocks(tile, thinned, None))

    def tiles_within(self, low: NDArray[np.float64], high: NDArray[np.float64]) -> list[int]:
        """Tiles of which points may lie in a rectangle."""
        inside = ((self.boxes[:, 0] <= high) & (self.boxes[:, 1] >= low)).all(axis=1)
        return [int(tile) for tile in np.flatnonzero(inside)]

    def points_within(self, tile: int, low: NDArray[np.float64], high: NDArray[np.float64]) -> Iterator[ScenePoints]:
        """Scored points of a tile that lie in a rectangle, block by block."""
        for block in self._blocks(tile, self.is_thinned(tile), _BLOCK):
            x, y = block.positions[:, 0], block.positions[:, 1]
            inside = (x >= low[0]) & (x <= high[0]) & (y >= low[1]) & (y <= high[1])
            if inside.any():
                yield block.select(inside)

    def _blocks(self, tile: int, thinned: bool, size: int | None) -> Iterator[ScenePoints]:
        files = [self._tile(tile) / (_PREFIXES[thinned] + name) for name in ("position", "values", "number")]
        total, wide = files[2].stat().st_size // 8, self.channels
        for start in range(0, max(total, 1), size or max(total, 1)):
            count = total - start if size is None else min(size, total - start)
            yield ScenePoints(
                read_array(files[0], np.float32, start * 3, count * 3).reshape(-1, 3),
                read_array(files[1], np.float32, start * wide, count * wide).reshape(count, wide),
                read_array(files[2], np.int64, start, count),
            )

    def is_thinned(self, tile: int) -> bool:
        return (self._tile(tile) / "stands_for").exists()

    def keep_thinned(self, tile: int, points: ScenePoints, stands_for: NDArray[np.int64]) -> None:
        arrays: dict[str, NDArray[Any]] = {
            "thin_position": points.positions,
            "thin_values": points.values,
            "thin_number": points.number,
        }
        arrays["stands_for"] = stands_for.astype(np.int32)  # the last one: it tells that the others are there
        for name, values in arrays.items():
            self._keep(tile, name, values)

    def stands_for(self, tile: int) -> NDArray[np.int32] | None:
        path = self._tile(tile) / "stands_for"
        return read_array(path, np.int32, 0, self.counts[tile]) if path.exists() else None

    def is_answered(self, tile: int) -> bool:
        return (self._tile(tile) / "label").exists()

    def keep_answers(self, tile: int, answers: Answers) -> None:
        if answers.unsure is not None:
            self._keep(tile, "unsure", answers.unsure)
        self._keep(tile, "confidence", answers.confidence)
        self._keep(tile, "label", answers.labels.astype(np.int32))

    def answers(self, first: int, count: int) -> Answers:
        """What is said of points `first` to `first + count` of the file; the label is -1 where nothing is."""
        labels, confidence = np.full(count, -1, np.int32), np.zeros(count, np.float32)
        unsure = np.zeros(count, bool) if self.knows_unsure else None
        # Most tiles have no point of a part, and there are too many to open them all for each.
        for tile in np.flatnonzero((self.numbers[:, 0] < first + count) & (self.numbers[:, 1] >= first)).tolist():
            number = np.memmap(self._tile(tile) / "number", np.int64, "r", shape=(self.counts[tile],))
            begin, end = np.searchsorted(number, [first, first + count]).tolist()
            if begin == end:
                continue
            places = np.asarray(number[begin:end]) - first
            labels[places] = read_array(self._tile(tile) / "label", np.int32, begin, end - begin)
            confidence[places] = read_array(self._tile(tile) / "confidence", np.float32, begin, end - begin)
            if unsure is not None:
                unsure[places] = read_array(self._tile(tile) / "unsure", bool, begin, end - begin)
        return Answers(labels, confidence, unsure)

    def remove(self) -> None:
        with contextlib.suppress(OSError):  # an answer that is written does not become wrong by what is left behind
            shutil.rmtree(self.path)

    def _tile(self, tile: int) -> Path:
        return _tile_of(self.path, tile)

    def _keep(self, tile: int, name: str, values: NDArray[Any]) -> None:
        with whole_file(self._tile(tile) / name) as target, target.open("wb") as file:
            file.write(as_bytes(values))


def _tile_of(folder: Path, tile: int) -> Path:
    return folder / "tiles" / f"{tile:05d}"
