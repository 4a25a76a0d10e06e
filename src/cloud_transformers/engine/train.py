"""The training loop, one for all tasks.

Every random state of a step follows from (seed, step, process), and the order of the data from (seed, step): a run
that was killed at any moment and started again ends with the same bits as one that never was.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from typing import Any, TypedDict

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader
from typing_extensions import Unpack

from cloud_transformers import native
from cloud_transformers.checkpoints import BEST, FINAL, write_safetensors
from cloud_transformers.datasets import Dataset
from cloud_transformers.decoding import check_names
from cloud_transformers.engine.average import WeightAverage
from cloud_transformers.engine.checkpoint import Checkpoints, Progress
from cloud_transformers.engine.evaluation import Protocol, evaluate
from cloud_transformers.engine.interrupt import Interrupt
from cloud_transformers.engine.options import TrainingOptions
from cloud_transformers.engine.order import SeededItems, StepOrder, prepared, seed_of
from cloud_transformers.engine.processes import Processes
from cloud_transformers.engine.reporter import Reporter
from cloud_transformers.engine.run import RunFolder
from cloud_transformers.engine.schedule import check_points, make_optimizer, set_learning_rate, share_of_points
from cloud_transformers.errors import InputError
from cloud_transformers.layers.synchronized import synchronize
from cloud_transformers.models import Preparation, save
from cloud_transformers.tasks import Batch, Task


class TaskModel(nn.Module):
    """A model run the way its task runs it: what is given to several processes is this, so `forward` sees batches."""

    def __init__(self, task: Task, model: nn.Module) -> None:
        super().__init__()
        self.task = task
        self.model = model

    def forward(self, batch: Any) -> Any:
        return self.task.forward(self.model, batch)


@dataclass(kw_only=True)
class Training:
    """The parts of a run; `train` puts them together."""

    task: Task
    options: TrainingOptions
    run: RunFolder
    processes: Processes
    model: nn.Module
    module: nn.Module  # the model as all processes share it
    optimizer: torch.optim.Optimizer
    average: WeightAverage | None
    checkpoints: Checkpoints
    preparation: Preparation | None = None

    @property
    def evaluated(self) -> nn.Module:
        return self.model if self.average is None else self.average.model


class AboutRun(TypedDict, total=False):
    """What a run keeps beside its weights, and what it starts from.

    - `configuration`: everything that was chosen; a folder takes up only runs of the same one.
    - `facts`: which data it was, and what else somebody should know later.
    - `preparation`: what the model expects of its input; it goes into the weight files.
    - `start`: puts weights into the new model of a run that has no checkpoint yet, and says in a sentence what it did.
    """

    configuration: Mapping[str, Any]
    facts: Mapping[str, Any]
    preparation: Preparation | None
    start: Callable[[nn.Module], str] | None


def train(
    task: Task,
    make_model: Callable[[], nn.Module],
    dataset: Dataset[Any],
    options: TrainingOptions,
    run: RunFolder,
    *,
    validation: Protocol | None = None,
    processes: Processes | None = None,
    **about: Unpack[AboutRun],
) -> nn.Module:
    """Train to the last step and return the model to be used: the average of the weights, where one is kept.

    If `run` holds checkpoints of the same configuration, training goes on from the newest.

    - `task`: makes batches, losses and scores; see `tasks.Task`.
    - `make_model`: is called once, after the random numbers were seeded.
    - `dataset`: of samples that the task knows. `options`: how long and how. `run`: the folder that is filled.
    - `validation`: by what the best weights are chosen, every `options.validate_every` steps.
    - `processes`: this one alone by default, or those that torchrun started.
    - `about`: see `AboutRun`.

    InputError if the folder holds another run, a loss is not finite, or the disk is full.

    >>> from functools import partial; from pathlib import Path
    >>> data = ct.world.sources.modelnet40("train", size=2, transform=ct.transforms.FixedCount(32))
    >>> make_model = partial(ct.models.classifier, "tiny", num_classes=40, mask_head=False)
    >>> options = ct.engine.TrainingOptions(steps=2, batch_size=2, log_every=1, device="cpu")
    >>> run = ct.engine.RunFolder(Path("run"))
    >>> model = ct.engine.train(ct.tasks.Classification(with_mask=False), make_model, data, options, run)
    >>> [record["step"] for record in run.records()]
    [1, 2]
    """
    check_names(AboutRun, about)
    preparation, start = about.get("preparation"), about.get("start")
    if validation is None and options.patience:
        raise InputError("patience needs validation data, and this run has none; set patience=0")
    check_points(options, task)
    processes = processes or Processes(device=options.device, precision=options.precision)
    native.keep_freed_memory()  # every step allocates the same tensors
    torch.manual_seed(options.seed)
    model = make_model()
    checkpoints = Checkpoints(run.checkpoints, options.keep)
    # Before the folder is made: weights that do not fit must not leave a run behind.
    said = start(model) if start is not None and not checkpoints.all() else ""
    with run.owned() if processes.is_main else nullcontext():
        if processes.is_main:
            run.open(about.get("configuration") or {"training": asdict(options)}, about.get("facts") or {})
            if said:
                print(said, file=sys.stderr)
        processes.wait()
        return _train(task, model, dataset, options, run, validation, processes, checkpoints, preparation)


def _train(
    task: Task,
    model: nn.Module,
    dataset: Dataset[Any],
    options: TrainingOptions,
    run: RunFolder,
    validation: Protocol | None,
    processes: Processes,
    checkpoints: Checkpoints,
    preparation: Preparation | None,
) -> nn.Module:
    """The run itself, from its newest checkpoint on, in a folder that is this run's own."""
    model = model.to(processes.device).train()
    if processes.count > 1 and options.statistics == "all":
        synchronize(model)
    optimizer = make_optimizer(model, options)
    average = WeightAverage(model, options.ema) if options.ema else None
    progress = checkpoints.restore(model, optimizer, average, processes.accelerator.scaler)
    if processes.is_main:
        checkpoints.remove_old()
        for note in checkpoints.notes:
            print(note, file=sys.stderr)
    processes.wait()
    module, optimizer = processes.accelerator.prepare(TaskModel(task, model), optimizer)
    training = Training(
        task=task,
        options=options,
        run=run,
        processes=processes,
        model=model,
        module=module,
        optimizer=optimizer,
        average=average,
        checkpoints=checkpoints,
        preparation=preparation,
    )
    if processes.is_main:
        checkpoints.clear_leftovers()
        run.rewind(progress.step)
    with Interrupt() as interrupt, Reporter(run, options, progress.step, processes.is_main) as reporter:
        _loop(training, dataset, progress, validation, interrupt, reporter)
    if processes.is_main:
        save(training.evaluated, run.path / FINAL, preparation=preparation, step=str(progress.step))
    processes.wait()
    return training.evaluated.eval()


