"""The z-buffer against a ray-triangle test written the slow way, and the scanner's physics."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloud_transformers.render.mesh import Mesh, merge
from cloud_transformers.render.raster import Camera, cast
from cloud_transformers.world.parts import box, ellipsoid
from cloud_transformers.world.scanner import PERFECT, Faults, around, scan
from tests.search import examples

GRAY = np.full(3, 0.6)


def slow_depth(mesh: Mesh, camera: Camera) -> tuple[np.ndarray, np.ndarray]:
    """Depth per pixel by testing every ray against every triangle, and how close each ray came to an edge."""
    x, y = camera.slopes()
    rays = np.stack([*np.meshgrid(x, y), np.ones((camera.height, camera.width))], axis=-1).reshape(-1, 3) @ camera.axes
    depth = np.full(len(rays), np.inf)
    margin = np.full(len(rays), np.inf)
    for a, b, c in mesh.corners() - camera.position:
        matrix = np.stack([b - a, c - a], axis=1)
        for k, ray in enumerate(rays):
            system = np.column_stack([matrix, -ray])
            if abs(np.linalg.det(system)) < 1e-9:
                margin[k] = 0
                continue
            u, v, t = np.linalg.solve(system, -a)
            inside = min(u, v, 1 - u - v)
            margin[k] = min(margin[k], abs(inside))
            if inside >= 0 and t > 0:
                depth[k] = min(depth[k], t)
    shape = (camera.height, camera.width)
    return depth.reshape(shape), margin.reshape(shape)


@examples(25)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.sampled_from([(9, 9), (7, 12)]))
def test_cast_agrees_with_ray_triangle_tests(seed: int, faces: int, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(seed)  # some of these triangles reach behind the camera
    mesh = Mesh(rng.uniform(-2, 2, (3 * faces, 3)), np.arange(3 * faces).reshape(-1, 3), np.ones((faces, 3)))
    level = Camera.looking(rng.uniform(-1, 1, 3), rng.uniform([-1, 2, -1], [1, 4, 1]), 80.0, 9)
    camera = Camera(level.position, level.axes, level.spread, *shape)
    hits = cast(mesh, camera)
    expected, margin = slow_depth(mesh, camera)
    clear = (margin > 1e-6) & ~((expected > 0) & (expected < 0.01))
    np.testing.assert_allclose(hits.depth[clear], expected[clear], rtol=1e-7)
    assert ((hits.face >= 0) == np.isfinite(hits.depth)).all()


@pytest.mark.parametrize("flip", [1, -1])
def test_a_face_that_passes_behind_the_camera_on_its_axis(flip: int) -> None:
    """The corner behind lies at slope 0, yet the face reaches the picture's edge: its rows must come from the cut."""
    camera = Camera.looking([0, 0, 0], [0, 1, 0], 90.0, 11)
    local = np.array([[-3, 0.3 * flip, 1], [3, 0.3 * flip, 1], [0, 0, -1]])  # right, down, forward
    mesh = Mesh(local @ camera.axes, np.array([[0, 1, 2]]), np.ones((1, 3)))
    expected, margin = slow_depth(mesh, camera)
    clear = margin > 1e-6
    np.testing.assert_allclose(cast(mesh, camera).depth[clear], expected[clear], rtol=1e-7)
    assert np.isfinite(expected[-1 if flip > 0 else 0]).any()


def test_cast_of_nothing_in_view_is_empty() -> None:
    hits = cast(box(1, 1, 1, GRAY).moved(y=-5), Camera.looking([0, 0, 0], [0, 1, 0], 60, 8))
    assert (hits.face == -1).all()
    assert np.isinf(hits.depth).all()


def test_points_of_a_depth_image_project_back_to_their_pixels() -> None:
    camera = Camera.looking([1, -3, 2], [0, 0, 0.5], 50, 24)
    depth = np.random.default_rng(0).uniform(1, 4, (24, 24))
    pixel, back = camera.project(camera.points(depth).reshape(-1, 3))
    row, column = np.mgrid[:24, :24]
    np.testing.assert_allclose(pixel, np.stack([column, row], -1).reshape(-1, 2) + 0.5, atol=1e-9)
    np.testing.assert_allclose(back, depth.ravel())


def test_a_perfect_scan_lies_on_the_surface_and_sees_nothing_behind() -> None:
    wall, screen = box(4, 0.1, 3, GRAY).moved(y=2), box(1, 0.1, 1, GRAY).moved(y=1, z=1)
    mesh = merge([wall, screen])
    points, face = scan(mesh, around([0, 0, 1.5], 64), np.random.default_rng(0), PERFECT)
    on_wall = points[face < 12]
    np.testing.assert_allclose(on_wall[:, 1], 1.95, atol=1e-9)
    # The screen's shadow on the wall is about twice as wide and high as the screen.
    shadow = (np.abs(on_wall[:, 0]) < 0.95) & (np.abs(on_wall[:, 2] - 1.5) < 0.95)
    assert not shadow.any()
    assert len(on_wall) > 500


def test_density_falls_with_distance_and_noise_is_along_the_ray() -> None:
    floor = box(20, 20, 0.1, GRAY).moved(z=-0.1)
    points, _ = scan(floor, around([0, 0, 1.5], 96), np.random.default_rng(1), Faults(holes=0))
    distance = np.hypot(points[:, 0], points[:, 1])
    near, far = ((distance > r) & (distance < r + 1) for r in (1, 5))
    assert near.sum() / (2**2 - 1**2) > 4 * far.sum() / (6**2 - 5**2)
    assert 0.0005 < np.abs(points[near, 2]).mean() < 0.01


@pytest.mark.parametrize("resolution", [24, 48])
def test_rays_cover_all_directions_evenly(resolution: int) -> None:
    ball = ellipsoid(6, 6, 6, GRAY, rings=41).moved(z=-3)
    points, _ = scan(ball, around([0, 0, 0], resolution), np.random.default_rng(2), PERFECT)
    octant = (points > 0) @ [1, 2, 4]
    counts = np.bincount(octant, minlength=8)
    assert counts.min() > 0.85 * counts.max()
