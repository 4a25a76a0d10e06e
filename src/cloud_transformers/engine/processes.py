"""One process or many, one device or another: accelerate does the distributing, this is how the loop asks for it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from cloud_transformers.errors import InputError
from cloud_transformers.tasks import Tally

if TYPE_CHECKING:
    from accelerate import Accelerator

_PRECISIONS = {"float32": "no", "bfloat16": "bf16", "float16": "fp16"}


def _join_restarted(device: str) -> None:
    """Meet the other processes in a place of this attempt's own, if torchrun has started all of them again.

    Its store outlives the attempts, and with it the addresses of the dead, which the living would call in vain.
    """
    attempt = os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")
    if attempt == "0" or torch.distributed.is_initialized():
        return
    store, rank, count = next(torch.distributed.rendezvous("env://"))  # type: ignore[attr-defined]
    torch.distributed.init_process_group(
        backend="gloo" if device == "cpu" or not torch.accelerator.is_available() else None,
        store=torch.distributed.PrefixStore(f"attempt-{attempt}", store),  # type: ignore[attr-defined]
        rank=rank,
        world_size=count,
    )


class Processes:
    """All processes of this run, as torchrun started them; without torchrun, this one alone.

    `device` and `precision` are those of `TrainingOptions`; InputError if they cannot be had here.
    """

    def __init__(self, *, device: str = "auto", precision: str = "float32") -> None:
        try:
            from accelerate import Accelerator
            from accelerate.state import AcceleratorState
            from accelerate.utils import DistributedDataParallelKwargs
        except ImportError:
            raise InputError("training needs accelerate: pip install 'cloud-transformers[train]'") from None
        _join_restarted(device)
        # Told to look for a GPU where there is none, accelerate would take each of several processes for one alone.
        alone = int(os.environ.get("WORLD_SIZE", "1")) == 1
        on_cpu = device == "cpu" or not (alone or torch.accelerator.is_available())
        # Its settings are shared by the whole process; a second run in the same process may want others.
        AcceleratorState._reset_state()
        # BatchNorm statistics are made over all processes, so that buffers never differ.
        plain = DistributedDataParallelKwargs(broadcast_buffers=False)
        try:
            self.accelerator: Accelerator = Accelerator(
                cpu=on_cpu, mixed_precision=_PRECISIONS[precision], kwargs_handlers=[plain]
            )
        except ValueError as error:  # half precision on a device that has none
            raise InputError(f"precision={precision} does not work here: {error}") from error

    @property
    def rank(self) -> int:
        """The number of this process, from 0."""
        return self.accelerator.process_index

    @property
    def count(self) -> int:
        """How many processes there are."""
        return self.accelerator.num_processes

    @property
    def device(self) -> torch.device:
        """Where this process computes."""
        return self.accelerator.device

    @property
    def is_main(self) -> bool:
        """Whether this process is the one that writes and prints."""
        return self.accelerator.is_main_process

    def wait(self) -> None:
        """Go on when all processes have come here."""
        self.accelerator.wait_for_everyone()

    def sums(self, values: Mapping[str, float]) -> dict[str, float]:
        """The sum over all processes of each of `values`; the names must be the same everywhere."""
        if self.count == 1:
            return dict(values)
        dtype = torch.float32 if self.device.type == "mps" else torch.float64
        local = torch.tensor(list(values.values()), dtype=dtype, device=self.device)
        total = self.accelerator.reduce(local, "sum")
        return dict(zip(values, total.tolist(), strict=True))

    def average(self, tensors: Iterable[Tensor]) -> None:
        """Put the mean over all processes in the place of each of the `tensors`, in one exchange."""
        places = list(tensors)
        if self.count == 1 or not places:
            return
        together = self.accelerator.reduce(torch.cat([place.flatten() for place in places]), "mean")
        for place, mean in zip(places, together.split([place.numel() for place in places]), strict=True):
            place.copy_(mean.view_as(place))

    def merged(self, tally: Tally) -> Tally:
        """One tally with what all processes counted, on every process."""
        if self.count == 1:
            return tally
        everyone: list[Any] = [None] * self.count
        torch.distributed.all_gather_object(everyone, tally)
        first, *others = everyone
        for other in others:
            first.merge(other)
        return first

    def without_exchange(self, module: nn.Module, wanted: bool) -> AbstractContextManager[Any]:
        """A scope in which gradients of the module stay where they are if wanted: only the last part of a batch needs
        to exchange them."""
        return self.accelerator.no_sync(module) if wanted else nullcontext()
