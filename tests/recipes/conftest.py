"""Set-up of the tests of recipes: a cache of their own."""

import pytest

from cloud_transformers.compilation import kernel_names
from cloud_transformers.native import is_usable


@pytest.fixture(autouse=True, scope="package")
def _own_cache(tmp_path_factory):
    """World data goes to a folder that is thrown away. Kernels are loaded first, or they would be built again there."""
    for name in kernel_names():
        is_usable(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLOUDT_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
