"""Nearest neighbours: of every query the nearest point of another cloud.

Letters: B batch, N queries, M points.
"""

import torch
from torch import Tensor

from cloud_transformers.ops.backend import implementation
from cloud_transformers.tensor_checks import ShapeCheck

Masks = tuple[Tensor | None, Tensor | None]  # of the queries [B, N] and of the points [B, M], True = a real point


def nearest(
    queries: Tensor,  # [B, N, 3]
    points: Tensor,  # [B, M, 3]
    *,
    masks: Masks | None = None,  # of the queries [B, N] and of the points [B, M], True = a real point; either None: all
) -> tuple[Tensor, Tensor]:  # [B, N], and [B, N] int64
    """The *squared* distance from each query to the point nearest to it, and that point's index.

    Exact up to rounding, in the precision of the input (half precision is raised to float32). The gradient flows to
    the query and to the point that was found for it.

    **Ties**: one of the equally near, always the same one on the same machine, whatever the number of threads.
    **Masked** queries have distance 0, index -1 and no gradient; masked points are found by nobody; both may hold
    anything, NaN too. Where there is no point at all the distance is infinite and the index -1.
    **Not finite**: such points are found by nobody; such queries get some index and a distance that is not finite.

    >>> points = torch.tensor([[[3.0, 0.0, 0.0], [0.0, 2.0, 0.0]]])
    >>> square, index = ct.ops.nearest(torch.zeros(1, 1, 3), points)
    >>> square.tolist(), index.tolist()
    ([[4.0]], [[1]])
    """
    check = ShapeCheck()
    check("queries", queries, "B N 3")
    check("points", points, "B M 3")
    query_mask, point_mask = masks or (None, None)
    if query_mask is not None:
        check("masks[0]", query_mask, "B N", kind="bool")
        queries = queries.where(query_mask[..., None], 0)
    if point_mask is not None:
        check("masks[1]", point_mask, "B M", kind="bool")
        points = points.where(point_mask[..., None], 0)
    queries, points = (x.float() if x.dtype in (torch.float16, torch.bfloat16) else x for x in (queries, points))
    if queries.dtype != points.dtype:
        raise ValueError(f"queries are {queries.dtype} but points are {points.dtype}: convert one of them")
    index = _nearest(queries.detach(), points.detach(), point_mask)
    if points.shape[1] == 0:
        square = torch.full_like(queries[..., 0], torch.inf)
    else:
        found = points.gather(1, index.clamp(min=0)[..., None].expand(-1, -1, 3))
        square = (queries - found).square().sum(dim=2).masked_fill(index < 0, torch.inf)
    if query_mask is not None:
        square = square.masked_fill(~query_mask, 0)
        index = index.masked_fill(~query_mask, -1)
    return square, index


@torch.library.custom_op("cloud_transformers::nearest", mutates_args=())
def _nearest(queries: Tensor, points: Tensor, point_mask: Tensor | None) -> Tensor:
    is_there = points.isfinite().all(dim=2)
    if point_mask is not None:
        is_there &= point_mask
    queries, points = (x.nan_to_num(nan=0, posinf=0, neginf=0) for x in (queries, points))
    found: Tensor = implementation("nearest", queries).search(queries, points, is_there)
    return found


@_nearest.register_fake
def _(queries: Tensor, points: Tensor, point_mask: Tensor | None) -> Tensor:
    return queries.new_empty(queries.shape[:2], dtype=torch.int64)
