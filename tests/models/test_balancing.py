"""Gradient balancing does what it is for: without it, gradients grow with every block on their way back."""

from benchmarks.gradient_balancing import by_the_paper, gradient_norms


def growth(norms: list[float]) -> float:
    return (norms[0] / norms[-1]) ** (1 / (len(norms) - 1))


def test_gradients_of_linear_keys_explode_without_balancing_as_the_paper_derives() -> None:
    balanced = gradient_norms(0, keys="linear", balance=True)
    plain = gradient_norms(0, keys="linear", balance=False)
    assert growth(balanced) < 4
    assert growth(plain) > 6
    assert 0.5 < growth(plain) / growth(by_the_paper(balanced)) < 2


def test_keys_that_start_at_the_positions_pass_gradients_on_as_they_are() -> None:
    assert growth(gradient_norms(0, keys="full", balance=True)) < 1.6
