import pytest


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test may see another one's cache, let alone the user's."""
    monkeypatch.setenv("CLOUDT_CACHE", str(tmp_path_factory.mktemp("cache")))
