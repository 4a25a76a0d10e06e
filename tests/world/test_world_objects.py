import hashlib
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.search import examples

from cloud_transformers.datasets.modelnet40 import CLASSES as MODELNET40
from cloud_transformers.datasets.pcn import TAXONOMIES
from cloud_transformers.datasets.scanobjectnn import CLASSES as SCANOBJECTNN
from cloud_transformers.errors import InputError
from cloud_transformers.world import objects

EVERY_CLASS = sorted({*objects.CLASSES, *objects.MODELNET_CLASSES, *objects.COMPLETION_CLASSES})
VEHICLES = ("airplane", "car", "vessel")


def test_classes_are_those_of_the_benchmarks_in_their_order() -> None:
    assert SCANOBJECTNN == objects.CLASSES
    assert MODELNET40 == objects.MODELNET_CLASSES
    assert tuple(TAXONOMIES.values()) == objects.COMPLETION_CLASSES


@examples(30)
@given(st.integers(-(2**70), 2**70), st.integers(-(2**70), 2**70))
def test_an_object_depends_on_its_seed_and_index_alone(seed: int, index: int) -> None:
    first = objects.sample(seed, index, 64)
    objects.sample(seed + 1, index, 64)
    again = objects.sample(seed, index, 64)
    for name, values in first.items():
        np.testing.assert_array_equal(values, again[name])
    assert first["class_name"] == objects.CLASSES[index % 15]
    other = objects.sample(seed + 1, index, 64)
    assert not np.array_equal(first["points"], other["points"])
    assert not np.array_equal(first["points"], objects.sample(seed, index + 15, 64)["points"])


def test_a_fresh_process_builds_the_same_object() -> None:
    code = (
        "from cloud_transformers.world import objects; import hashlib;"
        "print(hashlib.sha256(objects.sample(3, 4, 256)['points'].tobytes()).hexdigest())"
    )
    here = hashlib.sha256(objects.sample(3, 4, 256)["points"].tobytes()).hexdigest()
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert here == there


@pytest.mark.parametrize("name", EVERY_CLASS)
def test_every_class_is_well_built_and_varied(name: str) -> None:
    sizes = []
    for index in range(12):
        mesh = objects.build(0, index, name)
        assert np.isfinite(mesh.vertices).all()
        assert mesh.faces.min() >= 0
        assert mesh.faces.max() < len(mesh.vertices)
        assert mesh.color.shape == (len(mesh.faces), 3)
        assert mesh.color.min() >= 0
        assert mesh.color.max() <= 1
        low, high = mesh.bounds()
        np.testing.assert_allclose([low[2], low[0] + high[0], low[1] + high[1]], 0, atol=1e-9)
        sizes.append(high - low)
    longest = np.max(sizes, axis=1)
    assert longest.min() > 0.05
    assert longest.max() < (150 if name in VEHICLES else 3.8)
    assert (np.std(sizes, axis=0) > 0.02 * np.mean(sizes, axis=0)).any()


@pytest.mark.parametrize("num_points", [1, 2, 63, 2048])
def test_samples_fill_the_unit_sphere(num_points: int) -> None:
    sample = objects.sample(0, 9, num_points)
    assert sample["points"].shape == sample["normals"].shape == (num_points, 3)
    assert sample["points"].dtype == sample["normals"].dtype == np.float32
    assert sample["color"].dtype == np.uint8
    radius = np.linalg.norm(sample["points"], axis=1).max()
    assert radius == pytest.approx(1.0 if num_points > 1 else 0.0, abs=1e-5)
    np.testing.assert_allclose(sample["points"].mean(axis=0), 0, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(sample["normals"], axis=1), 1, atol=1e-5)


def test_points_are_spread_by_area() -> None:
    mesh = objects.build(0, 0, "box")
    points, face = mesh.sample(20_000, np.random.default_rng(0))
    _, areas = mesh.normals_and_areas()
    share = np.bincount(face, minlength=len(areas)) / 20_000
    np.testing.assert_allclose(share, areas / areas.sum(), atol=1e-3)
    normals, _ = mesh.normals_and_areas()
    on_plane = np.einsum("ni,ni->n", points - mesh.vertices[mesh.faces[face, 0]], normals[face])
    np.testing.assert_allclose(on_plane, 0, atol=1e-9)


def test_unknown_classes_are_refused() -> None:
    with pytest.raises(InputError, match="no class 'dragon'"):
        objects.build(0, 0, "dragon")
