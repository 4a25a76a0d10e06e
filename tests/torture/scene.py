"""A command in a folder of its own: started, watched, and compared with what it makes when nobody disturbs it."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.torture.given import INPUTS
from tests.torture.victims import FAR, differences, result_of

ROOT = Path(__file__).parents[2]
# Both in looks, not by the clock, which goes on while a machine, or all this, is paused.
_LONGEST = 3600  # a second apart: a victim on a very busy machine; a hang takes longer
_ORPHANED = 1200  # 0.05 s apart: until nobody of a command's own processes may be there any more


@dataclass(frozen=True)
class Ended:
    code: int
    errors: str = ""

    def problem(self) -> str | None:
        """What is wrong with how a command ended."""
        if "Traceback" in self.errors or self.code not in (0, 1, 2, 130):
            return f"ended with {self.code}: {self.errors[-500:]}"
        lines = self.errors.strip().splitlines()
        others = [line for line in lines if not line.startswith("cloudt: ")]  # than sentences, one for each file
        if self.code in (1, 2) and (not lines or len(others) > 3):
            return f"ended with {self.code} and not with a sentence: {self.errors[-500:]}"
        return None


class Scene:
    """A victim, its input, and what it makes of it when nobody disturbs it."""

    def __init__(self, name: str, folder: Path, undisturbed: Path) -> None:
        self.name, self.folder = name, folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if not (undisturbed / "seconds").exists():
            shutil.rmtree(undisturbed, ignore_errors=True)
            undisturbed.mkdir(parents=True)
            if name in INPUTS:
                INPUTS[name][1](undisturbed / INPUTS[name][0], 0)
            before, seen = _work_of_children(), 0.0
            process = self.start(undisturbed)
            while name in FAR and process.poll() is None:  # Ray's processes are not waited for by the command
                seen = max(seen, _work_of(process.pid))
                time.sleep(0.2)
            ended = end(process)
            assert ended.code == 0, ended.errors
            (undisturbed / "seconds").write_text(str(max(seen, _work_of_children() - before)))
        self.seconds = float((undisturbed / "seconds").read_text())
        self.wanted = result_of(name, undisturbed)
        if self.input is not None:
            source = undisturbed / self.input.name
            shutil.copytree(source, self.input) if source.is_dir() else shutil.copy(source, self.input)

    @property
    def input(self) -> Path | None:
        return self.folder / INPUTS[self.name][0] if self.name in INPUTS else None

    def start(
        self,
        folder: Path | None = None,
        *,
        limit: Callable[[], None] | None = None,
        before: Sequence[str] = (),
        variables: Mapping[str, str] | None = None,
    ) -> subprocess.Popen[bytes]:
        """`before` is what the command is called by, as a shell's `nice`."""
        return subprocess.Popen(
            [*before, sys.executable, "-m", "tests.torture.victims", self.name, str(folder or self.folder)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=limit,
            env={**os.environ, "OMP_NUM_THREADS": "1", **(variables or {})},
        )

    def run(self, folder: Path | None = None, *, limit: Callable[[], None] | None = None) -> Ended:
        return end(self.start(folder, limit=limit))

    def wait(self, process: subprocess.Popen[bytes], share: float) -> None:
        """Until a command has done this share of its work: seconds of a busy machine say little."""
        while process.poll() is None and (left := share * self.seconds - _work_of(process.pid)) > 0:
            time.sleep(max(0.01, left / 4))  # to look is work, too

    def check(self) -> str | None:
        """Runs the command undisturbed to its end; what it made must be what it always makes."""
        ended = self.run()
        if ended.code != 0:
            return f"did not go on: {ended.code} {ended.errors[-500:]}"
        found = differences(result_of(self.name, self.folder), self.wanted)
        return f"ended with other bytes: {found}" if found else None


def kill(process: subprocess.Popen[bytes]) -> Ended:
    """Ends a command and all whom it has started, if they are still there, at once."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    return end(process)


def end(process: subprocess.Popen[bytes]) -> Ended:
    """Waits for a command, and for everybody whom it has started."""
    errors, looks = None, 0
    while errors is None:
        try:
            errors = process.communicate(timeout=1)[1] or b""
        except subprocess.TimeoutExpired:
            looks += 1
        if looks > _LONGEST:
            kill(process)
            return Ended(-999, "it hangs")
    looks = 0
    while _is_there(process.pid):
        looks += 1
        if looks > _ORPHANED:
            os.killpg(process.pid, signal.SIGKILL)
            return Ended(-998, "it has left processes behind")
        time.sleep(0.05)
    return Ended(process.returncode, errors.decode("utf-8", "replace"))


def _is_there(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def started_by(process: int) -> list[psutil.Process]:
    """All processes that a command has started, and they in turn."""
    with suppress(psutil.NoSuchProcess):
        return list(psutil.Process(process).children(recursive=True))
    return []


def all_end(processes: Sequence[psutil.Process]) -> bool:
    """Waits for processes that are nobody's any more; False if some do not end. Zombies are whoever started them's."""
    for _ in range(_ORPHANED):
        processes = [each for each in processes if _works(each)]
        if not processes:
            return True
        time.sleep(0.25)
    return False


def _works(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    return False


def _work_of(process: int) -> float:
    """Seconds of processor time so far, of all processes that work on a command."""
    total = 0.0
    with suppress(psutil.NoSuchProcess):
        for each in (psutil.Process(process), *started_by(process)):
            with suppress(psutil.NoSuchProcess):
                times = each.cpu_times()
                total += times.user + times.system
    return total


def _work_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
