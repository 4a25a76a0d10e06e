"""Many inputs through a model in batches that halve themselves when memory runs out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from cloud_transformers.errors import InputError

Given = TypeVar("Given")
Answer = TypeVar("Answer")


class Batches:
    """Runs batches of at most `size` inputs, each in a `scope`. A size that was too large once is not tried again."""

    def __init__(self, size: int, scope: Callable[[], AbstractContextManager[object]] = nullcontext) -> None:
        if size < 1:
            raise InputError(f"the batch size must be at least 1, got {size}")
        self.size, self.scope = size, scope

    def run(self, inputs: Sequence[Given], score: Callable[[Sequence[Given]], Sequence[Answer]]) -> list[Answer]:
        """The answers of `score`, which takes some of the inputs at once, in the order of the inputs."""
        answers: list[Answer] = []
        while len(answers) < len(inputs):
            some = inputs[len(answers) : len(answers) + self.size]
            try:
                with self.scope():
                    answers += score(some)
                continue
            except (RuntimeError, MemoryError) as error:
                if not is_out_of_memory(error):
                    raise
                if len(some) == 1:
                    raise InputError(
                        "memory ran out for a single input, so smaller batches do not help; take another device, or "
                        "weights that were trained with fewer points"
                    ) from error
                self.size = len(some) // 2
            # Outside of the except block, whose error keeps the frames, and with them the tensors, of the attempt.
            if torch.cuda.is_available():
                torch.cuda.empty_cache()
        return answers


def require_finite(answer: NDArray[np.float32]) -> NDArray[np.float32]:
    """The answer itself, unless the model has computed something that is none: that is never written."""
    if not np.isfinite(answer).all():
        raise InputError(
            "the model's answer is not finite: its weights are damaged, or its input has values far out of range"
        )
    return answer


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error says that memory ran out, on whichever device; torch has a type of its own on GPUs only."""
    if isinstance(error, (MemoryError, torch.OutOfMemoryError)):
        return True
    text = str(error).lower()
    return "out of memory" in text or "not enough memory" in text or "can't allocate memory" in text
