"""The paper's ablations by name: options for the builders `segmenter`, `classifier`, `completer`, `reconstructor`."""

from typing import Any

ABLATIONS: dict[str, dict[str, Any]] = {
    "full": {},
    "linear keys": {"keys": "linear"},
    "fixed keys": {"keys": "fixed"},
    "identity transform": {"keys": "identity"},
    "no residual": {"keys": "no_residual"},
    "sum": {"reduce": "sum"},
    "mean": {"reduce": "mean"},
    "no planar heads": {"planar": False},
    "coarser grids": {"coarse": True},
    "single head": {"single_head": True},
    "two cascades": {"num_cascades": 2},
    "eight cascades": {"num_cascades": 8},
    "no gradient balancing": {"balance": False},
    "scales": {"scales": True},
}
