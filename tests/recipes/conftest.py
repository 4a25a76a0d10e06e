"""Set-up of the tests of recipes: a cache of their own."""

import pytest

from cloud_transformers.native import is_usable, source_folder


@pytest.fixture(autouse=True, scope="package")
def _own_cache(tmp_path_factory):
    """World data goes to a folder that is thrown away. Kernels are loaded first, or they would be built again there."""
    for source in source_folder().glob("*.cpp"):
        is_usable(source.stem)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLOUDT_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
