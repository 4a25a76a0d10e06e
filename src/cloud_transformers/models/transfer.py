"""Weights of one model given to another of the same kind, as far as their tensors fit."""

from collections.abc import Mapping

from torch import Tensor, nn

from cloud_transformers.errors import InputError


def take_over(model: nn.Module, tensors: Mapping[str, Tensor], source: str) -> str:
    """Load every tensor whose name and shape fit; a sentence says how many, and which layers keep their new weights.

    Where less than half of the model would be filled, nothing is loaded, and InputError says so.
    """
    wanted = model.state_dict()
    fitting = {name: tensors[name] for name, own in wanted.items() if _shape(tensors, name) == list(own.shape)}
    new = [name for name in wanted if name not in fitting]
    layers = _layers(new, wanted, tensors)
    if 2 * sum(map(_count, fitting.values())) < sum(map(_count, wanted.values())):
        raise InputError(
            f"{source}: only {len(fitting)} of the model's {len(wanted)} tensors fit (others: {'; '.join(layers[:3])} "
            "...); it is of another size or has other options, take those of the weights"
        )
    model.load_state_dict(fitting, strict=False)
    more = f" and {len(layers) - 6} more" if len(layers) > 6 else ""
    ending = f"new layers: {'; '.join(layers[:6])}{more}" if layers else "no layer is new"
    return f"started from {source}: {len(fitting)} of {len(wanted)} tensors taken over, {ending}"


def _layers(new: list[str], wanted: Mapping[str, Tensor], tensors: Mapping[str, Tensor]) -> list[str]:
    """Layers with a tensor that was not taken over, each with the first such tensor's shapes."""
    found: dict[str, str] = {}
    for name in new:
        layer, _, part = name.rpartition(".")
        there = _shape(tensors, name)
        was = "not in the weights" if there is None else f"{there} in the weights"
        found.setdefault(layer, f"{layer} ({part} {list(wanted[name].shape)}, {was})")
    return list(found.values())


def _count(tensor: Tensor) -> int:
    return tensor.numel()


def _shape(tensors: Mapping[str, Tensor], name: str) -> list[int] | None:
    return list(tensors[name].shape) if name in tensors else None
