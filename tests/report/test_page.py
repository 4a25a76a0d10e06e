"""The results page: one well-formed file, whatever the run was."""

from html.parser import HTMLParser

import numpy as np
import torch

from cloud_transformers.cloud import PointCloud
from cloud_transformers.engine.evaluation import Shown
from cloud_transformers.engine.results import Results
from cloud_transformers.metrics import ConfusionMatrix
from cloud_transformers.report import write_page
from cloud_transformers.report.curves import curve
from cloud_transformers.tasks import Image, Panel


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.sources: list[str] = []
        self.words = ""

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.sources += [value for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data):
        self.words += data


def results(**changes) -> Results:
    matrix = ConfusionMatrix(("chair", "<table>", "sofa"))
    matrix.update(torch.tensor([0, 1, 1]), torch.tensor([0, 1, 0]))
    positions = np.random.default_rng(0).normal(size=(50, 3)).astype(np.float32)
    cloud = PointCloud(positions=positions, fields={"label": np.arange(50) % 20 - 1})
    names = tuple(f"class <{number}>" for number in range(20))
    panels = [
        Panel("truth", cloud, "label", names=names),
        Panel("input", cloud),
        Image("seen", np.zeros((8, 8, 3), "u1")),
    ]
    shown = Shown("a & b", "true <chair>, predicted sofa (70.0%)", panels)
    values = {
        "recipe": "toy", "protocol": "once <each>", "weights": "w", "seconds": 1.0, "scores": [matrix.mean_iou()],
        "details": matrix.per_class(), "classes": matrix.classes, "confusion": matrix.counts.tolist(),
        "absent": matrix.absent(), "best": [shown], "worst": [shown],
    }  # fmt: skip
    return Results(**{**values, **changes})


def test_the_page_has_everything_and_needs_nothing_else(tmp_path):
    records = [{"step": step, "loss": 1 / step, "learning_rate": 0.1, "gradient_norm": None} for step in (1, 2, 3)]
    records += [{"step": step, "validation": {"mIoU": step}, "best": True} for step in (1, 3)]
    write_page(tmp_path / "page.html", results(), records)
    page = Page()
    page.feed((tmp_path / "page.html").read_text())
    assert page.tags.count("svg") == 3  # loss, learning rate, validation; the norms were not finite
    assert page.tags.count("img") == 6
    assert all(source.startswith("data:image/png;base64,") for source in page.sources)
    assert "<table>" in page.words
    assert "once <each>" in page.words
    assert "a & b" in page.words
    assert page.words.count("true <chair>, predicted sofa (70.0%)") == 2
    assert "class <18>" in page.words
    assert "class <19>" not in page.words  # only labels that are there are explained
    assert "no label" in page.words
    assert "In neither truth nor prediction: sofa" in page.words


def test_a_page_without_classes_curves_and_samples(tmp_path):
    bare = results(classes=(), confusion=[], absent=[], details=[], best=[], worst=[])
    write_page(tmp_path / "page.html", bare, [])
    page = Page()
    page.feed((tmp_path / "page.html").read_text())
    assert "svg" not in page.tags


def test_a_curve_needs_two_points():
    assert curve("x", [(1, 2.0)]) == ""
    assert curve("x", [(1, 2.0), (2, float("inf"))]) == ""
    assert "polyline" in curve("x", [(1, 2.0), (2, 2.0)])
