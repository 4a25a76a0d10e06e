"""Verbs that train many variants: here or on a cluster, with a table that grows with every one that is finished."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cloud_transformers.errors import InputError

if TYPE_CHECKING:
    from cloud_transformers.recipes.trials import Failure, Trial

MOST = 10_000


@dataclass(frozen=True)
class Table:
    """Where the table of some trials goes: NAME.json, .html and .svg in the folder that the trials are below."""

    out: Path
    name: str
    summarise: Callable[[Sequence[Failure]], dict[str, Any]]

    def write(self, failures: Sequence[Failure]) -> dict[str, Any]:
        from cloud_transformers.engine.run import write_json
        from cloud_transformers.report.trials import write_trials

        found = self.summarise(failures)
        write_json(self.out / f"{self.name}.json", found)
        write_trials(self.out / f"{self.name}.html", found)
        return found


def carry_out(trials: Sequence[Trial], table: Table, *, on: str | None, workers: int | None) -> int:
    """Train the trials and tell of each; returns the exit code, 1 if one of them failed."""
    from cloud_transformers.ownership import owning

    # Two commands for the same trials would take them from each other, and both would end without some.
    if table.out.exists() and not table.out.is_dir():
        raise InputError(f"{table.out}: is a file; trials need a folder, so name another with --out")
    table.out.mkdir(parents=True, exist_ok=True)
    these = zlib.crc32("\n".join(str(trial) for trial in trials).encode())
    with owning(table.out / f".{table.name}-{these:08x}.lock", f"training for the table in {table.out}"):
        return _carry_out(trials, table, on, workers)


def _carry_out(trials: Sequence[Trial], table: Table, on: str | None, workers: int | None) -> int:
    from cloud_transformers.cli.shared.many_files import say
    from cloud_transformers.recipes.trial_table import table as as_text
    from cloud_transformers.recipes.trials import Failure

    failures: list[Failure] = []
    for record in _outcomes(trials, table.out, on, workers):
        if isinstance(record, Failure):
            failures.append(record)
            say(f"cloudt: {record.trial}: {record.reason}", error=True)
        else:
            scores = ", ".join(f"{name} {value:.2f}" for name, value in record["scores"].items())
            say(f"{record['variant']}, seed {record['seed']}: {scores}")
        table.write(failures)
    print(f"\n{as_text(table.write(failures))}\n\n{table.out / table.name}.html: the same with a plot")
    return 1 if failures else 0


def _outcomes(
    trials: Sequence[Trial], out: Path, on: str | None, workers: int | None
) -> Iterator[dict[str, Any] | Failure]:
    from cloud_transformers.recipes.trials import one_after_the_other

    if on is None:
        yield from one_after_the_other(trials, out)
        return
    from cloud_transformers.cluster.connection import connected
    from cloud_transformers.cluster.search import side_by_side

    with connected(on) as ray:
        yield from side_by_side(ray, trials, out, at_once=workers)


def count(name: str, text: str) -> int:
    """A whole number above 0 that was given for `name`. None of them can be meant to be larger than this."""
    if not text.isdecimal() or len(text) > len(str(MOST)) or not 1 <= int(text) <= MOST:
        raise InputError(f"{name} must be a whole number from 1 to {MOST:,}, got {text[:20]!r}")
    return int(text)
