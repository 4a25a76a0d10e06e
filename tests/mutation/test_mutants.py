"""The tool that asks whether tests notice changes."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from tests.mutation.__main__ import FOLDERS, ROOT
from tests.mutation.equivalent import EQUIVALENT
from tests.mutation.mutants import Mutant, drawn, every_mutant
from tests.mutation.runner import put

SOURCE = '''"""A text for people."""
LIMIT = 3


class Counter:
    def add(self, value: int = 0) -> str:
        """Another."""
        if value < LIMIT and not self.full:
            self.total += value
        print("a text for people")
        return folder / "many"
'''


def mutants(root: Path, source: str) -> list[Mutant]:
    path = root / "src" / "cloud_transformers" / "engine" / "counter.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, encoding="utf-8")
    return every_mutant(root, ["engine"])


def test_each_changes_one_thing_that_is_not_for_people(tmp_path: Path) -> None:
    found = mutants(tmp_path, SOURCE)
    changes = {mutant.name.removeprefix("src/cloud_transformers/engine/counter.py ") for mutant in found}
    assert changes == {
        ": 3 -> 4",
        "Counter.add: 0 -> 1",
        "Counter.add: value < LIMIT and (not self.full) -> (value < LIMIT or not self.full)",
        "Counter.add: value < LIMIT -> (value <= LIMIT)",
        "Counter.add: not self.full -> (self.full)",
        "Counter.add: self.total += value -> self.total = value",
        "Counter.add: print('a text for people') -> pass",
        "Counter.add: 'many' -> 'no_many'",
    }
    for mutant in found:
        compile(mutant.source, mutant.path, "exec")
        lines = zip(mutant.source.splitlines(), SOURCE.splitlines(), strict=True)
        assert [number for number, (new, old) in enumerate(lines, 1) if new != old] == [mutant.line]


def test_defaults_run_at_import_and_bodies_do_not(tmp_path: Path) -> None:
    found = {mutant.line: mutant.is_at_import for mutant in mutants(tmp_path, SOURCE)}
    assert found == {2: True, 6: True, 8: False, 9: False, 10: False, 11: False}


def test_a_change_elsewhere_leaves_the_drawn_ones_drawn(tmp_path: Path) -> None:
    before = mutants(tmp_path, SOURCE)
    after = mutants(tmp_path, "MORE = True\n\n" + SOURCE)
    assert len(after) == len(before) + 1
    lost = {mutant.name for mutant in drawn(before, 5, 0)} - {mutant.name for mutant in drawn(after, 5, 0)}
    assert len(lost) <= 1
    assert len({mutant.name for mutant in drawn(before, 5, 0)}) == 5


def test_loaded_functions_get_the_changed_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = "class A:\n    def twice(self, x):\n        return [2 * y for y in [x]][0]\n\ndef same():\n    return 1\n"
    path = tmp_path / "module_to_change.py"
    path.write_text(before, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("module_to_change")
    instance, same = module.A(), module.same
    put(str(path), before, before.replace("2 * y", "3 * y"))
    assert (instance.twice(5), same()) == (15, 1)


def test_equivalent_ones_exist() -> None:
    assert EQUIVALENT.keys() <= {mutant.name for mutant in every_mutant(ROOT, FOLDERS)}
