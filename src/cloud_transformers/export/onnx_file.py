"""ONNX: written by torch's exporter, run by ONNX Runtime."""

from collections.abc import Callable, Mapping
from pathlib import Path

import torch
from torch import Tensor
from torch.export import ExportedProgram

from cloud_transformers.errors import InputError
from cloud_transformers.export.interface import Interface, Port
from cloud_transformers.export.onnx_operators import check_translatable, translations
from cloud_transformers.export.tracing import quietly, traced


def require_onnx() -> None:
    """InputError unless the packages are there: asked first, since tracing takes a while."""
    try:
        import onnxruntime  # noqa: F401
        import onnxscript  # noqa: F401
    except ImportError as error:
        raise InputError(
            f".onnx files need {error.name}: pip install 'cloud-transformers[export]', or export to .pt2"
        ) from error


def trace_for_onnx(interface: Interface) -> ExportedProgram:
    """The model's program, with those of our operators in it that have a version in ONNX's."""
    program = traced(interface, but=translations())
    check_translatable(program)
    return program


def write_onnx(program: ExportedProgram, interface: Interface, path: Path, metadata: Mapping[str, str]) -> None:
    """One file, weights included; names and shapes are those of the interface, `metadata` goes into metadata_props."""
    with quietly():
        exported = torch.onnx.export(
            program,
            dynamo=True,
            verbose=False,
            custom_translation_table=translations(),
            optimize=False,  # runtimes do that when they open a file, in a fraction of the time
            input_names=[port.name for port in interface.inputs],
            output_names=[port.name for port in interface.outputs],
        )
        assert exported is not None
        for value, port in zip(exported.model.graph.inputs, interface.inputs, strict=True):
            _describe(value, port)
        for value, port in zip(exported.model.graph.outputs, interface.outputs, strict=True):
            _describe(value, port)
        for node in exported.model.graph:
            node.metadata_props.clear()  # the exporter's notes to its developers, larger than a small model's weights
        exported.model.metadata_props.update(metadata)
        exported.save(path, external_data=False)


def _describe(value: object, port: Port) -> None:
    import onnx_ir

    assert isinstance(value, onnx_ir.Value)
    value.shape = onnx_ir.Shape(port.shape)
    value.doc_string = port.meaning


def open_onnx(path: Path, interface: Interface) -> Callable[..., list[Tensor]]:
    """The file as a function of tensors."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = torch.get_num_threads()
    options.log_severity_level = 3  # errors only
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    names = [port.name for port in interface.inputs]

    def run(*inputs: Tensor) -> list[Tensor]:
        given = {name: value.numpy() for name, value in zip(names, inputs, strict=True)}
        return [torch.from_numpy(value) for value in session.run([port.name for port in interface.outputs], given)]

    return run