def _loop(
    training: Training,
    dataset: Dataset[Any],
    progress: Progress,
    validation: Protocol | None,
    interrupt: Interrupt,
    reporter: Reporter,
) -> None:
    options, processes = training.options, training.processes
    batches = _batches(training, dataset, progress.step)
    for step in range(progress.step, options.steps):
        if options.patience and progress.validations_since_best >= options.patience:
            reporter.say(f"no better validation in {options.patience}: training ends at step {step}")
            break
        torch.manual_seed(seed_of(options.seed, step, processes.rank))
        rate = set_learning_rate(training.optimizer, options, step)
        parts = [next(batches).to(processes.device) for _ in range(options.accumulate)]
        if (share := share_of_points(options, step)) < 1:
            parts = [part.thinned(share) for part in parts]
        state = [buffer.clone() for buffer in training.model.buffers()] if options.on_nonfinite == "skip" else []

        training.module.train()
        training.optimizer.zero_grad()
        losses = _backward(training, parts, step)
        norm = float(processes.accelerator.clip_grad_norm_(training.module.parameters(), options.clip or math.inf))
        if _is_finite(losses, norm, scaled=options.precision == "float16"):
            training.optimizer.step()
        else:
            _leave_out(training, parts, step, losses, norm, state, progress)
        if options.statistics == "own":  # each counted its own samples; what is kept for answers is the same everywhere
            processes.average(buffer for buffer in training.model.buffers() if buffer.is_floating_point())
        if training.average is not None:
            training.average.update(training.model, step)

        progress.step = step + 1
        reporter.step(progress, losses, rate, norm, num_samples=len(dataset))
        last = progress.step == options.steps
        if validation is not None and options.validate_every and (last or progress.step % options.validate_every == 0):
            _validate(training, validation, progress, reporter)
        stop = processes.sums({"stop": float(interrupt.noted)})["stop"] > 0
        if last or stop or progress.step % options.checkpoint_every == 0:
            if processes.is_main:
                scaler = processes.accelerator.scaler
                training.checkpoints.write(progress, training.model, training.optimizer, training.average, scaler)
            processes.wait()
        if stop and not last:
            reporter.say(f"stopped after step {progress.step}; the same command goes on from there")
            raise KeyboardInterrupt


