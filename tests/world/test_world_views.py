import numpy as np
import pytest

from cloud_transformers.world import objects, views


def distance_to_surface(points: np.ndarray, mesh) -> np.ndarray:
    """Distance from each point to the nearest triangle's plane among those whose triangle it projects into."""
    a, b, c = np.moveaxis(mesh.corners(), 1, 0)
    normals, areas = mesh.normals_and_areas()
    solid = areas > 1e-12
    a, b, c, normals = a[solid], b[solid], c[solid], normals[solid]
    best = np.full(len(points), np.inf)
    for k, point in enumerate(points):
        height = np.einsum("fi,fi->f", point - a, normals)
        foot = point - height[:, None] * normals
        inside = np.ones(len(a), dtype=bool)
        for p, q in ((a, b), (b, c), (c, a)):
            inside &= np.einsum("fi,fi->f", np.cross(q - p, foot - p), normals) >= -1e-9
        best[k] = np.abs(height[inside]).min(initial=np.inf)
    return best


@pytest.mark.parametrize("index", range(8))
def test_partial_views_lie_on_the_complete_surface(index: int) -> None:
    sample = views.completion(0, index, view=3)
    partial, complete = sample["partial"], sample["complete"]
    assert complete.shape == (16384, 3)
    assert complete.dtype == partial.dtype == np.float32
    assert 200 < len(partial) <= 2048
    assert np.abs(complete).max() <= 0.5
    assert np.linalg.norm(np.ptp(complete, axis=0)) == pytest.approx(1, abs=0.03)
    mesh = views.normalized(objects.build(0, index, sample["class_name"]))
    z_up = np.stack([partial[:, 0], -partial[:, 2], partial[:, 1]], axis=1).astype(float)
    chosen = z_up[:: max(1, len(z_up) // 40)]
    assert np.quantile(distance_to_surface(chosen, mesh), 0.95) < 1e-5
    assert sample["class_name"] == views.COMPLETION_CLASSES[index]


def test_a_partial_view_is_partial_and_views_differ() -> None:
    complete = views.complete(0, 2)
    covered = []
    for view in range(4):
        partial = views.partial(0, 2, view)
        near = ((complete[::16, None] - partial[None]) ** 2).sum(axis=2).min(axis=1) < 0.03**2
        covered.append(near.mean())
    assert max(covered) < 0.95
    assert min(covered) > 0.1
    assert not np.array_equal(views.partial(0, 2, 0)[:50], views.partial(0, 2, 1)[:50])
    np.testing.assert_array_equal(views.partial(0, 2, 1), views.partial(0, 2, 1))


@pytest.mark.parametrize("index", range(12))  # ceramic sinks and toilets are as white as the background
def test_pictures_show_the_cloud(index: int) -> None:
    sample = views.reconstruction(1, index, view=index % 5)
    image, points = sample["image"], sample["points"]
    assert image.shape == (224, 224, 3)
    assert image.dtype == np.uint8
    assert points.shape == (10_000, 3)
    assert points.min() >= 0
    assert points.max() <= 1
    drawn = (image < 253).any(axis=2)
    assert 0.01 < drawn.mean() < 0.7
    column, row = np.floor(views.project(points)).astype(int).T
    assert min(column.min(), row.min()) >= 0
    assert max(column.max(), row.max()) < 224
    assert grown(drawn, 2)[row, column].mean() > 0.98
    hit = np.zeros_like(drawn)
    hit[row, column] = True
    assert grown(hit, 4)[drawn].mean() > 0.97


def grown(mask: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        padded = np.pad(mask, 1)
        mask = padded[1:-1, 1:-1] | padded[2:, 1:-1] | padded[:-2, 1:-1] | padded[1:-1, 2:] | padded[1:-1, :-2]
    return mask


def test_pictures_differ_between_views_and_repeat() -> None:
    first, again, other = (views.reconstruction(0, 4, view)["image"] for view in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)
