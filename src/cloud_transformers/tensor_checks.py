"""Checks of tensor arguments: a call says an argument's layout, and a mistake gets one sentence in the same terms."""

import torch
from torch import Tensor


class ShapeCheck:
    """Binds the letters of layouts to sizes, so that a later argument must agree with the earlier ones.

    >>> check = ct.tensor_checks.ShapeCheck()
    >>> check("values", torch.zeros(1, 2, 5, 4), "B H N C")
    >>> check("keys", torch.zeros(1, 2, 6, 3), "B H N D", D=(2, 3))  # the same B, H and N as values, the same device
    Traceback (most recent call last):
    ValueError: keys must be [B, H, N, D] with N = 5 as in values, got shape [1, 2, 6, 3]

    A model passes one of its `weights`: arguments must then be of their type (but for autocast) and on their device.
    Only ranks, sizes, types and devices are looked at, never values: no device synchronisation, safe under tracing.
    """

    def __init__(self, *, weights: Tensor | None = None) -> None:
        if weights is not None and weights.dtype in (torch.float16, torch.bfloat16):
            raise ValueError(
                f"the model is {weights.dtype}, in which its normalisations do not run: leave it in float32 and "
                f"compute under torch.autocast({weights.device.type!r}, {weights.dtype})"
            )
        self.sizes: dict[str, tuple[int, str]] = {}  # letter -> size, and the argument that fixed it
        self.device = None if weights is None else (weights.device, "the model")
        self.dtype = None if weights is None else weights.dtype

    def __call__(
        self, name: str, tensor: Tensor, layout: str, *, kind: str = "float", **allowed: int | tuple[int, ...]
    ) -> None:
        """`kind` is "float" or "bool"; a digit in the layout is a fixed size; `allowed` restricts a letter's size."""
        if not isinstance(tensor, Tensor):
            raise ValueError(f"{name} must be a torch tensor [{layout}], got {type(tensor).__name__}")
        letters = layout.split()
        wanted = f"{name} must be [{', '.join(letters)}]"
        got = f"got shape {list(tensor.shape)}"
        if tensor.dim() != len(letters):
            raise ValueError(f"{wanted}, {got}")
        if kind == "float" and not tensor.is_floating_point():
            raise ValueError(f"{name} must hold floating-point numbers, got {tensor.dtype}: use .float()")
        if kind == "bool" and tensor.dtype != torch.bool:
            raise ValueError(f"{name} must be boolean, True = a real point, got {tensor.dtype}: use .bool()")
        if self.device is None:
            self.device = tensor.device, name
        elif tensor.device != self.device[0]:
            raise ValueError(
                f"{name} is on {tensor.device} but {self.device[1]} is on {self.device[0]}: move them to one device"
            )
        if kind == "float" and self.dtype not in (None, tensor.dtype) and not _autocasts(tensor.device):
            raise ValueError(f"{name} is {tensor.dtype} but the model is {self.dtype}: use .to({self.dtype})")
        for letter, size in zip(letters, tensor.shape, strict=True):
            if letter.isdigit():
                if size != int(letter):
                    raise ValueError(f"{wanted}, {got}")
                continue
            choices = allowed.get(letter, size)
            choices = choices if isinstance(choices, tuple) else (choices,)
            if size not in choices:
                raise ValueError(f"{wanted} with {letter} = {' or '.join(map(str, choices))}, {got}")
            expected, source = self.sizes.setdefault(letter, (size, name))
            if size != expected:
                raise ValueError(f"{wanted} with {letter} = {expected} as in {source}, {got}")


def _autocasts(device: torch.device) -> bool:
    return device.type != "meta" and torch.is_autocast_enabled(device.type)
