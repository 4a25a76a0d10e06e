"""Show the four tasks on data made on the spot: scores, and a page with pictures.

Makes a room, scanned objects, partial views and pictures that no model was trained on, answers them with the weights
in the box through the verbs segment, classify, complete and reconstruct (it prints the commands: repeat them by hand),
prints the scores and writes a page that opens in any browser.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from cloud_transformers.cli.shared.places import local_path

if TYPE_CHECKING:
    from cloud_transformers.report.showcase import Section
    from cloud_transformers.world.showcase import Showcase

SEED = 2021  # not 0, which the weights in the box were trained on
WEIGHTS = {
    "segmentation": "segmenter-small",
    "classification": "classifier-small",
    "completion": "completer-small",
    "reconstruction": "reconstructor-small",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o",
        "--output",
        type=local_path,
        default=Path("demo"),
        metavar="FOLDER",
        help="where everything goes (default demo)",
    )
    parser.add_argument("--seed", type=int, default=SEED, help="which room and objects are made (default %(default)s)")
    parser.add_argument(
        "--weights",
        type=local_path,
        metavar="FOLDER",
        help="take NAME.safetensors from here instead of those in the box",
    )


def run(args: argparse.Namespace) -> None:
    from cloud_transformers.world.showcase import Showcase

    show(args.output, Showcase(seed=args.seed), args.weights)


def show(folder: Path, showcase: Showcase, box: Path | None = None) -> None:
    """The demonstration in a folder, with the weights of another folder than the package's if one is named."""
    import time

    from cloud_transformers.errors import InputError
    from cloud_transformers.models.weights import boxed
    from cloud_transformers.report.showcase import write_showcase
    from cloud_transformers.world.showcase import WRITERS

    began = time.perf_counter()
    found = boxed(box)
    missing = [
        f"{task.capitalize()} is not shown: there are no weights {name}."
        for task, name in WEIGHTS.items()
        if name not in found
    ]
    tasks = [task for task, name in WEIGHTS.items() if name in found]
    if not tasks:
        raise InputError(
            f"{box or 'the box'}: holds none of the weights {', '.join(WEIGHTS.values())}, so nothing can be shown; "
            "train some (`cloudt recipes`) and name their folder with --weights"
        )
    for sentence in missing:
        print(sentence)
    folder.mkdir(parents=True, exist_ok=True)
    sections = []
    for task in tasks:
        print(f"\n{task}: making data of seed {showcase.seed}", flush=True)
        WRITERS[task](folder, showcase)
        sections.append(_answered(task, folder, showcase, None if box is None else found[WEIGHTS[task]]))
    _print_scores(sections)
    seconds = time.perf_counter() - began
    page = write_showcase(folder, sections, missing=missing, facts=_facts(showcase, found, tasks, seconds))
    print(f"\nin {seconds:.0f} s; pictures of all this: {page.resolve().as_uri()}")


def command(task: str, folder: Path, weights: Path | None) -> list[str]:
    """The words that a user would type to have the demonstration's files of a task answered."""
    from cloud_transformers.report.showcase import ANSWERS
    from cloud_transformers.world.showcase import OBJECTS, PARTIAL, PICTURES, ROOM

    def paths(name: Path) -> list[str]:
        return [(folder / name).as_posix(), "-o", (folder / ANSWERS / name).as_posix(), "--force"]

    words = {
        "segmentation": ["segment", *paths(ROOM)],
        "classification": [
            "classify",
            *paths(OBJECTS),
            "--up",
            "y",
            "--json",
            (folder / ANSWERS / f"{OBJECTS}.json").as_posix(),
        ],
        "completion": ["complete", *paths(PARTIAL), "--up", "y"],
        "reconstruction": ["reconstruct", *paths(PICTURES)],
    }[task]
    return words + ([] if weights is None else ["--weights", weights.as_posix()])


def _answered(task: str, folder: Path, showcase: Showcase, weights: Path | None) -> Section:
    """Runs the verb as if its command had been typed, and reads what it wrote."""
    import contextlib
    import io
    import shlex

    from cloud_transformers.cli import build_parser
    from cloud_transformers.errors import InputError
    from cloud_transformers.models.saving import load_prepared
    from cloud_transformers.predict import find_weights
    from cloud_transformers.report.showcase import ANSWERS, SECTIONS

    (folder / ANSWERS).mkdir(exist_ok=True)
    words = command(task, folder, weights)
    typed = f"cloudt {shlex.join(words)}"
    print(f"$ {typed}", flush=True)
    parsed = build_parser().parse_args(words)
    with contextlib.redirect_stdout(io.StringIO()):  # a line for every file; whoever repeats the command sees them
        code = parsed.run(parsed)
    if code:
        raise InputError(f"`{typed}` could not answer everything; its reasons are above")
    _, preparation = load_prepared(find_weights(parsed.weights))
    assert preparation is not None  # the verb has just used it
    return SECTIONS[task](folder, showcase, typed, preparation.classes)


def _print_scores(sections: list[Section]) -> None:
    print(f"\n{'task':<16}{'score':<16}{'model':>9}{'no model':>10}")
    for section in sections:
        for compared in section.scores:
            value, baseline = (compared.written(each) for each in (compared.score.value, compared.baseline))
            named = f"{section.task:<16}{compared.measure():<16}"
            print(f"{named}{value:>9}{baseline:>10}  ({compared.baseline_answer})")


def _facts(showcase: Showcase, found: dict[str, Path], tasks: list[str], seconds: float) -> dict[str, str]:
    import platform

    import torch

    from cloud_transformers import __version__

    return {
        "Data": f"the procedural world of cloud-transformers, seed {showcase.seed}, test split",
        "Weights": ", ".join(f"{WEIGHTS[task]} ({found[WEIGHTS[task]].stat().st_size / 1e6:.1f} MB)" for task in tasks),
        "Time": f"{seconds:.0f} s on {torch.get_num_threads()} threads of a CPU ({platform.machine()})"
        if not torch.cuda.is_available()
        else f"{seconds:.0f} s on {torch.cuda.get_device_name()}",
        "Versions": f"cloud-transformers {__version__}, torch {torch.__version__}, Python {platform.python_version()}",
    }
