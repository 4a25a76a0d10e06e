"""Your own data: a folder of files in any format, and an optional `dataset.toml`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cloud_transformers.datasets.dataset import Dataset, Source
from cloud_transformers.datasets.folder.config import (
    FILE,
    IGNORED,
    MISSING_COLOR,
    SPLITS,
    TASKS,
    FolderConfig,
    read_config,
)
from cloud_transformers.datasets.folder.pairs import CompletionFolder, ReconstructionFolder
from cloud_transformers.datasets.folder.single import ClassificationFolder, SegmentationFolder
from cloud_transformers.datasets.layout import choose
from cloud_transformers.errors import InputError

__all__ = ["IGNORED", "MISSING_COLOR", "SPLITS", "TASKS", "FolderConfig", "folder", "read_config"]

_SOURCES: dict[str, Callable[..., Source[Any]]] = {
    "segmentation": SegmentationFolder,
    "classification": ClassificationFolder,
    "completion": CompletionFolder,
    "reconstruction": ReconstructionFolder,
}


def folder(
    root: str | Path,
    split: str,
    *,
    task: str | None = None,
    missing_color: str | None = None,
    features: Sequence[str] = (),
    config: FolderConfig | None = None,
    transform: Callable[..., Any] | None = None,
    seed: int = 0,
) -> Dataset[Any]:
    """A folder of your own files as a dataset; `config` defaults to its `dataset.toml`.

    `features` are fields beside colours that every scan must have; clouds have them under these names.

    | task | what the folder holds |
    |---|---|
    | segmentation | clouds with a label field |
    | classification | CLASS/cloud |
    | completion | partial/NAME and complete/NAME |
    | reconstruction | images/NAME and clouds/NAME |

    Below the root or below its folders `train`, `val` and `test`. Without these and without `splits` in the
    settings, a tenth each is drawn for validation and test by a hash of the names.
    """
    root = Path(root)
    choose("split", split, SPLITS)
    if not root.is_dir():
        raise InputError("no such folder", path=root)
    config = config or read_config(root)
    task = task or config.task
    if task is None:
        raise InputError(f"for which task? Set task = '...' in {FILE} to one of {', '.join(TASKS)}", path=root)
    choose("task", task, TASKS)
    if config.task not in (None, task):
        raise InputError(f"{root / FILE}: is for {config.task}, not for {task}")
    missing_color = missing_color or config.missing_color or ("error" if task == "segmentation" else "leave")
    choose("missing_color", missing_color, MISSING_COLOR)
    if features and task != "segmentation":
        raise InputError(f"fields are features of segmentation, not of {task}")
    source = _SOURCES[task](root, split, config, missing_color, *([features] if features else []))
    return Dataset(source, transform, seed=seed, repeat=config.crops)
