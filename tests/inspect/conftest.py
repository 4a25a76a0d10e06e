"""Tiny models with new weights; what can be seen inside them follows the same rules as in trained ones."""

from tests.predict.conftest import points, weights

__all__ = ["points", "weights"]
