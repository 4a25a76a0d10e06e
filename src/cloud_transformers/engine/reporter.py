"""What a run tells while it goes on: a bar or lines, metrics.jsonl, and TensorBoard where it is installed."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from tqdm import tqdm

from cloud_transformers.engine.checkpoint import Progress
from cloud_transformers.engine.options import TrainingOptions
from cloud_transformers.engine.run import RunFolder
from cloud_transformers.files import naming
from cloud_transformers.metrics import Score


class Reporter:
    """Only the main process reports; elsewhere every call does nothing."""

    def __init__(self, run: RunFolder, options: TrainingOptions, first: int, is_main: bool) -> None:
        self.run, self.options, self.is_main = run, options, is_main
        self.bar: tqdm[Any] = tqdm(
            total=options.steps, initial=first, unit="step", disable=not (is_main and sys.stderr.isatty())
        )
        self.board = _tensorboard(run, first) if is_main else None
        self.since = time.perf_counter()
        self.since_step = first

    def __enter__(self) -> Reporter:
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.close()
        if self.board is not None:
            with suppress(OSError):  # its last lines must not cost the weights that are saved after this
                self.board.close()

    def say(self, sentence: str) -> None:
        if self.is_main:
            tqdm.write(sentence, file=sys.stderr)

    def step(
        self, progress: Progress, losses: Mapping[str, float], rate: float, norm: float, *, num_samples: int
    ) -> None:
        self.bar.update()
        due = progress.step % self.options.log_every == 0 or progress.step == self.options.steps
        if not self.is_main or not due:
            return
        seconds = time.perf_counter() - self.since
        per_second = (progress.step - self.since_step) * self.options.batch_size / max(seconds, 1e-9)
        self._restart_clock(progress.step)
        self.run.record(
            step=progress.step,
            epoch=progress.step * self.options.batch_size / num_samples,
            **losses,
            learning_rate=rate,
            gradient_norm=norm,
            skipped=progress.skipped,
            clouds_per_second=per_second,
        )
        self._scalars("train", {**losses, "learning rate": rate, "gradient norm": norm}, progress.step)
        left = (self.options.steps - progress.step) * self.options.batch_size / max(per_second, 1e-9)
        right = f"  {losses['accuracy']:.1f} % right" if "accuracy" in losses else ""
        self.bar.set_postfix_str(f"loss {losses['loss']:.4g}{right.replace('  ', ', ')}, {per_second:.3g} clouds/s")
        if self.bar.disable:
            self.say(
                f"step {progress.step}/{self.options.steps}  loss {losses['loss']:.4g}{right}  rate {rate:.3g}  "
                f"{per_second:.3g} clouds/s  {_duration(left)} left"
            )

    def validation(self, progress: Progress, scores: Sequence[Score], is_better: bool) -> None:
        if not self.is_main:
            return
        values = {score.name: score.value for score in scores}
        self.run.record(step=progress.step, validation=values, best=is_better)
        self._scalars("validation", values, progress.step)
        first = ", ".join(map(str, scores[:3]))  # the others are in the record
        self.say(f"step {progress.step}: validation {first}{', the best so far' if is_better else ''}")
        self._restart_clock(progress.step)

    def _restart_clock(self, step: int) -> None:
        self.since, self.since_step = time.perf_counter(), step

    def _scalars(self, group: str, values: Mapping[str, float], step: int) -> None:
        if self.board is None:
            return
        with naming(self.run.path / "tensorboard"):
            for name, value in values.items():
                self.board.add_scalar(f"{group}/{name}", value, step)


def _tensorboard(run: RunFolder, first: int) -> Any | None:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None
    return SummaryWriter(str(run.path / "tensorboard"), purge_step=first + 1)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
