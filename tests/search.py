"""How property tests draw: the same examples in every run of the suite, many random ones in `make search`."""

from hypothesis import HealthCheck, settings

USUAL = 100  # examples of a test that names no number
IN_SEARCH = 20 * USUAL


def register_profiles() -> None:
    """Loads the suite's. `--hypothesis-profile search` is loaded later, but before the tests are imported."""
    shared = settings(
        deadline=None,  # how long an example takes says more about the machine than about the code
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.function_scoped_fixture,  # examples may share a folder: each writes what it reads
        ],
        print_blob=True,
    )
    settings.register_profile("project", shared, max_examples=USUAL, derandomize=True, database=None)
    settings.register_profile("search", shared, max_examples=IN_SEARCH, derandomize=False)
    settings.load_profile("project")


def examples(number: int) -> settings:
    """So many examples in the suite; in a search as many times more as other tests draw."""
    return settings(max_examples=number * settings().max_examples // USUAL)
