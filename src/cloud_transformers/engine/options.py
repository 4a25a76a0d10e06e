"""How a model is trained: everything the loop can be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cloud_transformers.errors import InputError


@dataclass(frozen=True, kw_only=True)
class TrainingOptions:
    """Counts are in steps of the optimiser. What is 0 by default is off."""

    steps: int = 1000
    minutes: float = 0.0  # above 0, recipes set `steps` so that the run takes as long; they measure a rate first
    batch_size: int = 16  # of one step, over all processes and parts
    accumulate: int = 1  # a process runs its share of a batch in this many parts, to save memory
    # "muon" is for the matrices before the heads, and leaves all else to AdamW.
    optimizer: Literal["adam", "adamw", "muon"] = "adam"  # see `engine.schedule.make_optimizer`
    learning_rate: float = 1e-3  # the largest; the schedule lowers it
    weight_decay: float = 0.0  # of matrices and kernels
    schedule: Literal["step", "cosine", "constant"] = "step"  # of the learning rate; "cosine" ends at 0
    decay: float = 0.7  # the factor of the step schedule
    decay_every: int = 25_000  # steps after which it is applied again
    warmup: float = 0.0  # the rate rises linearly over this share of the steps
    # None: 0 and 1, but where recipes start from weights for other classes.
    heads_first: float | None = None  # the share of the steps in which only the heads learn ...
    body_rate: float | None = None  # ... and that of their rate which all other layers have from then on
    clip: float = 0.0  # the largest norm of the gradient
    # Few points make a first step cheap, and tell as much as the model can learn by then. Classification only.
    points_at_first: float = 1.0  # the share of a cloud's points that the first step sees, drawn anew for each step
    ema: float = 0.0  # decay of the average of the weights, which is then what is evaluated
    # By what layers normalise where several processes train: "all" their samples, as one process would, or each process
    # its "own" (a few at least), which is much faster on CPUs: the fused kernels are those for one process.
    statistics: Literal["all", "own"] = "all"  # of which samples
    precision: Literal["float32", "bfloat16", "float16"] = "float32"  # of matrix products, by autocast
    device: Literal["auto", "cpu"] = "auto"  # "auto": a GPU if there is one
    on_nonfinite: Literal["stop", "skip"] = "stop"  # a loss or gradient that is NaN or infinite
    seed: int = 0
    workers: int = 0  # processes that prepare batches
    validate_every: int = 0  # steps between validations
    patience: int = 0  # validations without a better one after which training ends
    checkpoint_every: int = 500  # steps between checkpoints
    keep: int = 2  # how many checkpoints are kept beside the best weights
    log_every: int = 20  # steps between lines of metrics

    def __post_init__(self) -> None:
        for name in ("steps", "batch_size", "accumulate", "decay_every", "checkpoint_every", "keep", "log_every"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1, got {getattr(self, name)}")
        for name in ("minutes", "clip", "weight_decay", "workers", "validate_every", "patience", "seed"):
            if getattr(self, name) < 0:
                raise InputError(f"{name} must not be negative, got {getattr(self, name)}")
        if not self.learning_rate > 0:
            raise InputError(f"learning_rate must be above 0, got {self.learning_rate}")
        if not (0 <= (self.heads_first or 0) <= 1 and 0 <= (self.body_rate or 0) <= 1):
            raise InputError(f"heads_first={self.heads_first} and body_rate={self.body_rate} must be in [0, 1]")
        if not 0 <= self.warmup <= 1:
            raise InputError(f"warmup must be in [0, 1], a share of the steps, got {self.warmup}")
        if not 0 < self.points_at_first <= 1:
            raise InputError(f"points_at_first must be above 0 and at most 1, a share, got {self.points_at_first}")
        if not 0 <= self.ema < 1:
            raise InputError(f"ema must be in [0, 1), got {self.ema}")


# What may differ when a run is taken up again: it changes neither the weights nor the data.
HARMLESS = ("workers", "checkpoint_every", "keep", "log_every")
