"""Partial views and pictures: the shape of what was not seen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from cloud_transformers.io import read
from cloud_transformers.io.images import read_image
from cloud_transformers.metrics import CategoryAverage, ShapeDistances
from cloud_transformers.render import Picture, cameras
from cloud_transformers.render.clouds import painted
from cloud_transformers.render.colors import BLUE, ORANGE, by_height
from cloud_transformers.report.showcase.section import (
    ANSWERS,
    SIDE,
    Compared,
    Exhibit,
    Figure,
    Section,
    rgb,
    sampled,
    scene,
)
from cloud_transformers.space.neighbours import nearest_points
from cloud_transformers.viewer import Scene, ShownCloud
from cloud_transformers.world.showcase import PARTIAL, PICTURES, TRUTH, Showcase, class_of

SEEN = 0.02  # a point no farther than this from one that was given counts as seen; objects have a diagonal of 1
NEAR = 0.05  # of the F-score
CANDIDATES = 1024  # points of each shape while the best constant answer is looked for
AROUND = -np.radians(45), 0.0  # how far to walk around an object to see more of it

Points = NDArray[Any]  # [N, 3]


def distances(answer: Points, truth: Points) -> ShapeDistances:
    """With a KD-tree: clouds of ten thousand points take a hundredth of the time of comparing all with all."""
    return ShapeDistances(
        to_truth=torch.from_numpy(nearest_points(truth, answer)[0].T),
        to_prediction=torch.from_numpy(nearest_points(answer, truth)[0].T),
    )


def partial_section(folder: Path, showcase: Showcase, command: str, classes: tuple[str, ...]) -> Section:
    names = showcase.partial_names()
    triples = [_triple(folder, PARTIAL, name) for name in names]
    values = [
        [1e4 * float(distances(cloud, truth).chamfer_l2()) for cloud in (given, predicted)]
        for given, predicted, truth in triples
    ]
    shown = len(set(map(class_of, names)))
    drawn = [_partial_pictures(*triple) for triple in triples[:shown]]
    captions = ("what one view saw", "model", "truth")
    exhibits = [
        Exhibit(
            title=class_of(name),
            remark=f"distance {after:.0f}, before {before:.0f}",
            figures=tuple(Figure(caption, each) for caption, each in zip(captions, pixels, strict=True)),
            scene=_scene(name, captions, triple),
        )
        for name, pixels, (before, after), triple in zip(names, drawn, values, triples, strict=False)
    ]
    score = _average(
        "CD-L2", [after for _, after in values], names, "1e-4", "mean(d1^2) + mean(d2^2) of nearest neighbours", "lower"
    )
    before = _average("CD-L2", [before for before, _ in values], names, "1e-4", "of the input", "lower")
    return Section(
        task="completion",
        title="One look at an object: what does its other side look like?",
        story="A depth camera saw an object from one side only. The model adds the points that the camera could not "
        "see. It knows no name and no picture, only those points.",
        command=command,
        exhibits=tuple(exhibits),
        scores=(
            Compared(
                score.score(),
                before.score().value,
                "leave the input as it is",
                "how far the answer and the true shape lie apart (squared); less is better, 0 is perfect",
            ),
        ),
        legend=(("seen by the camera", rgb(BLUE)), ("not seen: the model's guess, or the truth", rgb(ORANGE))),
        note=f"The first of each kind is shown; the score is that of all {len(names)}. The box of the partial "
        "cloud decides about position and size, because the box of the whole one is not known.",
        strip=tuple(pixels for pictures in sampled(drawn) for pixels in pictures),
    )


def _triple(folder: Path, kind: Path, name: str) -> tuple[Points, Points, Points]:
    """What was given, what was predicted, and what is true, with z up."""
    places = (folder / kind, folder / ANSWERS / kind, folder / TRUTH / kind)
    given, predicted, true = (cameras.z_up(read(place / f"{name}.ply").positions) for place in places)
    return given, predicted, true


def _scene(title: str, names: Sequence[str], clouds: Sequence[Points]) -> Scene:
    """Of clouds with z up."""
    return scene(title, [ShownCloud(name=name, positions=each) for name, each in zip(names, clouds, strict=True)])


def _partial_pictures(given: Points, predicted: Points, true: Points) -> tuple[Picture, ...]:
    camera = cameras.object_camera(true, SIDE)
    drawn = [painted(given, BLUE, camera, wide=4)]
    for points in (predicted, true):
        seen = nearest_points(given, points)[0] < SEEN
        drawn.append(painted(points, np.where(seen, BLUE, ORANGE), camera, wide=3))
    return tuple(drawn)


def pictures_section(folder: Path, showcase: Showcase, command: str, classes: tuple[str, ...]) -> Section:
    names = showcase.picture_names()
    images = [read_image(folder / PICTURES / f"{name}.png") for name in names]
    predicted = [read(folder / ANSWERS / PICTURES / f"{name}.ply").positions for name in names]
    true = [read(folder / TRUTH / PICTURES / f"{name}.ply").positions for name in names]
    values = [100 * float(distances(*pair).f_score(NEAR)) for pair in zip(predicted, true, strict=True)]
    shown = len(set(map(class_of, names)))
    drawn = [_turned(*pair) for pair in list(zip(predicted, true, strict=True))[:shown]]
    captions = ("picture", "model, same side", "model, from the left", "truth, from the left")
    exhibits = [
        Exhibit(
            title=class_of(name),
            remark=f"F-score {value:.0f} %",
            figures=tuple(Figure(caption, each) for caption, each in zip(captions, (image, *pixels), strict=True)),
            scene=_scene(name, ("model", "truth"), [cameras.z_up(each) for each in pair]),
        )
        for name, image, pixels, value, pair in zip(
            names, images, drawn, values, zip(predicted, true, strict=True), strict=False
        )
    ]
    definition = f"harmonic mean of precision and recall at a distance < {NEAR:g}"
    return Section(
        task="reconstruction",
        title="One picture: what shape is it in space?",
        story="From a single picture the model makes an object out of points, the side that the picture hides "
        "included. Walk around the answer and compare it with the truth.",
        command=command,
        exhibits=tuple(exhibits),
        scores=(
            Compared(
                _average(f"F@{NEAR:.0%}".replace("%", " %"), values, names, "%", definition, "higher").score(),
                best_shape_for_all(true),
                "always give the one shape that fits best",
                "points that lie within 5 % of the cube from where they should; 100 is perfect",
            ),
        ),
        note=f"The first of each kind is shown; the score is that of all {len(names)}. Colours only show height.",
        strip=tuple(
            pixels
            for image, pictures in sampled(list(zip(images, drawn, strict=False)))
            for pixels in (_to_side(image), *pictures[1:])
        ),
    )


def best_shape_for_all(shapes: Sequence[Points], candidates: int = CANDIDATES) -> float:
    """F-score in percent of the one of these shapes that, given for all others, does best; 0 if there is one only."""
    few = torch.from_numpy(np.stack([_some(shape, candidates) for shape in shapes]))
    best = 0.0
    for number in range(len(few)):
        others = torch.cat([few[:number], few[number + 1 :]])
        if len(others):
            best = max(best, 100 * float(ShapeDistances.of_one(few[number], others).f_score(NEAR).mean()))
    return best


def _some(points: Points, count: int) -> Points:
    return points[np.random.default_rng(0).permutation(len(points))[:count]]


def _turned(predicted: Points, true: Points) -> tuple[Picture, ...]:
    """The answer from the picture's side, and answer and truth from another."""
    predicted, true = cameras.z_up(predicted), cameras.z_up(true)
    low, high = float(true[:, 2].min()), float(true[:, 2].max())
    front, aside = cameras.viewer_camera(SIDE), cameras.viewer_camera(SIDE, *AROUND)
    views = ((predicted, front), (predicted, aside), (true, aside))
    return tuple(painted(points, by_height(points, low, high), camera, wide=3) for points, camera in views)


def _to_side(image: Picture) -> Picture:
    """The middle of a picture that is a little larger, or the picture on white."""
    canvas = np.full((SIDE, SIDE, 3), 255, np.uint8)
    top, left = (max(0, (extent - SIDE) // 2) for extent in image.shape[:2])
    part = image[top : top + SIDE, left : left + SIDE]
    canvas[: part.shape[0], : part.shape[1]] = part
    return canvas


def _average(
    name: str, values: Sequence[float], names: Sequence[str], unit: str, definition: str, better: str
) -> CategoryAverage:
    average = CategoryAverage(name, unit=unit, definition=definition, better=better)
    for each, value in zip(names, values, strict=True):
        average.update(class_of(each), value)
    return average
