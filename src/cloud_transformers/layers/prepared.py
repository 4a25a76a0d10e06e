"""What follows from weights alone, computed once and used for as long as the weights stay what they are."""

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from torch import Tensor, nn

T = TypeVar("T")

# Of one layer: what is kept for a model of large layers would hold its weights twice.
MOST_BYTES_KEPT = 2**20


class Seen(NamedTuple):
    """The state of a module and all below it."""

    below: list[nn.Module]  # not the module itself, which could then not be freed at once
    marks: list[Any]  # modes, children, and of each tensor its address and its count of changes
    tensors: list[Tensor]  # held, so that nobody else gets their addresses


class Prepared(Generic[T]):
    """Holds what was made of a module's weights, and makes it again after any of them was changed or replaced, or the
    module's mode. Copies of the module start empty.

    Changes are seen as torch counts them for autograd: not through `weight.data` or a numpy array that shares memory.
    Threads may share it: at worst several make the same at once.
    """

    def __init__(self) -> None:
        self._held: tuple[Seen, T] | None = None

    def get(self, module: nn.Module, make: Callable[[], T], is_kept: Callable[[T], bool] = lambda made: True) -> T:
        """`make()`, or what it gave before; `is_kept` says whether that is worth its memory."""
        held = self._held
        if held is not None and _marks([module, *held[0].below]) == held[0].marks:
            return held[1]
        self._held = None
        modules = list(module.modules())
        tensors = [tensor for each in modules for tensor in _tensors(each)]
        if any(tensor.is_inference() for tensor in tensors):  # nobody counts their changes
            return make()
        seen = Seen(modules[1:], _marks(modules), [tensor.detach() for tensor in tensors])
        made = make()
        if is_kept(made):
            self._held = seen, made
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> "Prepared[T]":
        return Prepared()

    def __reduce__(self) -> tuple[type, tuple[()]]:
        return Prepared, ()


def _marks(modules: list[nn.Module]) -> list[Any]:
    marks: list[Any] = []
    for module in modules:
        marks.append(module.training)
        marks += module._modules.values()
        for tensor in _tensors(module):
            marks += tensor.data_ptr(), tensor._version
    return marks


def _tensors(module: nn.Module) -> list[Tensor]:
    tensors = (*module._parameters.values(), *module._buffers.values())
    return [tensor for tensor in tensors if tensor is not None]
