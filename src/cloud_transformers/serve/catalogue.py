"""What a server offers: weights, formats, samples. And requests checked against it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from starlette.datastructures import QueryParams

from cloud_transformers.serve.jobs import Order
from cloud_transformers.serve.uploads import Refused

TASKS = ("segmentation", "classification", "completion", "reconstruction")
AXES = ("x", "y", "z", "-x", "-y", "-z")
MOST_SEED = 2**31 - 1
PACKED = (".gz", ".zip")
# No separators, no control characters, none that turn the direction of writing.
_NAME_LETTER = r"[^\x00-\x1f\x7f-\x9f/\\\u2028-\u202e\u2066-\u2069]"


@dataclass(frozen=True, kw_only=True)
class Catalogue:
    """What a worker process found when the server started."""

    weights: Mapping[str, Mapping[str, Any]]  # by name: path, task, classes, score, card
    clouds: tuple[str, ...]  # suffixes that can be read
    pictures: tuple[str, ...]
    written: tuple[str, ...]  # suffixes of answers
    samples: Mapping[str, Mapping[str, Any]]  # by name: title, task, suffix

    @classmethod
    def of(cls, found: dict[str, Any]) -> Catalogue:
        """From the words of `answering.catalogue`."""
        return cls(
            weights={
                each["name"]: each for each in sorted(found["weights"], key=lambda each: TASKS.index(each["task"]))
            },
            clouds=tuple(found["clouds"]),
            pictures=tuple(found["pictures"]),
            written=tuple(found["written"]),
            samples={each["name"]: each for each in found["samples"]},
        )

    def tasks(self) -> list[str]:
        """Those that there are weights for."""
        return [task for task in TASKS if self.weights_for(task)]

    def weights_for(self, task: str) -> list[str]:
        return [name for name, each in self.weights.items() if each["task"] == task]

    def suffixes_for(self, task: str) -> tuple[str, ...]:
        return self.pictures if task == "reconstruction" else self.clouds

    def name_pattern(self, task: str) -> str:
        """Of the names of files that a task takes, as a regular expression of JSON Schema and Python alike."""
        suffixes = "|".join(_any_case(suffix.lstrip(".")) for suffix in self.suffixes_for(task))
        packed = "" if task == "reconstruction" else rf"(\.({'|'.join(_any_case(each[1:]) for each in PACKED)}))?"
        return rf"^{_NAME_LETTER}{{1,180}}\.({suffixes}){packed}$"

    def uploaded(self, task: str, query: QueryParams) -> Order:
        """What a request with a file asks for. Refused with a sentence if it cannot be done."""
        given = _once(query, {"name", "weights", "up"})
        if "name" not in given:
            raise Refused(400, "the query must have name, the name of the file with its suffix")
        if not re.fullmatch(self.name_pattern(task)[1:-1], given["name"]):
            raise Refused(
                400,
                "name must be the name of a file, without folders and control characters, that ends in one of "
                + ", ".join(self.suffixes_for(task)),
            )
        up = given.get("up")
        if up is not None and up not in AXES:
            raise Refused(400, f"up must be one of {', '.join(AXES)}")
        return Order(
            task=task, weights=self._chosen(task, given), name=given["name"], suffix=_suffix(given["name"]), up=up
        )

    def made(self, sample: str, query: QueryParams) -> Order:
        """What a request for a sample asks for."""
        given, facts = _once(query, {"weights", "seed"}), self.samples[sample]
        text = given.get("seed", "0")
        if not re.fullmatch("[0-9]{1,10}", text, re.ASCII) or int(text) > MOST_SEED:
            raise Refused(400, f"seed must be a whole number from 0 to {MOST_SEED}")
        seed = int(text)
        return Order(
            task=facts["task"],
            weights=self._chosen(facts["task"], given),
            name=f"{sample}-{seed}{facts['suffix']}",
            suffix=facts["suffix"],
            sample=sample,
            seed=seed,
        )

    def _chosen(self, task: str, given: Mapping[str, str]) -> str:
        fitting = self.weights_for(task)
        name = given.get("weights", fitting[0])
        if name not in fitting:
            raise Refused(400, f"weights must be one of {', '.join(fitting)} for {task}")
        return name


def _once(query: QueryParams, known: set[str]) -> dict[str, str]:
    given = query.multi_items()
    names = [name for name, _ in given]
    if unknown := sorted(set(names) - known):
        raise Refused(400, f"the query has {unknown[0][:50]!r}; there are {', '.join(sorted(known))}")
    if len(names) != len(set(names)):
        raise Refused(400, "the query has a name twice")
    return dict(given)


def _any_case(word: str) -> str:
    return "".join(f"[{letter}{letter.upper()}]" if letter.isalpha() else letter for letter in word)


def _suffix(name: str) -> str:
    """The ending that decides about the format, and that of what is packed in it."""
    suffixes = PurePosixPath(name.lower()).suffixes
    return "".join(suffixes[-2:]) if suffixes[-1] in PACKED else suffixes[-1]
