"""What `cloudt data check` says about a folder: problems, counts per class and split, and how they should be."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from cloud_transformers.cache import cached_folder, fingerprint
from cloud_transformers.datasets import modelnet40, pcn, scanobjectnn, what3d
from cloud_transformers.datasets.dataset import CountedSource, Dataset
from cloud_transformers.datasets.folder import SPLITS, TASKS, folder, read_config
from cloud_transformers.datasets.folder.label_values import advice_on, stray_values
from cloud_transformers.datasets.folder.single import cloud_files
from cloud_transformers.datasets.layout import FolderLayout, locate
from cloud_transformers.datasets.problems import EmptySplit, Problem
from cloud_transformers.datasets.repaired_text import BrokenLine
from cloud_transformers.datasets.s3dis.blocks import BLOCKS_LAYOUT, s3dis_blocks
from cloud_transformers.datasets.s3dis.blocks import FOLDER as BLOCKS_FOLDER
from cloud_transformers.datasets.s3dis.classes import AREAS, BLOCK_CLASSES
from cloud_transformers.datasets.s3dis.rooms import RAW_LAYOUT, RoomFolder, class_of, find_rooms, read_annotation
from cloud_transformers.datasets.spreading import looked_at
from cloud_transformers.errors import InputError


@dataclass
class Report:
    """The result of a check. `counts[row][column]` is what the table shows, in units of `unit`."""

    title: str
    unit: str = "samples"
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    advice: list[str] = field(default_factory=list)  # lines on what would settle the problems

    def add(self, column: str, counts: Mapping[str, int]) -> None:
        for row, count in counts.items():
            self.counts.setdefault(row, {})[column] = int(count)

    def table(self) -> str:
        """Classes downwards, splits across, totals below."""
        columns = list(dict.fromkeys(column for row in self.counts.values() for column in row))
        total = {column: sum(row.get(column, 0) for row in self.counts.values()) for column in columns}
        lines = [["class", *columns]]
        lines += [[name, *(f"{row.get(column, 0):,}" for column in columns)] for name, row in self.counts.items()]
        lines.append(["total", *(f"{total[column]:,}" for column in columns)])
        widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
        return "\n".join(
            "  ".join(
                [line[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(line[1:], widths[1:], strict=True))]
            )
            for line in lines
        )


def _look(
    report: Report,
    column: str,
    open_split: Callable[[], Dataset[Any]],
    public: int | None = None,  # how many samples the public data has
) -> None:
    """Open one split, check all of it and count it; what keeps it from being opened is a problem too."""
    try:
        dataset = open_split()
        report.problems += dataset.check()
        source: CountedSource[Any] = dataset.source  # type: ignore[assignment]
        report.add(column, source.counts())
    except EmptySplit as error:  # data without a test split, say, may be meant
        report.notes.append(f"{column}: {error}")
        return
    except InputError as error:
        report.problems.append(Problem(str(error), "", ""))
        return
    if public is not None and len(dataset) != public:
        report.notes.append(f"{column}: {len(dataset):,} samples, the public data has {public:,}")


def check_splits(
    title: str,
    layout: FolderLayout,
    open_split: Callable[..., Dataset[Any]],  # root, split -> its samples, from a `CountedSource`
    public: Mapping[str, int | None],  # the splits, and how many samples the public data has in each, where it is known
    *,
    unit: str = "samples",
) -> Callable[[Path], Report]:
    """The check of a benchmark whose splits are opened one by one."""

    def check(root: Path) -> Report:
        report = Report(title, unit=unit)
        locate(layout, root)
        for split, number in public.items():
            _look(report, split, partial(open_split, root, split), number)
        return report

    return check


check_s3dis_blocks = check_splits(
    "S3DIS blocks, Area 5 for test", BLOCKS_LAYOUT, s3dis_blocks, {"train": 16733, "test": 6852}, unit="points"
)
check_modelnet40 = check_splits("ModelNet40", modelnet40.LAYOUT, modelnet40.modelnet40, {"train": 9843, "test": 2468})
check_what3d = check_splits(
    "what3d",
    what3d.LAYOUT,
    partial(what3d.what3d, views="random"),
    dict.fromkeys(what3d.SPLITS),
    unit="shapes",
)
_check_pcn_splits = check_splits(
    "PCN completion",
    pcn.LAYOUT,
    partial(pcn.pcn, views="random"),
    dict(zip(pcn.SPLITS, (28974, 800, 1200), strict=True)),
    unit="shapes",
)


def check_s3dis_rooms(root: Path) -> Report:
    report = Report("raw S3DIS rooms", unit="points")
    rooms = find_rooms(root)
    if len(rooms) != 271:
        report.notes.append(f"{len(rooms)} rooms, the public data has 271")
    areas = {room.area for room in rooms}
    report.notes += [f"{area} is missing" for area in AREAS if area not in areas]
    totals = {area: dict.fromkeys(BLOCK_CLASSES, 0) for area in sorted(areas)}
    for room, (counts, lines, messages) in zip(rooms, looked_at(_check_room, rooms, len(rooms)), strict=True):
        for name, count in counts.items():
            totals[room.area][name] += count
        report.problems += [Problem(message, "", "") for message in messages]
        for line in lines:
            if line.repaired is None:
                report.problems.append(Problem(line.path, f"line {line.line}", f"{line.text!r} is not 6 numbers"))
            else:
                report.notes.append(f"{line} (this is done whenever the file is read)")
    for area, counts in totals.items():
        report.add(area, counts)
    return report


def _check_room(room: RoomFolder) -> tuple[dict[str, int], list[BrokenLine], list[str]]:
    """Points per class, broken lines and other problems of a room, kept in the cache until one of its files changes."""

    def build(target: Path) -> None:
        counts: dict[str, int] = {}
        broken: list[BrokenLine] = []
        messages = []
        for path in room.annotations():
            try:
                name = BLOCK_CLASSES[class_of(path, BLOCK_CLASSES)]
                counts[name] = counts.get(name, 0) + len(read_annotation(path, broken=broken, on_corrupt="skip"))
            except InputError as error:
                messages.append(str(error))
        found = {"counts": counts, "broken": [vars(line) for line in broken], "messages": messages}
        (target / "room.json").write_text(json.dumps(found), encoding="utf-8")

    key = fingerprint(room.annotations(), version=1)
    found = json.loads((cached_folder("s3dis-checks", key, build) / "room.json").read_text(encoding="utf-8"))
    lines = [
        BrokenLine(line["path"], line["line"], line["text"], line["repaired"] and tuple(line["repaired"]))
        for line in found["broken"]
    ]
    return found["counts"], lines, found["messages"]


def check_s3dis(root: Path) -> Report:
    """Whichever of the two layouts the folder holds; the rooms, if both."""
    if not (root.is_dir() and RAW_LAYOUT.fits(root)):
        return check_s3dis_blocks(root)
    report = check_s3dis_rooms(root)
    report.notes += [
        f"blocks are in {folder}; look at them with `cloudt data check s3dis-blocks`"
        for folder in (root, root / BLOCKS_FOLDER)
        if BLOCKS_LAYOUT.fits(folder)
    ]
    return report


def check_scanobjectnn(root: Path) -> Report:
    report = Report("ScanObjectNN, every variant that is there")
    locate(scanobjectnn.LAYOUT, root)
    public = {("OBJ", "train"): 2309, ("OBJ", "test"): 581, ("PB_T50_RS", "train"): 11416, ("PB_T50_RS", "test"): 2882}
    found = 0
    for fold in scanobjectnn.FOLDS:
        for variant in scanobjectnn.VARIANTS:
            for background in (True, False):
                if not background and variant.startswith("OBJ"):
                    continue
                paths = {s: scanobjectnn.path_of(root, s, variant, fold, background) for s in scanobjectnn.SPLITS}
                if not any(path.is_file() for path in paths.values()):
                    continue
                found += 1
                for split, path in paths.items():
                    column = (
                        f"{'' if fold == 'main_split' else fold + ' '}{variant}{'' if background else ' nobg'} {split}"
                    )
                    expected = public.get((variant.split("_")[0] if "OBJ" in variant else variant, split))
                    _look(
                        report,
                        column,
                        partial(_scanobjectnn_file, path),
                        expected if fold == "main_split" else None,
                    )
    if not found:
        raise InputError(f"holds no *_objectdataset*.h5. Get them as {scanobjectnn.LAYOUT.public_name}", path=root)
    if not (root / "main_split" / "training_objectdataset_augmentedrot_scale75.h5").is_file():
        report.notes.append("the paper's variant, main_split PB_T50_RS, is not there")
    return report


def _scanobjectnn_file(path: Path) -> Dataset[Any]:
    return Dataset(scanobjectnn.ScanObjectNNSource(path))


def check_pcn(root: Path) -> Report:
    report = _check_pcn_splits(root)
    if not any((root / name).is_file() for name in pcn.LISTS):
        missing = f"neither {' nor '.join(pcn.LISTS)} is there; the split lists are rebuilt from the folders"
        report.notes.insert(0, missing)
    return report


def check_folder(root: Path, task: str | None = None) -> Report:
    if not root.is_dir():
        raise InputError("no such folder", path=root)
    task = task or read_config(root).task
    if task is None:
        raise InputError(f"for which task? Name it with --task, or in dataset.toml: {', '.join(TASKS)}", path=root)
    report = Report(f"your own data for {task}", unit="points" if task == "segmentation" else "samples")
    for split in SPLITS:
        _look(report, split, partial(folder, root, split, task=task))
    if task == "segmentation":
        config = read_config(root)
        with suppress(InputError):  # what keeps the files from being read is among the problems already
            report.advice = advice_on(stray_values(cloud_files(root), config), config)
    return report


CHECKS: dict[str, Callable[..., Report]] = {
    "s3dis": check_s3dis,
    "s3dis-blocks": check_s3dis_blocks,
    "s3dis-rooms": check_s3dis_rooms,
    "scanobjectnn": check_scanobjectnn,
    "modelnet40": check_modelnet40,
    "completion": check_pcn,
    "reconstruction": check_what3d,
    "folder": check_folder,
}
