"""The comparison with others: equal time, runs that go on, tables and a page of what was run and of nothing else."""

from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
import torch
from benchmarks.accuracy import budget, page, plots, store
from benchmarks.accuracy.budget import Budget, learn
from benchmarks.accuracy.generators import COARSE, Coded, FoldingDecoder, PcnDecoder, PictureCode, PointNetCode
from benchmarks.accuracy.table import Column, Table
from torch import Tensor, nn

from cloud_transformers.datasets import Dataset
from cloud_transformers.tasks import Item


class Numbers:
    """Ten numbers, and a model that is to name their mean."""

    classes = ()

    def __len__(self) -> int:
        return 10

    def name(self, index: int) -> str:
        return str(index)

    def problems(self) -> list[Any]:
        return []

    def read(self, index: int, rng: np.random.Generator, epoch: int = 0) -> float:
        return float(index)


class Guess(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.value = nn.Parameter(torch.zeros(()))


def loss(model: nn.Module, items: list[Item]) -> Tensor:
    assert isinstance(model, Guess)
    return torch.stack([(model.value - item.sample).square() for item in items]).mean()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock is a second later: nothing is really timed."""
    seconds = iter(range(1_000_000))
    monkeypatch.setattr(budget.time, "process_time", lambda: float(next(seconds)))


def learned(folder: Path, seconds: float, model: nn.Module) -> budget.Progress:
    wanted = Budget(seconds=seconds, seed=0, batch_size=2, learning_rate=0.1)
    return learn(model, Dataset(Numbers()), loss, wanted, folder, "guess", look=lambda: 1.0)  # type: ignore[arg-type]


def test_a_run_ends_with_its_time_and_looks_at_a_few_moments(clock: None, tmp_path: Path) -> None:
    model = Guess()
    done = learned(tmp_path, 40, model)
    assert 40 <= done.spent < 42
    assert [seconds / 40 for seconds, _ in done.curve] == pytest.approx(budget.LOOKS, abs=0.06)
    assert model.value.item() > 1


def test_a_killed_run_goes_on_from_its_checkpoint(clock: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(model: nn.Module, items: list[Item]) -> Tensor:
        if fails.left == 0:  # type: ignore[attr-defined]
            raise KeyboardInterrupt
        fails.left -= 1  # type: ignore[attr-defined]
        return loss(model, items)

    fails.left = 30  # type: ignore[attr-defined]
    wanted = Budget(seconds=100, seed=0, batch_size=2)
    with pytest.raises(KeyboardInterrupt):
        learn(Guess(), Dataset(Numbers()), fails, wanted, tmp_path, "guess", look=lambda: 1.0)  # type: ignore[arg-type]
    kept = torch.load(tmp_path / "checkpoint.pt", weights_only=True)
    model = Guess()
    done = learned(tmp_path, 100, model)
    assert 0 < kept["step"] <= 30
    assert done.step > kept["step"]
    assert len(done.curve) == len(budget.LOOKS)


class Example(Table):
    name = "example"
    title = "an example"
    columns = (Column("OA"), Column("CD", 2, "lower"))
    models = MappingProxyType({"ours": nn.Identity, "theirs": nn.Identity})
    minutes = 5.0


def fact(model: str, seed: int, accuracy: float) -> dict[str, Any]:
    counted = {"clouds": 100, "clouds per second in training": 4, "clouds per second in evaluation": 9}
    curve = [(60.0 * k, accuracy - 4 + k) for k in range(1, 5)]
    scores = {"OA": accuracy, "CD": 1.0}
    return {"model": model, "seed": seed, "minutes": 5.0, "parameters": 1234, **counted, **scores, "curve": curve}


@pytest.fixture
def results(tmp_path: Path) -> Path:
    folders = store.Folders(runs=tmp_path, results=tmp_path / "results")
    for seed, accuracy in ((0, 80.0), (1, 84.0)):
        path = folders.result("example", "ours", 5.0, seed)
        store.keep(path, "example", "ours", fact("ours", seed, accuracy))
    answers = {"nothing": {"OA": 10.0, "CD": 3.0}}
    store.keep(folders.result("example", "without a model", 0, 0), "example", "", {"answers": answers})
    return tmp_path / "results"


def test_a_table_has_means_spreads_and_what_needs_no_model(results: Path) -> None:
    found = store.results(results, "example")
    ours, nothing = store.rows(Example, found, 5.0)
    assert ours.cells[:3] == ("82.0 ± 2.8", "1.00 ± 0.00", "1,234")
    assert ours.runs == 2
    assert (nothing.name, nothing.cells[:2]) == ("nothing", ("10.0", "3.00"))
    assert store.rows(Example, found, 30.0) == [nothing]
    assert "82.0 ± 2.8" in store.text_table(Example, found, 5.0)


def test_the_page_shows_what_was_run_and_names_what_was_not(results: Path, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "ablations.json").write_text('{"finished": 3, "recipe": "modelnet40", "size": "small"}')
    page.publish(results, {"example": Example}, docs)
    text = (docs / "results.md").read_text(encoding="utf-8")
    assert "| ours | 82.0 ± 2.8 |" in text
    assert "Not run with this budget: theirs." in text
    assert "python -m benchmarks.accuracy example --out RUNS" in text
    assert "Not measured yet." in text  # cost
    assert (docs / "images/results/example.svg").is_file()
    page.publish(tmp_path / "empty", {"example": Example}, docs)
    assert "No model was trained for this table yet." in (docs / "results.md").read_text(encoding="utf-8")


def test_a_plot_has_a_line_for_each_name_and_ticks_within_its_frame() -> None:
    drawn = plots.lines("title < &", "minutes", {"a": [(1, 2.0), (30, 4.0)], "b": [(2, 3.0), (20, 3.0)], "none": []})
    assert drawn.count('fill="none"') == 2
    assert "title &lt; &amp;" in drawn
    axis = plots.Axis.over([0.2, 0.9], 100, 0, is_log=False)
    assert all(0 <= axis.pixel(tick) <= 100 for tick in axis.ticks())
    assert len(axis.ticks()) >= 4


@pytest.mark.parametrize("decoder", [PcnDecoder, FoldingDecoder])
def test_other_decoders_give_as_many_points_as_ours_and_learn_all_over(decoder: type[nn.Module]) -> None:
    for encoder, given in ((PointNetCode(), torch.rand(2, 30, 3)), (PictureCode(), torch.rand(2, 3, 32, 32))):
        model = Coded(encoder, decoder(), middle=0.5)
        clouds = model(given)
        assert clouds[-1].shape == (2, 4096, 3)
        assert len(clouds) == 1 or clouds[0].shape == (2, COARSE, 3)
        sum(cloud.square().sum() for cloud in clouds).backward()
        assert all(parameter.grad is not None for parameter in model.parameters())


def test_pcn_s_points_begin_around_its_coarse_ones() -> None:
    decoder = PcnDecoder()
    nn.init.zeros_(decoder.fold.rest[-1].weight)
    nn.init.zeros_(decoder.fold.rest[-1].bias)
    coarse, fine = decoder(torch.rand(1, 1024))
    torch.testing.assert_close(fine.unflatten(1, (COARSE, -1)).mean(2), coarse)
