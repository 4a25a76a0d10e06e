"""Deep learning on point clouds with cloud transforms. Importing this compiles, downloads and prints nothing.

import cloud_transformers as ct
model = ct.models.segmenter("small", num_classes=13)
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cloud_transformers.cloud import CloudBatch, PointCloud
    from cloud_transformers.io import read, write
    from cloud_transformers.models import load, load_release, save
    from cloud_transformers.predict import Predictor

__version__ = "0.1.0"
__all__ = [
    "CloudBatch",
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
    "PointCloud": "cloud_transformers.cloud",
    "Predictor": "cloud_transformers.predict",
    "read": "cloud_transformers.io",
    "write": "cloud_transformers.io",
    "load": "cloud_transformers.models",
    "load_release": "cloud_transformers.models",
    "save": "cloud_transformers.models",
}
_SUBPACKAGES = (
    "datasets",
    "engine",
    "export",
    "inspect",
    "io",
    "layers",
    "models",
    "ops",
    "predict",
    "recipes",
    "report",
    "tasks",
    "transforms",
)


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    if name in _SUBPACKAGES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_SUBPACKAGES])
