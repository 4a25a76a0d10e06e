"""Commands in trouble: killed, without room, memory or files, with inputs that change, and in each other's way.

Whatever happens, a command ends with its result or with one sentence, never with a traceback; the next run of the same
command ends with the bytes of one that was never disturbed; and no output is there that is not whole.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.torture.victims import INPUTS, VICTIMS, result_of

ROOT = Path(__file__).parents[2]
KILLS = 2  # of one command, before it is let through
_LONGEST = 900  # seconds of a victim on a busy machine; a hang takes longer


@dataclass(frozen=True)
class Ended:
    code: int
    errors: str

    def problem(self) -> str | None:
        """What is wrong with how a command ended."""
        if "Traceback" in self.errors or self.code not in (0, 1, 2, 130):
            return f"ended with {self.code}: {self.errors[-500:]}"
        if self.code in (1, 2) and not 1 <= len(self.errors.strip().splitlines()) <= 4:
            return f"ended with {self.code} and not with a sentence: {self.errors[-500:]}"
        return None


class Scene:
    """A victim in a folder of its own, and what it makes when nobody disturbs it."""

    def __init__(self, name: str, folder: Path, undisturbed: Path) -> None:
        self.name, self.folder = name, folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if not (undisturbed / "seconds").exists():
            shutil.rmtree(undisturbed, ignore_errors=True)
            undisturbed.mkdir(parents=True)
            began = time.monotonic()
            ended = self.run(undisturbed)
            assert ended.code == 0, ended.errors
            (undisturbed / "seconds").write_text(str(time.monotonic() - began))
        self.seconds = float((undisturbed / "seconds").read_text())
        self.wanted = result_of(name, undisturbed)
        if name in INPUTS:
            source, target = undisturbed / INPUTS[name], folder / INPUTS[name]
            shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)

    def start(self, folder: Path | None = None, limit: Callable[[], None] | None = None) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "tests.torture.victims", self.name, str(folder or self.folder)],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=limit,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )

    def run(self, folder: Path | None = None, limit: Callable[[], None] | None = None) -> Ended:
        return end(self.start(folder, limit))

    def check(self) -> str | None:
        """Runs the command undisturbed to its end; what it made must be what it always makes."""
        ended = self.run()
        if ended.code != 0:
            return f"did not go on: {ended.code} {ended.errors[-500:]}"
        return None if result_of(self.name, self.folder) == self.wanted else "ended with other bytes"


def end(process: subprocess.Popen[str]) -> Ended:
    try:
        _, errors = process.communicate(timeout=_LONGEST)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return Ended(-999, "it hangs")
    return Ended(process.returncode, errors)


def killed(scene: Scene, rng: np.random.Generator) -> str | None:
    """kill -9 at a random moment, and again while the next run takes up what the first has left."""
    for _ in range(KILLS):
        process = scene.start()
        time.sleep(scene.seconds * float(rng.random()))
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    return scene.check()


def signalled(scene: Scene, rng: np.random.Generator) -> str | None:
    """Ctrl-C, a terminal that closes, a system that shuts down."""
    process = scene.start()
    time.sleep(scene.seconds * float(rng.random()))
    number = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[rng.integers(3)]
    process.send_signal(number)
    ended = end(process)
    if ended.code != -number and (problem := ended.problem()) and "KeyboardInterrupt" not in ended.errors:
        return f"{number!r}: {problem}"
    return scene.check()


def without_room(scene: Scene, rng: np.random.Generator) -> str | None:
    """Files cannot grow beyond a random size, as on a disk that fills."""
    most = int(10 ** rng.uniform(2, 6.5))
    ended = scene.run(limit=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
    return ended.problem() or scene.check()


def without_files(scene: Scene, rng: np.random.Generator) -> str | None:
    """Few files may be open at once; below what the interpreter itself needs nothing can be promised."""
    most = int(rng.integers(24, 64))
    ended = scene.run(limit=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)))
    return ended.problem() or scene.check()


def without_memory(scene: Scene, rng: np.random.Generator) -> str | None:
    """700 MB or more for everything that the process allocates itself."""
    most = int(rng.integers(700, 1500)) << 20
    ended = scene.run(limit=lambda: resource.setrlimit(resource.RLIMIT_DATA, (most, most)))
    return ended.problem() or scene.check()


def together(scene: Scene, rng: np.random.Generator) -> str | None:
    """The same command two to five times at once."""
    processes = []
    for _ in range(int(rng.integers(2, 6))):
        processes.append(scene.start())
        time.sleep(scene.seconds * 0.2 * float(rng.random()))
    ended = [end(process) for process in processes]
    problems = [found for each in ended if (found := each.problem())]
    if not any(each.code == 0 for each in ended):
        problems.append(f"none of them came to its end: {ended[0].errors[-300:]}")
    return problems[0] if problems else scene.check()


def with_changing_input(scene: Scene, rng: np.random.Generator) -> str | None:
    """A scene that is replaced, cut short or removed while it is segmented: the answer is to one of them, or none."""
    from cloud_transformers.io import write
    from tests.predict.scene.scenes import room

    source, out = scene.folder / "scene.ply", scene.folder / "out.laz"
    kind = rng.integers(3)
    process = scene.start()
    time.sleep(scene.seconds * float(rng.random()))
    if kind == 0:
        write(source, room(12_000, seed=1))
    elif kind == 1:
        os.truncate(source, source.stat().st_size // 2)
    else:
        source.unlink()
    ended = end(process)
    if problem := ended.problem():
        return problem
    made = result_of("segment", scene.folder)
    if (ended.code == 0) != (made is not None):
        return f"ended with {ended.code}, and there is {'an' if made else 'no'} answer"
    if made is not None and made != scene.wanted:  # then it must be the answer to what is there now
        out.rename(scene.folder / "before.laz")
        if scene.run().code != 0 or (scene.folder / "before.laz").read_bytes() != out.read_bytes():
            return "the answer is to neither of the two scenes"
    return None


TROUBLES: dict[str, Callable[[Scene, np.random.Generator], str | None]] = {
    "killed": killed,
    "signalled": signalled,
    "without room": without_room,
    "without files": without_files,
    "without memory": without_memory,
    "together": together,
    "changing input": with_changing_input,
}


def cause(name: str, number: int, folder: Path) -> str | None:
    """One case of trouble, which depends on nothing but its number and the moments at which it happens."""
    rng = np.random.default_rng([zlib.crc32(name.encode()), number])
    victims = ["segment"] if name == "changing input" else list(VICTIMS)
    victim = victims[number % len(victims)]
    problem = TROUBLES[name](Scene(victim, folder / "scene", folder / "undisturbed" / victim), rng)
    return None if problem is None else f"{victim}: {problem}"
