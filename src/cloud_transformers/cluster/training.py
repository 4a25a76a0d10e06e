"""One training in several processes of a cluster, by Ray Train.

Ray Train starts the processes, connects them and starts them again when one is lost. Data, steps, metrics and
checkpoints are those of `recipes.run_training`, as under torchrun: what restarts goes on from the run's folder.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from contextlib import contextmanager, nullcontext, redirect_stderr, suppress
from pathlib import Path
from typing import Any

from cloud_transformers.cluster.room import Command, cards, cores, cores_each
from cloud_transformers.engine import RunFolder
from cloud_transformers.errors import InputError
from cloud_transformers.recipes import Recipe, run_training
from cloud_transformers.recipes.trials import note_failure

RESTARTS = 3  # of all processes, after one was lost
OWN_FOLDER = ".ray"  # of Ray Train, in the run's folder; it has to be where all machines see it
_POLL = 0.5  # seconds between looks for new lines
_ENVIRONMENT = {
    "RAY_CHDIR_TO_TRIAL_DIR": "0",  # the folder stays the command's
    "RAY_TRAIN_METRICS_ENABLED": "0",  # it keeps no statistics of its own
    # After a minute it would give up processes that only wait for a busy machine, and begin again without end.
    "RAY_TRAIN_WORKER_GROUP_START_TIMEOUT_S": "900",
}


def train_on_ray(ray: Any, recipe: Recipe, out: Path, *, workers: int) -> None:
    """Train as the recipe says in the folder `out`, or go on there, in `workers` processes of the connected cluster.

    `ray`: as `connected` gives it. `out` and the data must be where all machines see them. Processes have as many cores
    as there are for each, and a graphics card each if there are enough. InputError as from `run_training`, if there are
    too few cores, and if a process is lost for the fourth time.
    """
    each = cores_each(ray, workers)
    if not each:
        raise InputError(f"--workers {workers}: the cluster has {cores(ray)} cores, and every process needs one")
    post = ray.remote(num_cpus=0)(_Post).remote()
    (out / OWN_FOLDER).mkdir(parents=True, exist_ok=True)
    try:
        with _set(_ENVIRONMENT):
            fit = _in_thread(_trainer(ray, recipe, out, workers, each, post).fit)
            while not _is_done(fit):
                _tell(ray, post)
        _tell(ray, post)
        if refusal := ray.get(post.refusal.remote()):
            raise InputError(refusal)
        error = fit.exception()
        if failures := getattr(error, "worker_failures", None):  # by process; any other error is Ray's, or ours
            why = note_failure(out, next(iter(failures.values())))
            raise InputError(f"{out}: training failed {RESTARTS + 1} times, {why}; the same command goes on") from error
        fit.result()
    finally:
        shutil.rmtree(out / OWN_FOLDER, ignore_errors=True)
        with suppress(OSError):
            out.rmdir()  # refused before anything was written


def _trainer(ray: Any, recipe: Recipe, out: Path, workers: int, cores_of_each: int, post: Any) -> Any:
    from ray.train import FailureConfig, RunConfig, ScalingConfig
    from ray.train.torch import TorchConfig, TorchTrainer

    use_gpu = recipe.training.device == "auto" and cards(ray) >= workers
    return TorchTrainer(
        _work,
        train_loop_config={"recipe": recipe, "out": out, "post": post, "command": Command.this()},
        torch_config=TorchConfig(backend="nccl" if use_gpu else "gloo"),
        scaling_config=ScalingConfig(
            num_workers=workers, use_gpu=use_gpu, resources_per_worker={"CPU": cores_of_each, "GPU": int(use_gpu)}
        ),
        run_config=RunConfig(
            name="train",
            storage_path=str((out / OWN_FOLDER).resolve()),
            failure_config=FailureConfig(max_failures=RESTARTS),
        ),
    )


def _work(config: dict[str, Any]) -> None:
    """What every process of the training does. Ray Train has told torch of the others."""
    import ray

    post, out = config["post"], config["out"]
    if ray.get(post.refusal.remote()):  # the attempt before found that it cannot be done; another try is in vain
        return
    is_first = ray.train.get_context().get_world_rank() == 0
    try:
        config["command"].adopt()
        if is_first:
            RunFolder(out).wait_until_free()
        with redirect_stderr(_Lines(post)) if is_first else nullcontext():
            run_training(config["recipe"], out)
    except InputError as error:
        ray.get(post.refuse.remote(str(error)))
        raise  # the others would wait for this process for ever: Ray Train ends them


class _Post:
    """What the processes have to say to the command: an actor."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._refusal = ""

    def say(self, line: str) -> None:
        self._lines.append(line)

    def take(self) -> list[str]:
        lines, self._lines = self._lines, []
        return lines

    def refuse(self, sentence: str) -> None:
        self._refusal = self._refusal or sentence

    def refusal(self) -> str:
        return self._refusal


class _Lines(io.TextIOBase):
    """A stream whose lines go to the command."""

    def __init__(self, post: Any) -> None:
        self._post, self._begun = post, ""

    def write(self, text: str) -> int:
        *lines, self._begun = (self._begun + text).split("\n")
        for line in lines:
            self._post.say.remote(line)
        return len(text)


def _tell(ray: Any, post: Any) -> None:
    for line in ray.get(post.take.remote()):
        print(line, file=sys.stderr)


def _in_thread(call: Any) -> Future[Any]:
    """Its result to come. The main thread is left free for Ctrl-C, which Ray Train would take for itself."""
    future: Future[Any] = Future()

    def run() -> None:
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future


def _is_done(future: Future[Any]) -> bool:
    with suppress(NotYet):
        future.exception(timeout=_POLL)
    return future.done()


@contextmanager
def _set(values: dict[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name)
            else:
                os.environ[name] = value
