"""The page of a table of trials: every number in it, one plot, and nothing else needed."""

import xml.etree.ElementTree as ElementTree
from typing import Any

from cloud_transformers.recipes.trial_table import spread
from cloud_transformers.report.trials import trials_plot, write_trials
from tests.report.test_page import Page


def found(**changes: Any) -> dict[str, Any]:
    def row(name: str, paper: float | str | None, *accuracies: float) -> dict[str, Any]:
        return {
            "variant": name,
            "parameters": 1234567,
            "paper": {"S3DIS mIoU": paper},
            "scores": {"OA": spread(accuracies)},
            "runs": [{"seed": seed, "scores": {"OA": value}} for seed, value in enumerate(accuracies)],
        }

    rows = [row("full", 60.0, 80.0, 82.0), row("sum", 57.5, 61.0, 63.0), row("a <b>", "diverged", 5.0, 5.0)]
    values = {
        "recipe": "toy", "size": "small", "protocol": "once <each>", "differences": {"data": "<others>"}, "finished": 6,
        "wanted": 8, "title": "Ablations of toy", "base": "full", "failed": [],
        "cpu_minutes": 12.5, "environment": {"machine": "a machine", "started": "today"}, "rows": rows,
    }  # fmt: skip
    return {**values, **changes}


def circles(plot: str, color: str) -> list[float]:
    """How far right the circles of one filling are, from the top row to the bottom row."""
    drawn = ElementTree.fromstring(plot).iter("{http://www.w3.org/2000/svg}circle")
    return [float(circle.attrib["cx"]) for circle in drawn if circle.attrib["fill"] == color]


def test_the_page_has_every_number_and_needs_nothing_else(tmp_path):
    write_trials(tmp_path / "ablations.html", found())
    page = Page()
    page.feed((tmp_path / "ablations.html").read_text())
    for words in (
        "<others>",
        "6 of 8",
        "12.5 minutes",
        "a <b>",
        "1,234,567",
        "57.5",
        "diverged",
        "62.00 ± 1.41",
        "61.0, 63.0",
    ):
        assert words in page.words, words
    assert page.tags.count("svg") == 1
    assert page.sources == []
    assert (tmp_path / "ablations.svg").read_text().startswith("<svg")


def test_a_page_of_the_same_experiment_claims_no_difference(tmp_path):
    write_trials(tmp_path / "ablations.html", found(differences={}))
    assert "differs" not in (tmp_path / "ablations.html").read_text()


def test_means_are_drawn_in_their_order_and_a_word_where_there_is_no_number():
    plot = trials_plot(found())
    full, total, worst = circles(plot, "#0072b2")
    assert worst < total < full
    assert len(circles(plot, "#d55e00")) == 2  # the paper's third row diverged
    assert len(circles(plot, "none")) == 6
    assert "diverged" in plot


def test_without_a_full_model_there_is_no_plot(tmp_path):
    rows = found()["rows"][1:]
    assert trials_plot(found(rows=rows)) == ""
    write_trials(tmp_path / "ablations.html", found(rows=rows))
    assert not (tmp_path / "ablations.svg").exists()
