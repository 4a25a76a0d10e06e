"""The operators in ONNX's own operations, for torch's exporter to put where it meets ours.

A trace of the same in torch's operations (`operators.py`) would follow the symbolic shape of every intermediate result,
which is most of the time that an export takes.

Letters: B batch, H heads, N points, C channels per head, D grid dimension, K corners of a cell, G grid nodes.
"""

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import torch
from torch.export import ExportedProgram

from cloud_transformers.export.operators import check_reduction, corner_table
from cloud_transformers.ops.corners import KEY_LIMIT

Value = Any  # a tensor in the graph that is being written

FLOAT, INT64 = 1, 7  # as ONNX numbers its types


def _opset() -> Any:
    """ONNX's operations. Python's numbers and lists become constants of the type that an operation wants."""
    from onnxscript import opset18

    return opset18


def check_translatable(program: ExportedProgram) -> None:
    """InputError if the program holds an operator of ours in a form that is not written here."""
    for node in program.graph.nodes:
        if node.target in translations():
            names = [argument.name for argument in node.target._schema.arguments]
            check_reduction(node.args[names.index("reduce")])


def translations() -> dict[Callable[..., Any], Callable[..., Any]]:
    """Our operators -> the functions that write them."""
    ours = torch.ops.cloud_transformers
    return {ours.transform.default: _transform, ours.rasterize.default: _rasterize}


def _transform(
    values: Value,  # [B, H, N, C]
    keys: Value,  # [B, H, N, D]
    weight: Value,  # [H * C, C, 3, ...]
    bias: Value,
    size: Sequence[int],
    reduce: str,
    mask: Value = None,  # [B, N]
    balance: bool = True,
) -> Value:  # [B, H, N, C]
    op = _opset()

    H, C = weight.shape[0] // weight.shape[1], int(weight.shape[1])
    visible = None if mask is None else op.Unsqueeze(mask, [1, 3])
    index, share = _corners(keys, size, visible, C)
    grid = _write(values, index, share, size, reduce, visible, H, C)
    grid = op.Reshape(op.Transpose(grid, perm=[0, 1, 3, 2]), [0, H * C, *size])
    grid = op.Conv(grid, weight, bias, group=H, pads=[1] * (2 * len(size)))
    nodes = op.Transpose(op.Reshape(grid, [0, H, C, prod(size)]), perm=[0, 1, 3, 2])
    corners = op.Reshape(op.GatherElements(nodes, index, axis=2), [0, 0, -1, len(corner_table(size).steps), C])
    read = op.ReduceSum(op.Mul(share, corners), [3], keepdims=0)
    return _hidden(read, visible)


def _rasterize(
    values: Value,  # [B, H, N, C]
    keys: Value,  # [B, H, N, D]
    size: Sequence[int],
    reduce: str,
    mask: Value = None,  # [B, N]
    balance: bool = True,
) -> tuple[Value, Value]:
    """The grid [B, H, ..., C], and an empty note for the backward pass."""
    op = _opset()

    H, C = int(values.shape[1]), int(values.shape[3])
    visible = None if mask is None else op.Unsqueeze(mask, [1, 3])
    index, share = _corners(keys, size, visible, C)
    grid = _write(values, index, share, size, reduce, visible, H, C)
    return op.Reshape(grid, [0, H, *size, C]), op.Slice(share, [0], [0], [0])


def _corners(keys: Value, size: Sequence[int], visible: Value, C: int) -> tuple[Value, Value]:
    """Flat indices of the nodes [B, H, N * K, C], the same for all channels, and weights [B, H, N, K, 1]."""
    op = _opset()

    table = corner_table(size)
    coordinate = op.Clip(_hidden(keys, visible), -KEY_LIMIT, KEY_LIMIT)
    coordinate = op.Mul(op.Add(coordinate, 1.0), [last / 2 for last in table.last])
    highest = op.Constant(value_floats=[max(last - 1.0, 0.0) for last in table.last])
    lower = op.Min(op.Floor(coordinate), highest)
    lower = op.Where(op.IsNaN(lower), 0.0, lower)
    first = op.ReduceSum(op.Mul(op.Cast(lower, to=INT64), table.stride), [3], keepdims=1)
    cell = op.Reshape(op.Add(first, table.steps), [0, 0, -1, 1])
    fraction = op.Unsqueeze(op.Sub(coordinate, lower), [3])
    ends = op.Constant(value_floats=[end for corner in table.lower_ends for end in corner])
    ends = op.Reshape(ends, [len(table.steps), len(size)])
    share = op.ReduceProd(op.Abs(op.Sub(ends, fraction)), [4], keepdims=1)
    return op.Expand(cell, [1, 1, 1, C]), share


def _write(
    values: Value,
    index: Value,
    share: Value,
    size: Sequence[int],
    reduce: str,
    visible: Value,
    H: int,
    C: int,
) -> Value:  # [B, H, G, C]
    op = _opset()

    brought = op.Mul(share, op.Unsqueeze(_hidden(values, visible), [3]))  # [B, H, N, K, C]
    room = op.Concat(op.Shape(values, start=0, end=1), op.Constant(value_ints=[H, prod(size), C]), axis=0)
    empty = op.Expand(op.Constant(value_float=0.0), room)

    def scattered(points: Value, reduction: str) -> Value:
        return op.ScatterElements(empty, index, op.Reshape(points, [0, 0, -1, C]), axis=2, reduction=reduction)

    if reduce == "max":
        return scattered(brought, "max")
    if reduce == "sum":
        return scattered(brought, "add")
    one = op.Constant(value_float=1.0)
    each = one if visible is None else op.Unsqueeze(op.Cast(visible, to=FLOAT), [3])
    count = scattered(op.Expand(each, op.Shape(brought)), "add")
    return op.Div(scattered(brought, "add"), op.Max(count, one))


def _hidden(values: Value, visible: Value) -> Value:
    op = _opset()

    return values if visible is None else op.Where(visible, values, 0.0)
