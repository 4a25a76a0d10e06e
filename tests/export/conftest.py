"""Each model is exported once and shared: an exporter takes seconds even for one block."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from torch import Tensor, nn
from torch.export import ExportedProgram

from cloud_transformers.export.interface import Interface, interface_of
from cloud_transformers.export.onnx_file import open_onnx, trace_for_onnx, write_onnx
from cloud_transformers.export.pt2_file import open_pt2, write_pt2
from cloud_transformers.export.tracing import traced
from cloud_transformers.models.preparation import Preparation
from cloud_transformers.models.saving import describing_metadata
from tests.export.one_block import one_block

OPTIONS: dict[str, dict[str, object]] = {
    "segmenter": {},
    # Exporters take twice as long for twice the heads, and the segmenter has both kinds.
    "classifier": {"planar": False},
    "completer": {"planar": False},  # it moves points; the reconstructor's decoder places them
    "reconstructor": {"planar": False},
    "surroundings": {"surroundings": (0.5,), "planar": False},
    "mean, scales, paper": {"reduce": "mean", "scales": True, "flavour": "paper", "planar": False},
}
KIND_OF = {"surroundings": "classifier", "mean, scales, paper": "segmenter"}  # of the names that are no kind
PREPARATIONS = {
    "classifier": Preparation(task="classification", classes=("a", "b", "c", "d")),
    "completer": Preparation(task="completion", extent=1.5, scale=0.5),
}


@dataclass(frozen=True)
class Written:
    model: nn.Module
    interface: Interface
    program: ExportedProgram
    onnx: Path
    run_onnx: Callable[..., list[Tensor]]
    run_pt2: Callable[..., list[Tensor]]


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Written]:
    made: dict[str, Written] = {}

    def make(name: str) -> Written:
        if name not in made:
            folder = tmp_path_factory.mktemp("exported")
            model = one_block(KIND_OF.get(name, name), moves=name == "completer", **OPTIONS[name])
            interface = interface_of(model, PREPARATIONS.get(name))
            metadata = {**describing_metadata(model), "preparation": "{}"}
            write_onnx(trace_for_onnx(interface), interface, folder / "model.onnx", metadata)
            program = traced(interface)
            write_pt2(program, folder / "model.pt2", metadata)
            made[name] = Written(
                model,
                interface,
                program,
                folder / "model.onnx",
                open_onnx(folder / "model.onnx", interface),
                open_pt2(folder / "model.pt2"),
            )
        return made[name]

    return make
