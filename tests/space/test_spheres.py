"""Points of a sphere."""

import numpy as np

from cloud_transformers.space.spheres import in_sphere


def test_a_sphere_holds_its_surface_and_the_nearest_come_first() -> None:
    points = np.array([[2.0, 0, 0], [1, 0, 0], [0, 2, 0.001], [0, 0, 0], [0, -1, 0]])
    squared, rows = in_sphere(points, np.zeros(3), 2.0)
    assert rows.tolist() == [3, 1, 4, 0]
    assert squared.tolist() == [0, 1, 1, 4]
    _, rows = in_sphere(points, np.zeros(3), 2.0, limit=2, tie=np.array([0, 1, 0, 0, 0]))
    assert rows.tolist() == [3, 4]
