"""Commands in trouble: killed, without room, memory or files, with inputs that change, and in each other's way.

    python -m tests.torture.trouble killed 3 --folder FOLDER     one case again

Whatever happens, a command ends with its result or with one sentence, never with a traceback; the next run of the same
command ends with the bytes of one that was never disturbed; and no output is there that is not whole.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tests.torture.given import INPUTS
from tests.torture.scene import Scene, all_end, end, kill, started_by
from tests.torture.victims import FAR, RESULTS, VICTIMS, differences, result_of

KILLS = 2  # of one command, before it is let through


def killed(scene: Scene, rng: np.random.Generator) -> str | None:
    """kill -9 at a random moment, and again while the next run takes up what the first has left."""
    for _ in range(KILLS):
        process = scene.start()
        scene.wait(process, float(rng.random()) ** 0.5)  # rather late: half of a command is its imports
        kill(process)
    return scene.check()


def killed_far(scene: Scene, rng: np.random.Generator) -> str | None:
    """kill -9 at a random moment: of a worker, which is replaced, or of the command, whose cluster ends with it."""
    process = scene.start()
    scene.wait(process, float(rng.random()) ** 0.5)
    others = started_by(process.pid)
    workers = [each for each in others if each.is_running() and each.name().startswith(("ray::Worker", "ray::IDLE"))]
    if workers and rng.random() < 0.5:
        workers[rng.integers(len(workers))].kill()
        ended = end(process)
        if ended.code != 0:
            return f"did not get over a lost worker: {ended.code} {ended.errors[-500:]}"
        if found := differences(result_of(scene.name, scene.folder), scene.wanted):
            return f"ended with other bytes after a lost worker: {found}"
    else:
        process.kill()
        process.communicate()
    if not all_end(others):
        return f"left behind: {', '.join(each.name() for each in others if each.is_running())}"
    if problem := scene.check():
        return problem
    left = [
        str(each) for folder in {tempfile.gettempdir(), "/tmp"} for each in Path(folder).glob(f".*-{process.pid}-*")
    ]
    return f"left behind: {', '.join(left)}" if left else None


def signalled(scene: Scene, rng: np.random.Generator) -> str | None:
    """Ctrl-C, a terminal that closes, a system that shuts down."""
    process = scene.start()
    scene.wait(process, float(rng.random()))
    number = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[rng.integers(3)]
    process.send_signal(number)
    ended = end(process)
    if ended.code != -number and (problem := ended.problem()) and "KeyboardInterrupt" not in ended.errors:
        return f"{number!r}: {problem}"
    return scene.check()


def unheard(scene: Scene, rng: np.random.Generator) -> str | None:
    """Whoever reads what a command prints is gone, as in `cloudt ... | head`; half of the time, its complaints too."""
    process = scene.start()
    scene.wait(process, float(rng.random()))
    process.stdout.close()
    process.stdout = None
    if rng.random() < 0.5:
        process.stderr.close()
        process.stderr = None
    code = end(process).code
    if code not in (0, 1, 2, 120, 128 + signal.SIGPIPE, -signal.SIGPIPE):
        return f"ended with {code}"
    if code == 0 and result_of(scene.name, scene.folder) != scene.wanted:
        return "ended with 0, and without its result"
    return scene.check()


def without_room(scene: Scene, rng: np.random.Generator) -> str | None:
    """A disk that fills: a small file system where one can be mounted, else files that cannot grow."""
    most = int(10 ** rng.uniform(3.5, 6.5))
    if rng.random() < 0.5 and _may_mount():
        ended = end(scene.start(before=_on_small_disk(scene.folder, most)))
    else:
        ended = scene.run(limit=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
    return ended.problem() or scene.check()


def _may_mount() -> bool:
    return subprocess.run(["unshare", "--mount", "--map-root-user", "true"], capture_output=True).returncode == 0


def _on_small_disk(folder: Path, most: int) -> list[str]:
    """What a command is called by so that its folder is a disk with this much room for more; then all is copied back.

    Nobody else sees the disk, which vanishes with the command.
    """
    script = """
        most=$(($3 + $(du -s -B1 "$1" | cut -f1)))
        mkdir -p "$2" && mount --bind "$1" "$2" || exit 99
        mount -t tmpfs -o size=$most none "$1" && cp -a "$2"/. "$1" || exit 99
        from=$1 to=$2; shift 3; "$@"; code=$?
        find "$to" -mindepth 1 -delete && cp -a "$from"/. "$to" || exit 98
        exit $code"""
    beside = folder.with_name(f"{folder.name}.beside")
    unseen = ["unshare", "--mount", "--map-root-user"]
    return [*unseen, "sh", "-c", script, "sh", str(folder), str(beside), str(most)]


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
    """The same command two or five times at once; of five, the first is killed on the way."""
    count = (2, 5)[rng.integers(2)]
    processes = []
    for _ in range(count):
        processes.append(scene.start())
        scene.wait(processes[-1], 0.3 * float(rng.random()))
    if count == 5:
        scene.wait(processes[0], float(rng.random()))
        kill(processes.pop(0))
    ended = [end(process) for process in processes]
    problems = [found for each in ended if (found := each.problem())]
    if count == 2 and not any(each.code == 0 for each in ended):
        problems.append(f"none of them came to its end: {ended[0].errors[-300:]}")
    return problems[0] if problems else scene.check()


def with_changing_input(scene: Scene, rng: np.random.Generator) -> str | None:
    """An input that is replaced, cut short or removed meanwhile: the answer is to what was or is there, or none."""
    source, out = scene.input, scene.folder / RESULTS[scene.name][0]
    assert source is not None
    kind = rng.integers(3)
    process = scene.start()
    scene.wait(process, float(rng.random()))
    if kind == 0:
        INPUTS[scene.name][1](source, 1)
    elif kind == 1:
        os.truncate(source, source.stat().st_size // 2)
    else:
        source.unlink()
    ended = end(process)
    if problem := ended.problem():
        return problem
    made = result_of(scene.name, scene.folder)
    if (ended.code == 0) != (made is not None):
        return f"ended with {ended.code}, and there is {'an' if made else 'no'} answer"
    if made is not None and made != scene.wanted:  # then it must be the answer to what is there now
        out.unlink()
        if scene.run().code != 0 or result_of(scene.name, scene.folder) != made:
            return "the answer is to neither of the two inputs"
    return None


_FAKE_CLOCKS = sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))


def with_jumping_clock(scene: Scene, rng: np.random.Generator) -> str | None:
    """Killed, then all that it left is of another decade; the clock jumps while it goes on, where libfaketime is."""
    process = scene.start()
    scene.wait(process, float(rng.random()))
    kill(process)
    for path in scene.folder.rglob("*"):
        moment = int(rng.integers(1, 4_000_000_000))  # from 1970 to 2096
        os.utime(path, (moment, moment))
    if not _FAKE_CLOCKS:
        return scene.check()
    clock = scene.folder.with_name("clock")
    clock.write_text("+0")
    variables = {"LD_PRELOAD": str(_FAKE_CLOCKS[0]), "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1"}
    process = scene.start(variables={**variables, "FAKETIME_DONT_FAKE_MONOTONIC": "1"})
    scene.wait(process, float(rng.random()))
    clock.write_text(f"{rng.integers(-10_000, 10_000):+d}d")
    ended = end(process)
    return ended.problem() or (f"ended with {ended.code}: {ended.errors}" if ended.code else None) or scene.check()


TROUBLES: dict[str, Callable[[Scene, np.random.Generator], str | None]] = {
    "killed": killed,
    "killed far": killed_far,
    "signalled": signalled,
    "unheard": unheard,
    "without room": without_room,
    "without files": without_files,
    "without memory": without_memory,
    "together": together,
    "changing input": with_changing_input,
    "jumping clock": with_jumping_clock,
}


def cause(name: str, number: int, folder: Path) -> str | None:
    """One case of trouble, which depends on nothing but its number and the moments at which it happens."""
    rng = np.random.default_rng([zlib.crc32(name.encode()), number])
    victims = {"changing input": ["segment", "convert", "adapt"], "killed far": list(FAR)}.get(name, list(VICTIMS))
    victim = victims[number % len(victims)]
    problem = TROUBLES[name](Scene(victim, folder / "scene", folder / "undisturbed" / victim), rng)
    return None if problem is None else f"{victim}: {problem}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=TROUBLES)
    parser.add_argument("number", type=int)
    parser.add_argument("--folder", type=Path, required=True)
    args = parser.parse_args()
    problem = cause(args.name, args.number, args.folder)
    print(problem or "nothing went wrong")
    return problem is not None


if __name__ == "__main__":
    sys.exit(main())
