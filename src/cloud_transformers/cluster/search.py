"""Many trainings side by side on a cluster: each is a task of Ray in a process of its own."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cloud_transformers.cluster.room import Command, cards, cores, cores_each
from cloud_transformers.engine import RunFolder
from cloud_transformers.errors import InputError
from cloud_transformers.recipes.trials import TRIES, Failure, Trial, finished, note_failure, run_trial


def side_by_side(
    ray: Any, trials: Sequence[Trial], out: Path, *, at_once: int | None = None
) -> Iterator[dict[str, Any] | Failure]:
    """Carry out trials on the connected cluster; gives the record of each, or its failure, as they end.

    - `ray`: as `connected` gives it. `out`: the folder that the trials are below, which all machines share.
    - `at_once`: how many at most, by default as many as there are cores.

    A trial has as many threads as there are cores for each. One whose process dies goes on from its checkpoint, and is
    given up after three tries.
    """
    todo = []
    for trial in trials:
        record = finished(trial, out)
        if record is None:
            todo.append(trial)
        else:
            yield record
    if not todo:
        return
    limit = min(len(todo), at_once or len(todo))
    threads = cores_each(ray, min(limit, cores(ray))) or 1
    use_gpu = cards(ray) > 0 and todo[0].recipe.training.device == "auto"
    # No process serves twice: what a training leaves in memory is the next one's trouble.
    task = ray.remote(num_cpus=threads, num_gpus=int(use_gpu), max_retries=0, max_calls=1)(_carry_out)
    waiting, tries = deque(todo), Counter[Trial]()
    running: dict[Any, Trial] = {}
    while waiting or running:
        while waiting and len(running) < limit:
            trial = waiting.popleft()
            running[task.remote(trial, out, Command.this())] = trial
        (done, *_), _ = ray.wait(list(running))
        trial = running.pop(done)
        tries[trial] += 1
        try:
            outcome, is_final = ray.get(done)
        except ray.exceptions.RayError as error:
            outcome, is_final = f"at last its process died ({type(error).__name__})", False
        if is_final:
            yield Failure(trial, outcome) if isinstance(outcome, str) else outcome
        elif tries[trial] < TRIES:
            waiting.append(trial)
        else:
            yield Failure(trial, f"failed {TRIES} times, {outcome}")


def _carry_out(trial: Trial, out: Path, command: Command) -> tuple[dict[str, Any] | str, bool]:
    """The record, or why there is none; and whether another try would end the same."""
    try:
        command.adopt()
        RunFolder(trial.folder(out)).wait_until_free()
        return run_trial(trial, out), True
    except InputError as error:
        return str(error), True
    except Exception as error:
        return note_failure(trial.folder(out), error), False
