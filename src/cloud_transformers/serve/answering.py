"""What a worker process can do: say what there is, answer a job, write an answer in another format.

A job's folder gets `answer.npz`, every bit of the answer, and `scene.bin`, what the page's viewer draws.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from cloud_transformers import io
from cloud_transformers.cloud import PointCloud
from cloud_transformers.errors import InputError
from cloud_transformers.files import whole_file
from cloud_transformers.inspect import Subject, check_folds, folding, folding_figure, heads_json
from cloud_transformers.inspect.heads_page import inspector
from cloud_transformers.models.saving import description_of
from cloud_transformers.models.weights import boxed, find_weights
from cloud_transformers.predict import Predictor
from cloud_transformers.predict.cards import card_of
from cloud_transformers.predict.pictures import SUFFIXES as PICTURES
from cloud_transformers.serve.jobs import Order
from cloud_transformers.serve.predictions import TASKS, Question, Tell, looked_at
from cloud_transformers.serve.samples import SAMPLES
from cloud_transformers.viewer import Scene

ANSWER, SCENE = "answer.npz", "scene.bin"
HEADS, FOLDING = "heads.bin", "folding.bin"
PREVIEW_POINTS = 100_000  # drawn on a mesh
LEGEND = "legend.json"  # the names of the classes, as .ply files carry them


def catalogue(*, names: list[str], tell: Tell) -> dict[str, Any]:
    """Weights by name, those in the box and others; the formats; the samples.

    The page offers the first of a task: weights that take metres alone come last, since nobody says units there.
    """
    files = {**boxed(), **{_short(name): find_weights(name) for name in names}}
    return {
        "weights": [_weights_facts(name, path) for name, path in sorted(files.items(), key=_takes_metres)],
        "clouds": list(io.FORMATS),
        "pictures": list(PICTURES),
        "written": io.writable_suffixes(),
        "samples": [
            {"name": name, "title": each.title, "task": each.task, "suffix": each.suffix}
            for name, each in SAMPLES.items()
        ],
    }


def _short(name: str) -> str:
    path = Path(name)
    return path.stem if path.suffix == ".safetensors" else path.name


def _takes_metres(named: tuple[str, Path]) -> bool:
    said = description_of(named[1]).preparation
    return said is not None and said.knows_sizes


def _weights_facts(name: str, path: Path) -> dict[str, Any]:
    said, card = description_of(path), card_of(path)
    if said.preparation is None:
        raise InputError(f"{path}: does not say what input it expects, so it cannot be used here")
    return {
        "name": name,
        "path": str(path),
        "task": said.kind.task,
        "classes": list(said.preparation.classes),
        "score": card.facts.get("score", "") if card else "",
        "card": card.text if card else "",
    }


def answer(*, place: str, order: dict[str, Any], weights: str | None, most_points: int, tell: Tell) -> dict[str, Any]:
    """Answers the job in this folder; returns what there is to say about the answer."""
    began = time.perf_counter()
    asked, folder = Order(**order), Path(place)
    tempfile.tempdir = place  # what is unpacked there goes with the job, even if this process is killed
    source = folder / f"input{asked.suffix}"
    if asked.sample is not None:
        tell(0.0, "making the sample")
        SAMPLES[asked.sample].make(source, asked.seed)
    tell(0.0, "loading the weights")
    question = _question(asked, source, weights, most_points, tell)
    tell(0.1, "reading the input")
    with _own_name(source, asked):
        found = TASKS[asked.task](question)
    tell(0.9, "keeping the answer")
    io.write(folder / ANSWER, found.cloud)
    (folder / LEGEND).write_text(json.dumps(found.cloud.metadata.get("ply", {}).get("comments", [])), encoding="utf-8")
    notes = tuple(_named(note, source, asked) for note in found.notes)
    drawn = found.cloud
    if found.probabilities is not None:
        drawn = drawn.with_fields(probabilities=found.probabilities)
    clouds = {"answer": drawn} if found.given is None else {"input": found.given, "answer": drawn}
    _draw(folder / SCENE, _scene(asked, source, clouds, found.up, notes))
    return {
        "points": len(found.cloud),
        "fields": list(found.cloud.fields),
        "label": found.label,
        "classes": list(found.classes),
        "notes": list(notes),
        "seconds": round(time.perf_counter() - began, 3),
    }


def _scene(asked: Order, source: Path, clouds: dict[str, PointCloud], up: str, notes: tuple[str, ...] = ()) -> Scene:
    """Clouds for the viewer, with the mesh of the job's file where they were drawn on it."""
    meshes = {name: io.read_mesh(source) for name, cloud in clouds.items() if "faces" in cloud.metadata}
    return Scene.of(clouds, meshes=meshes, title=asked.name, up=up, notes=notes)


