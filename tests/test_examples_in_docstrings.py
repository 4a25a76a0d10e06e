"""The examples (`>>>`) in docstrings are run. They know `ct`, `np` and `torch`, and write into an empty folder."""

import doctest
import importlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

import cloud_transformers as ct

ROOT = Path(ct.__file__).parent
NAMES = {"ct": ct, "np": np, "torch": torch}
WANTED = (
    "CloudBatch", "PointCloud", "Predictor", "load", "read", "save", "write",
    "models.segmenter", "models.classifier", "models.completer", "models.reconstructor",
    "ops.rasterize", "ops.derasterize", "ops.cloud_transform", "ops.emd", "ops.nearest",
    "layers.CloudTransform", "layers.MultiHeadBlock", "layers.Cascade",
    *(f"losses.{name}" for name in ct.losses.__all__),
    "metrics.ConfusionMatrix", "metrics.ShapeDistances", "metrics.CategoryAverage", "metrics.Score",
    "transforms.Transform", "transforms.Compose", "datasets.Dataset", "recipes.recipe", "recipes.with_settings",
    "engine.train", "export.check_path", "inspect.open_subject", "inspect.interaction",
    "space.subsample.grid_subsample", "space.neighbours.nearest_points", "world.objects.sample", "world.rooms.room",
    "io.read_chunks", "io.write_parts",
)  # fmt: skip


def examples() -> Iterator[doctest.DocTest]:
    """One per docstring that has an example."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    for path in sorted(ROOT.rglob("*.py")):
        if ">>>" in path.read_text():
            parts = path.relative_to(ROOT.parent).with_suffix("").parts
            module = importlib.import_module(".".join(part for part in parts if part != "__init__"))
            yield from (found for found in finder.find(module, globs=NAMES) if found.examples)


EXAMPLES = {example.name: example for example in examples()}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_does_what_it_says(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    torch.manual_seed(0)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(EXAMPLES[name], out=said.append, clear_globs=False)
    assert runner.summarize(verbose=False).failed == 0, "".join(said)


@pytest.mark.parametrize("name", WANTED)
def test_what_users_call_first_has_an_example(name: str) -> None:
    thing = ct
    for part in name.split("."):
        thing = getattr(thing, part)
    assert ">>>" in (thing.__doc__ or "")
