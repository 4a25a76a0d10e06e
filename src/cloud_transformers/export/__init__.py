"""MODEL -> FILE that other programs run: ONNX, or torch's PT2, checked against the model before it is there.

`export` writes a file and says what goes into it and what comes out, as `Port`s.
"""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from torch import nn

from cloud_transformers.errors import InputError
from cloud_transformers.export.agreement import largest_difference
from cloud_transformers.export.interface import Port, interface_of
from cloud_transformers.export.onnx_file import open_onnx, require_onnx, trace_for_onnx, write_onnx
from cloud_transformers.export.pt2_file import open_pt2, write_pt2
from cloud_transformers.export.tracing import traced
from cloud_transformers.files import whole_file
from cloud_transformers.models.preparation import Preparation
from cloud_transformers.models.saving import describing_metadata
from cloud_transformers.progress import stages_bar

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


def export(
    model: nn.Module,
    path: str | Path,
    metadata: Mapping[str, str] | None = None,
    *,
    preparation: Preparation | None = None,
    progress: bool = False,
) -> Exported:
    """Write a model as .onnx or .pt2, in evaluation mode and float32, with free sizes of batch and cloud.

    Only standard operators are in the file. It is opened again and run beside the model on sizes that were not traced;
    it appears only if they agree. Kind and configuration are in the file's metadata, beside what `metadata` adds.
    With a `preparation`, as weight files have it, the file itself centres and scales clouds where that concerns a cloud
    alone, and the metadata say the rest. `progress` shows on a terminal which step is under way.

        written = ct.export.export(ct.models.classifier("tiny", num_classes=3), "classifier.pt2")
        [(port.name, port.shape) for port in written.inputs]    [('positions', ('B', 'N', 3)), ('mask', ('B', 'N'))]

    Tracing takes seconds, so docs/export.md has the example that is run.
    """
    path = check_path(path)
    content = {**describing_metadata(model), **(metadata or {})}
    if preparation is not None:
        content["preparation"] = preparation.to_json()
    interface = interface_of(copy.deepcopy(model).cpu().float().eval(), preparation)
    with whole_file(path) as temporary, stages_bar(f"exporting {path.name}", 3, progress) as begin:
        begin("tracing the model")
        if path.suffix == ".onnx":
            program = trace_for_onnx(interface)
            begin("writing its operators")
            write_onnx(program, interface, temporary, content)
            begin("comparing the file with the model")
            run = open_onnx(temporary, interface)
        else:
            program = traced(interface)
            begin("writing its operators")
            write_pt2(program, temporary, content)
            begin("comparing the file with the model")
            run = open_pt2(temporary)
        difference = largest_difference(run, interface, str(path))
    return Exported(path=path, inputs=interface.inputs, outputs=interface.outputs, difference=difference)
