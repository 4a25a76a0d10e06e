"""MODEL -> FILE that other programs run: ONNX, or torch's PT2, checked against the model before it is there.

`export` writes a file and says what goes into it and what comes out, as `Port`s.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from torch import nn

from cloud_transformers.errors import InputError
from cloud_transformers.export.agreement import largest_difference
from cloud_transformers.export.interface import Port
from cloud_transformers.export.onnx_file import open_onnx, require_onnx, write_onnx
from cloud_transformers.export.pt2_file import open_pt2, write_pt2
from cloud_transformers.export.tracing import traced
from cloud_transformers.files import whole_file
from cloud_transformers.models.saving import describing_metadata

SUFFIXES = (".onnx", ".pt2")

__all__ = ["SUFFIXES", "Exported", "Port", "check_path", "export"]


@dataclass(frozen=True, kw_only=True)
class Exported:
    """What was written. `difference`: the largest one seen from the model, relative to the output's magnitude."""

    path: Path
    inputs: tuple[Port, ...]  # in their order
    outputs: tuple[Port, ...]  # in their order
    difference: float


def check_path(path: str | Path) -> Path:
    """The path, or InputError if nothing can be exported to there, for its ending or for a missing package.

    >>> ct.export.check_path("classifier.pt2").suffix
    '.pt2'
    """
    path = Path(path)
    if path.suffix not in SUFFIXES:
        raise InputError(f"{path}: models are exported as {' or '.join(SUFFIXES)}; change the file's ending")
    if path.suffix == ".onnx":
        require_onnx()
    return path


def export(model: nn.Module, path: str | Path, metadata: Mapping[str, str] | None = None) -> Exported:
    """Write a model as .onnx or .pt2, in evaluation mode and float32, with free sizes of batch and cloud.

    Only standard operators are in the file. It is opened again and run beside the model on sizes that were not traced;
    it appears only if they agree. Kind and configuration are in the file's metadata, beside what `metadata` adds.

        written = ct.export.export(ct.models.classifier("tiny", num_classes=3), "classifier.pt2")
        [(port.name, port.shape) for port in written.inputs]    [('positions', ('B', 'N', 3)), ('mask', ('B', 'N'))]

    Tracing takes half a minute, so docs/export.md has the example that is run.
    """
    path = check_path(path)
    with whole_file(path) as temporary:
        program, interface = traced(model)
        content = {**describing_metadata(model), **(metadata or {})}
        if path.suffix == ".onnx":
            write_onnx(program, interface, temporary, content)
            run = open_onnx(temporary, interface)
        else:
            write_pt2(program, temporary, content)
            run = open_pt2(temporary)
        difference = largest_difference(run, interface, str(path))
    return Exported(path=path, inputs=interface.inputs, outputs=interface.outputs, difference=difference)
