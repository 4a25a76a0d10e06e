"""The paper's ablations by name: options for the builders `segmenter`, `classifier`, `completer`, `reconstructor`."""

from typing import Any

from cloud_transformers.models.trunk import TRUNKS, Size


def ablations(size: Size = "full", *, num_cascades: int | None = None) -> dict[str, dict[str, Any]]:
    """Ablation -> options, for models of this size; `num_cascades` if their depth is not the size's own.

    Depths are halved and doubled relative to the model's: 2 and 8 cascades at size full, as in the paper. Half of an
    odd number of cascades does not exist, so size tiny, with its single cascade, has no "half depth".
    """
    depth = num_cascades or TRUNKS[size].num_cascades
    return {
        "full": {},
        "linear keys": {"keys": "linear"},
        "unbalanced linear keys": {"keys": "linear", "balance": False},
        "no gradient balancing": {"balance": False},
        "fixed keys": {"keys": "fixed"},
        "identity transform": {"keys": "identity"},
        "no residual": {"keys": "no_residual"},
        "sum": {"reduce": "sum"},
        "mean": {"reduce": "mean"},
        "no planar heads": {"planar": False},
        "coarser grids": {"coarse": True},
        "single head": {"single_head": True},
        **({} if depth % 2 else {"half depth": {"num_cascades": depth // 2}}),
        "double depth": {"num_cascades": 2 * depth},
        "scales": {"scales": True},
    }