def _batches(training: Training, dataset: Dataset[Any], first: int) -> Iterator[Any]:
    options, processes = training.options, training.processes
    order = StepOrder(
        len(dataset),
        batch_size=options.batch_size,
        seed=options.seed,
        first=first,
        steps=options.steps,
        accumulate=options.accumulate,
        rank=processes.rank,
        num_processes=processes.count,
    )
    loader: DataLoader[Any] = DataLoader(
        SeededItems(dataset, options.seed),  # type: ignore[arg-type]
        batch_sampler=order,
        collate_fn=training.task.collate,
        num_workers=options.workers,
    )
    return prepared(loader)


def _backward(training: Training, parts: list[Any], step: int) -> dict[str, float]:
    """Add the gradients of all parts on all processes; returns the terms of the loss and their sum, "loss".

    Where something is recognised, "accuracy" is the share of it that the model had right before the step, in %.
    A term is a mean over what all of them hold together, as if they were one batch on one process.
    """
    task, processes = training.task, training.processes
    counts: dict[str, float] = {}
    for part in parts:
        for name, count in task.counts(part).items():
            counts[name] = counts.get(name, 0.0) + count
    counts = processes.sums(counts)
    values = {"hits": 0.0, "seen": 0.0}
    for number, part in enumerate(parts):
        with processes.without_exchange(training.module, wanted=number + 1 < len(parts)):
            prediction = training.module(part)
            loss: Tensor | float = 0.0
            for name, term in task.loss(prediction, part, step).items():
                value = term.value * (task.counts(part)[name] / max(counts[name], 1.0))
                values[name] = values.get(name, 0.0) + float(value.detach())
                values["loss"] = values.get("loss", 0.0) + term.share * float(value.detach())
                loss = loss + term.share * value
            if (found := task.recognised(prediction, part)) is not None:
                logits, labels = found
                values["hits"] += float((logits.detach().argmax(-1) == labels).sum())
                values["seen"] += len(labels)
            # Gradients are averaged over the processes, but these are shares of a sum.
            processes.accelerator.backward(loss * processes.count)
    values = processes.sums(values)
    hits, seen = values.pop("hits"), values.pop("seen")
    return {**values, "accuracy": 100 * hits / seen} if seen else values


def _is_finite(losses: Mapping[str, float], norm: float, *, scaled: bool) -> bool:
    """Gradients of scaled losses overflow now and then: the scaler skips these steps by itself."""
    return math.isfinite(losses["loss"]) and (scaled or math.isfinite(norm))


def _leave_out(
    training: Training,
    parts: list[Batch],
    step: int,
    losses: Mapping[str, float],
    norm: float,
    state: list[Tensor],
    progress: Progress,
) -> None:
    """Skip the step as if its batch had not been there, or stop with the batch saved."""
    if training.options.on_nonfinite == "skip":
        for buffer, before in zip(training.model.buffers(), state, strict=True):
            buffer.copy_(before)
        progress.skipped += 1
        return
    path = training.run.path / f"nonfinite-step-{step:08d}-process-{training.processes.rank}.safetensors"
    tensors = {f"{number}.{name}": x.cpu() for number, part in enumerate(parts) for name, x in part.tensors().items()}
    names = ", ".join(name for part in parts for name in part.names)
    write_safetensors(path, tensors, {"samples": names, "step": str(step)})
    raise InputError(
        f"step {step}: the loss is {losses['loss']:g} and the norm of its gradient {norm:g}; the batch ({names}) is in "
        f"{path}. Lower the learning rate or clip the gradient, or leave such batches out with on_nonfinite=skip"
    )


def _validate(training: Training, validation: Protocol, progress: Progress, reporter: Reporter) -> None:
    scores = evaluate(training.evaluated, validation, training.processes).scores()
    first = scores[0]
    sign = 1 if first.better == "higher" else -1
    is_better = first.value == first.value and (progress.best is None or sign * first.value > sign * progress.best)
    if is_better:
        progress.best, progress.best_step, progress.validations_since_best = first.value, progress.step, 0
        if training.processes.is_main:
            notes = {"step": str(progress.step), "chosen_by": f"{first} on {validation.name}"}
            save(training.evaluated, training.run.path / BEST, preparation=training.preparation, **notes)
    else:
        progress.validations_since_best += 1
    reporter.validation(progress, scores, is_better)
