"""What the page offers."""

from cloud_transformers.models.weights import boxed
from cloud_transformers.serve.answering import catalogue


def test_weights_that_take_metres_are_not_offered_first() -> None:
    offered = [each["name"] for each in catalogue(names=[], tell=lambda *_: None)["weights"]]
    assert sorted(offered) == sorted(boxed())
    assert offered.index("classifier-small") < offered.index("classifier-scans-small")
