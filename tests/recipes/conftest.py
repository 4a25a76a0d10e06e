"""Set-up of the tests of recipes: a cache of their own."""

from pathlib import Path

import pytest

from cloud_transformers.compilation import kernel_names
from cloud_transformers.native import is_usable
from cloud_transformers.world.layouts import LAYOUTS, LayoutJob
from tests.sharing import made_once


@pytest.fixture(autouse=True, scope="package")
def _own_cache(tmp_path_factory):
    """World data goes to a folder that is thrown away. Kernels are loaded first, or they would be built again there."""
    for name in kernel_names():
        is_usable(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLOUDT_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="package")
def data(tmp_path_factory):
    """layout, size -> a folder in a benchmark's exact layout, made once, which tests only read."""

    def make(layout: str, size: int) -> Path:
        return made_once(
            tmp_path_factory,
            f"{layout}-{size}",
            lambda root: LAYOUTS[layout].write(LayoutJob(layout=layout, root=root, size=size, force=True)),
        )

    return make
