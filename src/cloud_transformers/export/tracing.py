"""From a model to a program of standard operators with free sizes."""

import copy
import logging
import warnings
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.export import Dim, ExportedProgram

from cloud_transformers.export.folding import fold
from cloud_transformers.export.interface import Interface
from cloud_transformers.export.operators import NAMESPACE, in_standard_operators

# Sizes of the traced example. All are different, so that none is taken for another.
TRACED_BATCH, TRACED_POINTS, TRACED_SEED = 2, 37, 0
SMALLEST_IMAGE = 33  # pixels a side: below it, the image trunk's last map has a side of 1, which tracing tells apart


def traced(interface: Interface, but: Collection[Any] = ()) -> ExportedProgram:
    """The program of an interface's model, which stays as it is. `but`: operators of ours that stay in the program."""
    module = copy.deepcopy(interface.module)
    fold(module)
    example = interface.sample(TRACED_BATCH, TRACED_POINTS, TRACED_SEED)
    letters = {size for port in interface.inputs for size in port.shape if isinstance(size, str)}
    dims = {letter: Dim(letter, min=SMALLEST_IMAGE if letter in "hw" else 0) for letter in sorted(letters)}
    free = tuple(
        {axis: dims[size] for axis, size in enumerate(port.shape) if isinstance(size, str)} for port in interface.inputs
    )
    with torch.no_grad(), quietly(), in_standard_operators(but):
        program = torch.export.export(module, example, dynamic_shapes=free, strict=False)
    ours = {node.target for node in program.graph.nodes if str(node.target).startswith(NAMESPACE)}
    assert ours <= set(but), f"export/operators.py has no standard version of {ours - set(but)}"
    for node in program.graph.nodes:
        node.meta.pop("stack_trace", None)  # paths of this machine, and half of the file
    return program


@contextmanager
def quietly() -> Iterator[None]:
    """Without what exporters tell their own developers. Errors are raised, not logged."""
    loggers = [logging.getLogger(name) for name in ("torch.onnx", "torch.export", "onnxscript", "onnx_ir")]
    levels = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.ERROR)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
