"""The description of each point's neighbourhood, against sums over all pairs of points."""

import torch
from torch import Tensor

from cloud_transformers.layers import Surroundings
from cloud_transformers.layers.surroundings import num_nodes
from tests.tolerances import assert_same


def by_pairs(points: Tensor, side: float) -> Tensor:  # [N, 3] -> [N, 10]
    """Two points are near as far as they share nodes: a product of three tents' overlaps."""
    nodes = torch.linspace(-1.75, 1.75, num_nodes(side), dtype=points.dtype)
    step = nodes[1] - nodes[0]
    tents = (1 - (points[:, :, None] - nodes).abs() / step).clamp(min=0)  # [N, 3, K]
    near = torch.einsum("nak,mak->nma", tents, tents).prod(2)  # [N, N]
    count = near.sum(1, keepdim=True)
    mean = near @ points / count
    apart = points[None] - mean[:, None]  # [N, N, 3]
    covariance = torch.einsum("nm,nmi,nmj->nij", near / count, apart, apart)
    rows, columns = torch.triu_indices(3, 3)
    density = 0.3 * (count / len(points)).log()
    return torch.cat([(points - mean) / side, covariance[:, rows, columns] / side**2, density], dim=1)


def cloud(num_points: int) -> Tensor:  # [N, 3]
    drawn = torch.randn(num_points, 3, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    return drawn / drawn.norm(dim=1, keepdim=True)


def test_is_what_sums_over_pairs_give():
    points = cloud(300)
    found = Surroundings([0.12, 0.3])(points[None])[0]
    assert_same(found, torch.cat([points, by_pairs(points, 0.12), by_pairs(points, 0.3)], dim=1))


def test_a_plane_has_no_extent_across():
    points = cloud(400)
    points[:, 2] = 0.1
    covariance = Surroundings([0.3])(points[None])[0, :, 6:12]
    assert covariance[:, [2, 4, 5]].abs().max() < 1e-10  # xz, yz, zz
    assert covariance[:, [0, 3]].mean() > 0.01


def test_one_point_and_points_far_out():
    surroundings = Surroundings([0.3])
    alone = surroundings(torch.full((1, 1, 3), 0.05))
    assert_same(alone[0, 0, :12], torch.tensor([0.05] * 3 + [0.0] * 9))
    assert alone[0, 0, 12] <= 0  # it shares what it weighs with the nodes around it
    far = surroundings(torch.tensor([[[50.0, -50.0, 0.0], [0.0, 0.0, 0.0]]]))
    assert far.isfinite().all()


def test_gradients_reach_the_positions():
    points = cloud(12)[None].requires_grad_()
    assert torch.autograd.gradcheck(Surroundings([0.5]), (points,), atol=1e-6)