def _draw(path: Path, scene: Scene) -> None:
    with whole_file(path) as temporary:
        temporary.write_bytes(scene.to_bytes())


def _question(asked: Order, source: Path, weights: str | None, most_points: int, tell: Tell) -> Question:
    if weights is None:
        raise InputError(f"the weights {asked.weights} are no longer offered")
    up = asked.up if asked.sample is None else SAMPLES[asked.sample].up
    return Question(path=source, predictor=_predictor(weights), up=up, most_points=most_points, tell=tell)


def _named(sentence: str, source: Path, asked: Order) -> str:
    """The user's own name of the file, instead of where the server keeps it."""
    return sentence.replace(str(source), asked.name)


@contextmanager
def _own_name(source: Path, asked: Order) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        raise InputError(_named(str(error), source, asked)) from error


@lru_cache(maxsize=4)
def _predictor(weights: str) -> Any:
    return Predictor.load(Path(weights))


def convert(*, place: str, name: str, tell: Tell, **job: Any) -> None:
    """The answer of a job in the format that the name of another file in its folder says."""
    folder = Path(place)
    cloud, comments = io.read(folder / ANSWER), json.loads((folder / LEGEND).read_text(encoding="utf-8"))
    cloud = replace(cloud, metadata={**cloud.metadata, "ply": {"comments": comments}})
    try:
        io.write(folder / name, cloud)
    except InputError as error:
        raise InputError(str(error).replace(str(folder / name), name)) from error


def preview(*, place: str, name: str, order: dict[str, Any], weights: str | None, most_points: int, tell: Tell) -> None:
    """The input of a job for the viewer. No model is loaded: it shall be there at once."""
    asked, folder = Order(**order), Path(place)
    source = folder / f"input{asked.suffix}"
    if asked.task == "reconstruction":
        raise InputError(f"{asked.name} is a picture")
    question = Question(path=source, predictor=None, up=asked.up, most_points=most_points, tell=tell)
    up, _ = question.chosen_up("z" if asked.task == "segmentation" else "y")
    with _own_name(source, asked):
        cloud = question.cloud(PREVIEW_POINTS)
    _draw(folder / name, _scene(asked, source, {"input": cloud}, up))


def inspect(*, place: str, name: str, order: dict[str, Any], weights: str | None, most_points: int, tell: Tell) -> None:
    """A file that looks into the model at work on the input of a job; of a scene, on its fullest region.

    By name: heads.json, numbers of all heads of all blocks; heads.bin and folding.bin, for the viewer.
    """
    asked, folder = Order(**order), Path(place)
    source = folder / f"input{asked.suffix}"
    question = _question(asked, source, weights, most_points, tell)
    subject = Subject(asked.weights, question.predictor)
    title = f"{asked.weights}, {asked.name}"
    with _own_name(source, asked):
        if name == FOLDING:
            check_folds(subject)
        given, up = looked_at(question)
        (taken,) = subject.inputs(given, up=up, name=asked.name)
        if name == FOLDING:
            _draw(folder / name, folding_figure.scene(title, folding(subject, taken), subject.up))
            return
        blocks = subject.blocks(taken)
    if name == HEADS:
        _draw(folder / name, inspector(title, blocks, subject.up))
        return
    content = {"notes": list(taken.notes), "blocks": [heads_json(each) for each in blocks]}
    with whole_file(folder / name) as temporary:
        temporary.write_text(json.dumps(content), encoding="utf-8")


ACTIONS: dict[str, Callable[..., Any]] = {
    "catalogue": catalogue,
    "answer": answer,
    "convert": convert,
    "preview": preview,
    "inspect": inspect,
}
