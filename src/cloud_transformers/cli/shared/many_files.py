"""Verbs that answer many files: which files are meant, where the answers go, and going on after a bad one."""

from __future__ import annotations

import glob
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

from cloud_transformers.errors import InputError
from cloud_transformers.remote import as_url, holding, located

T = TypeVar("T")


@dataclass(frozen=True)
class Found:
    """A file to be answered, and its place below the folder that was named."""

    path: Path
    relative: Path


@dataclass(frozen=True)
class Job:
    source: Path
    target: Path | None  # where the answer is written, if it is


@dataclass
class Files:
    """Which files the words of a command mean; `several` even if a folder or pattern held only one."""

    found: list[Found]
    several: bool
    complaints: list[str]


def find_files(words: Sequence[str], suffixes: Collection[str], out: Path | None = None) -> Files:
    """Files, folders (searched recursively for these suffixes) and patterns such as `scans/**/*.ply`.

    Patterns are for shells that leave them alone, and for Windows. What lies in the output folder `out` is an answer
    of an earlier run, and passed over in folders and patterns.
    """
    files = Files([], len(words) > 1, [])
    seen: set[Path] = set()
    for word in words:
        path = located(word)
        named: Iterable[Path]
        if path.is_dir():
            root, named = path, (each for each in sorted(path.rglob("*")) if not _hidden(each, path))
        elif not path.exists() and glob.has_magic(word):
            root, named = matching(path, word)
        else:
            root, named = path.parent, [path]
        named = list(named)
        if named != [path]:
            files.several = True
            named = [each for each in named if each.is_file() and not (out is not None and _inside(each, out))]
            passed_over = Counter(each.suffix or each.name for each in named if each.suffix.lower() not in suffixes)
            named = [each for each in named if each.suffix.lower() in suffixes]
            if named and passed_over:
                kinds = ", ".join(f"{count} {suffix}" for suffix, count in passed_over.most_common())
                say(f"cloudt: {word}: files that cannot be read are passed over: {kinds}", error=True)
            if not named:
                files.complaints.append(f"{word}: no file in it ends in {', '.join(suffixes)}")
        for each in named:
            if (place := each.resolve()) not in seen:
                seen.add(place)
                files.found.append(Found(each, each.relative_to(root)))
    return files


def _hidden(path: Path, root: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(root).parts)


def matching(path: Path, pattern: str) -> tuple[Path, Iterable[Path]]:
    """The folder below which a pattern looks, and the files that it means."""
    if (url := as_url(path)) is not None:
        return cast(tuple[Path, list[Path]], url.glob_whole())
    parts = Path(pattern).parts
    first = next(number for number, part in enumerate(parts) if glob.has_magic(part))
    return Path(*parts[:first]), map(Path, sorted(glob.glob(pattern, recursive=True)))


def _inside(path: Path, folder: Path) -> bool:
    return folder.resolve() in path.resolve().parents


def plan(
    files: Files,
    out: Path | None,
    suffix_of: Callable[[Path], str],
    *,
    force: bool,
    skip_existing: bool,
) -> list[Job]:
    """A job per file. `out` is a file for one input and a folder for several; `suffix_of` says an answer's format.

    In a folder, answers bear the names of their inputs, with the input's own suffix in it where two would be the same.
    """
    if out is None:
        return [Job(each.path, None) for each in files.found]
    to_folder = is_folder(files, out)
    if to_folder and out.is_file():
        raise InputError(f"{out}: is a file, but there are several inputs; name a folder")
    jobs = []
    sources: dict[Path, Path] = {}
    short = [each.relative.with_suffix(suffix_of(each.path)) for each in files.found]
    crowded = {name for name, count in Counter(short).items() if count > 1}
    for each, name in zip(files.found, short, strict=True):
        if name in crowded and name.name != each.relative.name:
            name = each.relative.with_name(each.relative.name + name.suffix)  # chair.obj beside chair.ply
        target = out / name if to_folder else out
        if target in sources:
            raise InputError(
                f"{sources[target]} and {each.path} would both be written to {target}; name the folder above them, or "
                "answer them one after the other"
            )
        if target.resolve() == each.path.resolve():
            raise InputError(f"{target}: would replace the input by its answer; write to another place with -o")
        sources[target] = each.path
        jobs.append(Job(each.path, target))
    if force:
        return jobs
    if to_folder and as_url(out) is not None:
        there = set(out.rglob("*"))  # one question, and not one for each
        existing = [job.target for job in jobs if job.target in there]
    else:
        existing = [job.target for job in jobs if job.target is not None and job.target.exists()]
    if skip_existing:
        done = set(existing)
        return [job for job in jobs if job.target not in done]
    if existing:
        more = f" (and {len(existing) - 1} more)" if len(existing) > 1 else ""
        raise InputError(
            f"{existing[0]}{more}: exists; replace with --force, or answer only what is missing with --skip-existing"
        )
    return jobs


def is_folder(files: Files, out: Path) -> bool:
    """Whether answers go into `out` rather than become it."""
    return files.several or out.is_dir()


def make_room(target: Path, out: Path) -> None:
    """The folders that an answer needs below the output folder; a single file's folder must be there already."""
    if target != out:
        target.parent.mkdir(parents=True, exist_ok=True)


class Failures:
    """Complaints about single files, said at once unless `speak` is False; their number decides the exit code."""

    def __init__(self, complaints: Iterable[str] = (), *, speak: bool = True) -> None:
        self.speak = speak
        self.reasons: dict[str, str] = {}
        for complaint in complaints:
            self.add(complaint, complaint)

    def add(self, name: str, reason: str) -> None:
        self.reasons[name] = reason
        if self.speak:
            say(f"cloudt: {reason}", error=True)

    def attempt(self, source: Path, step: Callable[..., T], *given: Any) -> T | None:
        """What the step returns; if it cannot be done for this file, the reason is said and kept, and None returned."""
        from cloud_transformers.cli import sentence

        try:
            with holding(source):
                return step(*given)
        except BrokenPipeError:  # whoever read the answers has gone: that is no fault of the file's
            raise
        except (InputError, OSError) as error:
            reason = sentence(error)
            self.add(str(source), reason if str(source) in reason else f"{source}: {reason}")
            return None

    @property
    def exit_code(self) -> int:
        return 1 if self.reasons else 0


def say(line: str, *, error: bool = False) -> None:
    """Print a line without cutting through a progress bar."""
    from tqdm import tqdm

    tqdm.write(line, file=sys.stderr if error else sys.stdout)
