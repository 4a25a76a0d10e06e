"""PT2: torch's own format of programs, for torch without this package, and for compilers behind torch.export."""

from collections.abc import Callable, Mapping
from pathlib import Path

import torch
from torch import Tensor
from torch.export import ExportedProgram

from cloud_transformers.export.tracing import quietly


def write_pt2(program: ExportedProgram, path: Path, metadata: Mapping[str, str]) -> None:
    """Every entry of `metadata` is an extra file of the archive."""
    with quietly():
        torch.export.save(program, path, extra_files=dict(metadata))


def open_pt2(path: Path) -> Callable[..., list[Tensor]]:
    """The file as a function of tensors."""
    with quietly():
        module = torch.export.load(path).module()

    def run(*inputs: Tensor) -> list[Tensor]:
        with torch.no_grad():
            return list(module(*inputs))

    return run
