"""The room and the objects: what is what.

Letters: N points, K classes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from cloud_transformers.io import read
from cloud_transformers.io.images import read_image
from cloud_transformers.metrics import ConfusionMatrix, Score
from cloud_transformers.predict import class_colors
from cloud_transformers.render import Picture, cameras
from cloud_transformers.render.clouds import painted
from cloud_transformers.render.colors import BLUE, GREY, PALE, RED, SAND
from cloud_transformers.render.sheets import trimmed
from cloud_transformers.report.showcase.section import (
    ANSWERS,
    SIDE,
    Bar,
    Compared,
    Exhibit,
    Figure,
    Section,
    rgb,
    sampled,
    scene,
)
from cloud_transformers.viewer import ShownCloud
from cloud_transformers.world import rooms
from cloud_transformers.world.showcase import OBJECTS, ROOM, TRUTH, Showcase, class_of

ROOM_SIDE = 720
TOP = 3


def room_section(folder: Path, showcase: Showcase, command: str, classes: tuple[str, ...]) -> Section:
    given, answer = read(folder / ROOM), read(folder / ANSWERS / ROOM)
    truth = _as_in(classes, read(folder / TRUTH / ROOM).fields["label"])
    predicted = answer.fields["label"].astype(np.int64)
    matrix = ConfusionMatrix(classes)
    matrix.update(torch.from_numpy(predicted), torch.from_numpy(truth))
    counts = np.bincount(truth[truth >= 0], minlength=len(classes))
    most, share = classes[int(counts.argmax())], float(counts.max()) / max(int(counts.sum()), 1)
    return Section(
        task="segmentation",
        title="A scanned room: what is every point?",
        story="A laser scanner turned a furnished room into coloured points. The model gives each of them one of "
        f"{len(classes)} names: this one is floor, that one is chair.",
        command=command,
        exhibits=(_room_exhibit(given, predicted, truth, classes),),
        scores=(
            Compared(
                matrix.mean_iou(),
                100 * share / max(int(np.count_nonzero(counts)), 1),
                f"call everything {most}",
                "how well the areas of predicted and true classes overlap, every class counting alike; 100 is perfect",
            ),
            Compared(
                matrix.overall_accuracy(), 100 * share, f"call everything {most}", "points that got their right name"
            ),
        ),
        legend=_legend(classes, np.union1d(np.unique(predicted), np.unique(truth[truth >= 0]))),
        note="The ceiling and the nearest wall are left out of the pictures, so that one can look in, not out of the "
        "scores.",
        wide=True,
        strip=tuple(trimmed(_room_pictures(given, predicted, truth, classes, 2 * SIDE)[:3])),
    )


def _as_in(classes: tuple[str, ...], labels: NDArray[Any]) -> NDArray[np.int64]:
    """The room's labels as places among the model's classes; -1 for those which it does not know."""
    places = [classes.index(name) if name in classes else -1 for name in rooms.CLASSES]
    return np.array(places, np.int64)[labels]


def _room_exhibit(given: Any, predicted: NDArray[Any], truth: NDArray[Any], classes: tuple[str, ...]) -> Exhibit:
    drawn = trimmed(_room_pictures(given, predicted, truth, classes, ROOM_SIDE))
    captions = (
        "The scan that went in",
        "What the model says, by colour",
        "The truth, by colour",
        f"Where it is wrong: {100 * np.mean((predicted != truth)[truth >= 0]):.1f} % of the points, in red",
    )
    figures = tuple(Figure(caption, pixels) for caption, pixels in zip(captions, drawn, strict=True))
    title = f"A room of {len(given):,} points"
    common = {"positions": given.positions, "color": given.fields["color"]}
    scan = ShownCloud(name="scan", **common)
    answer = ShownCloud(name="model", label=predicted, truth=truth, **common)
    return Exhibit(title=title, figures=figures, scene=scene(title, (scan, answer), classes))


def _room_pictures(
    given: Any, predicted: NDArray[Any], truth: NDArray[Any], classes: tuple[str, ...], side: int
) -> list[Picture]:
    """The scan, the answer, the truth, the mistakes."""
    shown = cameras.opened(given.positions)
    points = given.positions[shown].astype(np.float64)
    camera = cameras.room_camera(points, side)
    palette = np.concatenate([class_colors(classes), PALE[None]])  # the last is for what has no known class
    wrong = np.where(((predicted != truth) & (truth >= 0))[:, None], RED, PALE)
    paints = (given.fields["color"], palette[predicted], palette[truth], wrong)
    return [painted(points, paint[shown], camera, wide=max(3, side // 180)) for paint in paints]


def _legend(classes: tuple[str, ...], found: NDArray[Any]) -> tuple[tuple[str, tuple[int, int, int]], ...]:
    colors = class_colors(classes)
    return tuple((classes[number], rgb(colors[number])) for number in found)


def objects_section(folder: Path, showcase: Showcase, command: str, classes: tuple[str, ...]) -> Section:
    content = json.loads((folder / ANSWERS / OBJECTS.with_suffix(".json")).read_text(encoding="utf-8"))
    predicted = {Path(each["file"]).stem: each["classes"] for each in content["files"]}
    names = showcase.object_names()
    hits = sum(predicted[name][0]["name"] == class_of(name) for name in names)
    masks = [_masks(folder, name) for name in names]
    right = np.concatenate([found == true for _, found, true in masks])
    share = float(np.concatenate([true for _, _, true in masks]).mean())
    shown = names[: len(set(map(class_of, names)))]
    drawn = [_object_pictures(*mask) for mask in masks[: len(shown)]]
    themselves = [read_image(folder / TRUTH / OBJECTS / f"{name}.png") for name in shown]
    return Section(
        task="classification",
        title="Scanned objects: what is it, and which points belong to it?",
        story="Objects were cut out of scans: what the scanner did not see is missing, and bits of floor, wall and "
        f"neighbours came along. The model names the object, one of {len(classes)} kinds, and tells it from its "
        "surroundings.",
        command=command,
        exhibits=tuple(
            _object_exhibit(name, predicted[name], (*pixels, image), mask)
            for name, pixels, image, mask in zip(shown, drawn, themselves, masks, strict=False)
        ),
        scores=(
            Compared(
                Score(
                    name="OA",
                    value=100 * hits / len(names),
                    unit="%",
                    definition="right answers over all answers",
                    num_samples=len(names),
                    sample="objects",
                ),
                100 / len(classes),
                "guess",
                "objects whose first answer is right",
            ),
            Compared(
                Score(
                    name="mask accuracy",
                    value=100 * float(right.mean()),
                    unit="%",
                    definition="points rightly taken for object or surroundings, over all points",
                    num_samples=len(right),
                ),
                100 * max(share, 1 - share),
                "call every point " + ("object" if share >= 0.5 else "surroundings"),
                "points rightly told to be the object or its surroundings",
            ),
        ),
        legend=(("the object", rgb(BLUE)), ("its surroundings", rgb(SAND))),
        note=f"The first of each kind is shown, right or wrong; the scores are those of all {len(names)}.",
        strip=tuple(pixels for pictures in sampled(drawn) for pixels in pictures),
    )


Masks = tuple[NDArray[Any], NDArray[np.bool_], NDArray[np.bool_]]  # points [N, 3], z up; found [N]; true [N]


def _masks(folder: Path, name: str) -> Masks:
    truth = read(folder / TRUTH / OBJECTS / f"{name}.ply")
    answer = read(folder / ANSWERS / OBJECTS / f"{name}.ply")
    return cameras.z_up(truth.positions), answer.fields["label"] == 1, truth.fields["mask"] == 1


def _object_pictures(points: NDArray[Any], found: NDArray[np.bool_], true: NDArray[np.bool_]) -> tuple[Picture, ...]:
    camera = cameras.object_camera(points, SIDE)
    paints = (GREY, *(np.where(mask[:, None], BLUE, SAND) for mask in (found, true)))
    return tuple(painted(points, paint, camera, wide=4) for paint in paints)


def _object_exhibit(name: str, predicted: list[dict[str, Any]], pixels: tuple[Picture, ...], masks: Masks) -> Exhibit:
    truth, (points, found, true) = class_of(name), masks
    scan = ShownCloud(name="scan", positions=points)
    answer = ShownCloud(name="model", positions=points, label=found.astype(int), truth=true.astype(int))
    first = predicted[0]
    captions = ("scan", "model", "truth", "the object itself")
    return Exhibit(
        title=f"“{first['name']}”, {100 * first['probability']:.0f} %",
        remark="right" if first["name"] == truth else f"wrong: it is a {truth}",
        right=first["name"] == truth,
        figures=tuple(Figure(caption, each) for caption, each in zip(captions, pixels, strict=True)),
        bars=tuple(Bar(each["name"], each["probability"], each["name"] == truth) for each in predicted[:TOP]),
        scene=scene(name, (scan, answer), ("its surroundings", "the object")),
    )
