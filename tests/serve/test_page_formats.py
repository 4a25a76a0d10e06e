"""A file of every format that is read falls onto the page: it gets a picture, and an answer that is read again."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import cloud_transformers as ct
from cloud_transformers.io import FORMATS
from tests.browser import Tab, needs_browser
from tests.io.format_table import ROWS, truth
from tests.serve.pages import dropped, news, opened
from tests.serve.servers import Server

__all__ = ["opened"]
pytestmark = needs_browser
BY_OTHERS = {row.suffix: row.write for row in ROWS}


def written(folder: Path, suffix: str) -> Path:
    """A small file, by another program where the tests know one."""
    path = folder / f"some{suffix}"
    if suffix in BY_OTHERS:
        BY_OTHERS[suffix](path, truth())
    elif suffix == ".gltf":
        trimesh = pytest.importorskip("trimesh")
        parts = trimesh.creation.box().export(file_type="gltf", embed_buffers=True)
        path.write_bytes(parts["model.gltf"])
    elif suffix == ".ptx":
        points = truth()["xyz"] - truth()["xyz"].mean(axis=0)
        header = "40\n1\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n"
        path.write_text(header + "".join(f"{x:.3f} {y:.3f} {z:.3f} 0.5\n" for x, y, z in points))
    else:
        fixed = {".xyzn": "normal", ".xyzrgb": "color"}  # text with columns that the suffix names
        names = [fixed[suffix]] if suffix in fixed else ["color"] if suffix == ".hdf5" else []
        ct.write(path, ct.PointCloud(positions=truth()["xyz"], fields={name: truth()[name] for name in names}))
    return path


@pytest.mark.parametrize("suffix", [*FORMATS, ".csv.gz"])
def test_a_file_that_falls_onto_the_page_gets_a_picture_and_an_answer(
    opened: Callable[..., Tab], real: Server, tmp_path: Path, suffix: str
) -> None:
    path = written(tmp_path, suffix)
    tab = opened(real.address)
    dropped(tab, path.name, path.read_bytes())
    tab.page.get_by_label("Weights").select_option("segmentation")
    tab.page.get_by_role("button", name="Run").click()
    news(tab, "by segmentation")
    assert (tab.picture()[..., 3] > 0).sum() > 30
    with tab.page.expect_download() as download:
        tab.page.get_by_label("Download the answer as").select_option("npz")
        tab.page.get_by_role("button", name="Download").click()
    download.value.save_as(tmp_path / "answer.npz")
    answer = ct.read(tmp_path / "answer.npz")
    given = ct.io.read_shape(path, len(answer))
    assert {"label", "confidence"} <= set(answer.fields)
    np.testing.assert_allclose(answer.world.min(axis=0), given.world.min(axis=0), atol=0.02)
    np.testing.assert_allclose(answer.world.max(axis=0), given.world.max(axis=0), atol=0.02)
