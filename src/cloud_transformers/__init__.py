"""Deep learning on point clouds with one building block, the cloud transform.

    import cloud_transformers as ct

    cloud = ct.read("chair.ply")                             a PointCloud, from a file of any format
    answer = ct.Predictor.load("classifier-small")(cloud)    what it is; `cloudt weights` lists names
    model = ct.models.segmenter("small", num_classes=13)     a torch.nn.Module with new weights
    ct.save(model, "weights.safetensors")                    weights and configuration in one file
    same_model = ct.load("weights.safetensors")

What is reached as `ct.NAME`, in the order in which data passes through it:

    cloud        PointCloud: one cloud with named fields per point; CloudBatch: several, padded, with a mask
    io           FILE <-> CLOUD, one module or package per format
    space        where points lie: cells, neighbours, frames and axes
    datasets     CLOUD -> SAMPLE, one module per benchmark, and your own folder
    transforms   SAMPLE -> SAMPLE, small, pure, seeded
    world        a procedural world to learn from: furniture, rooms, a scanner and a camera
    ops          TENSORS -> TENSORS, one folder per operator
    layers       keys and values, the cloud transform, blocks, pooling
    models       segmenter, classifier, completer, reconstructor, in the sizes full, small and tiny
    losses       cross entropies, EMD, Chamfer
    metrics      IoU, accuracies, Chamfer, F-score, EMD
    tasks        PREDICTION -> LOSS, METRICS, one class per task
    engine       the training loop, evaluation, checkpoints
    recipes      the paper's experiments, with their data, sizes and schedules
    predict      CLOUD -> ANSWER, numpy in, numpy out; scenes of any size
    export       MODEL -> ONNX or PT2
    inspect      looking into a model at work
    report       results pages
    render       pictures of meshes and clouds
    viewer       pages in which clouds are turned, measured and cut

`help(ct.losses)` and so on say where to begin in each. Examples in docstrings know `ct`, `np` (numpy) and `torch`.
Shapes stand beside the parameters in the source, which `inspect.getsource` or `??` in IPython shows. The letters are
the same everywhere: B batch, N points, H heads, C channels per head, D grid dimension.

Importing this compiles, downloads and prints nothing; a part is loaded when it is first used. A user's mistake is an
`errors.InputError`, in one sentence. The same from a terminal is `cloudt --help`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cloud_transformers.cloud import CloudBatch, PointCloud
    from cloud_transformers.errors import InputError
    from cloud_transformers.io import read, write
    from cloud_transformers.models import load, load_release, save
    from cloud_transformers.predict import Predictor

__version__ = "0.2.0"
__all__ = [
    "CloudBatch",
    "InputError",
    "PointCloud",
    "Predictor",
    "__version__",
    "load",
    "load_release",
    "read",
    "save",
    "write",
]

# Loaded when first used, so that `cloudt --help` does not wait for torch.
_LAZY = {
    "CloudBatch": "cloud_transformers.cloud",
    "InputError": "cloud_transformers.errors",
    "PointCloud": "cloud_transformers.cloud",
    "Predictor": "cloud_transformers.predict",
    "read": "cloud_transformers.io",
    "write": "cloud_transformers.io",
    "load": "cloud_transformers.models",
    "load_release": "cloud_transformers.models",
    "save": "cloud_transformers.models",
}
_PARTS = (
    "cache",
    "checkpoints",
    "class_colors",
    "cloud",
    "compilation",
    "datasets",
    "decoding",
    "engine",
    "errors",
    "export",
    "files",
    "inspect",
    "io",
    "layers",
    "losses",
    "memory",
    "metrics",
    "models",
    "native",
    "ops",
    "ownership",
    "pages",
    "predict",
    "printable",
    "progress",
    "recipes",
    "remote",
    "render",
    "report",
    "serve",
    "space",
    "tasks",
    "temporary",
    "tensor_checks",
    "transforms",
    "viewer",
    "votes",
    "world",
)


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    if name in _PARTS:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_PARTS])
