"""Mutated files of every kind: each must give a result or an InputError that names it, soon and in little memory.

    python -m tests.torture.fuzz ply --only 1234     one mutant again, with its traceback

Mutants are numbered and depend on nothing but their number. The work runs in a process of its own, so that a crash
or a hang inside a library is caught, named and counted too.
"""

from __future__ import annotations

import argparse
import faulthandler
import signal
import subprocess
import sys
import tempfile
import time
import warnings
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import IO

import numpy as np

from cloud_transformers.errors import InputError
from cloud_transformers.io.limits import MAX_EXPAND
from tests.torture.memory import Growth
from tests.torture.targets import KINDS, target

_HANGS = 60  # seconds of its own work; a reader that waits for something is given longer
_WAITS = 1800  # looks at a silent worker, a second apart: not the clock, which goes on while all this is paused


class Fuzzer:
    """Valid files of one kind, and the mutants made from them in a folder of its own."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind, self.folder = kind, folder
        self.target = target(kind, folder)
        for sample in self.target.samples[:1]:  # what is sound must be read, or mutants would prove nothing
            path = folder / f"sound{self.target.suffixes[0]}"
            for _ in range(2):  # what is imported the first time is no part of what a file takes; some reads move it
                path.write_bytes(sample)
                outcome = self.judge(path)
            assert outcome == "read", f"a sound {kind} is not read: {outcome}"
        for number in range(-20, 0):  # libraries make their threads and tables once
            self.try_one(number % 2**32)

    def path_of(self, number: int) -> Path:
        """Writes mutant `number` and gives its path."""
        generator = np.random.default_rng([zlib.crc32(self.kind.encode()), number])
        suffix, data = self.target.mutant(generator)
        path = self.folder / f"mutant{suffix}"
        path.write_bytes(data)
        return path

    def try_one(self, number: int) -> str:
        """What became of a mutant: "read", "refused", or what is wrong with how it was handled."""
        return self.judge(self.path_of(number))

    def judge(self, path: Path) -> str:
        size = path.stat().st_size
        memory, start = Growth(), time.process_time()
        try:
            self.target.read(path)
            outcome = "read"
        except InputError as error:
            outcome = "refused"
            if self.target.is_named and not any(name in str(error) for name in (path.name, self.kind)):
                outcome = f"the file is not named: {error}"
            if isinstance(error.__cause__, MemoryError):
                outcome = f"memory was asked for: {error}"
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            outcome = f"{type(error).__name__}: {error}"
        seconds, growth = time.process_time() - start, memory.bytes()
        if seconds > self.target.seconds:
            outcome = f"took {seconds:.1f} s ({outcome})"
        if growth > self.target.free_bytes + MAX_EXPAND * size:
            outcome = f"took {growth / 1e6:.0f} MB ({outcome})"
        return outcome


def minimised(fuzzer: Fuzzer, path: Path) -> bytes:
    """The smallest part of a badly handled file that is handled as badly, as far as leaving out pieces leads."""
    data, wrong = path.read_bytes(), _first_word(fuzzer.judge(path))
    piece = max(len(data) // 2, 1)
    while piece >= 1 and len(data) < 1 << 16:
        at = 0
        while at < len(data):
            shorter = data[:at] + data[at + piece :]
            path.write_bytes(shorter)
            if _first_word(fuzzer.judge(path)) == wrong:
                data = shorter
            else:
                at += piece
        piece //= 2
    return data


def _first_word(outcome: str) -> str:
    return outcome.split()[0]


def run_here(kind: str, numbers: range, *, telling: bool = False) -> tuple[Counter[str], dict[int, str]]:
    """Counts of "read" and "refused", and the mutants that were handled badly."""
    counts, bad = Counter[str](), dict[int, str]()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # damaged numbers may warn inside the libraries
        fuzzer = Fuzzer(kind, Path(folder))
        for number in numbers:
            if telling:
                print(f"at {number}", flush=True)
                _end_what_hangs()
            outcome = fuzzer.try_one(number)
            counts[outcome if outcome in ("read", "refused") else "bad"] += 1
            if outcome not in ("read", "refused"):
                bad[number] = outcome
            if telling and number in bad:
                print(f"bad {number} {' '.join(outcome.split())[:300]}", flush=True)
    if telling:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return counts, bad


def _end_what_hangs() -> None:
    """From here on, this process has a while for a mutant; then it says where it was and ends."""
    faulthandler.register(signal.SIGPROF, chain=True)  # chain: what the signal does of itself is to end the process
    signal.setitimer(signal.ITIMER_PROF, _HANGS)


def run_apart(kind: str, numbers: range) -> tuple[Counter[str], dict[int, str]]:
    """The same in worker processes, begun anew behind a mutant that ends one."""
    counts, bad = Counter[str](), dict[int, str]()
    first = numbers.start
    while first < numbers.stop:
        with tempfile.TemporaryFile() as errors:  # not a pipe: nobody reads it while the worker runs
            code, at = _run_worker(kind, range(first, numbers.stop), errors, counts, bad)
            errors.seek(0)
            complaint = errors.read().decode("utf-8", "replace")
        if code == 0:
            break
        bad[at] = f"ended the process with {code}: {complaint[-600:]}"
        counts.update({"bad": 1, "before": at - first})
        first = at + 1
    return counts, bad


def _run_worker(
    kind: str, numbers: range, errors: IO[bytes], counts: Counter[str], bad: dict[int, str]
) -> tuple[int, int]:
    """Starts a worker and follows what it reports; gives its exit code and the mutant it was at."""
    command = [sys.executable, "-m", "tests.torture.fuzz", kind, "--worker", str(numbers.start), str(numbers.stop)]
    worker = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
    at = numbers.start
    for line in _lines(worker):
        word, _, rest = line.partition(" ")
        if word == "at":
            at = int(rest)
        elif word == "bad":
            number, _, outcome = rest.partition(" ")
            bad[int(number)] = outcome.strip()
        elif word == "counts":
            counts.update({key: int(value) for key, value in (pair.split("=") for pair in rest.split())})
    return worker.wait(), at


def _lines(worker: subprocess.Popen[str]) -> Iterator[str]:
    """What a worker reports. One that is silent for too long is ended by the signal that makes it say where it was."""
    heard: Queue[str | None] = Queue()

    def listen() -> None:
        assert worker.stdout is not None
        for line in worker.stdout:
            heard.put(line)
        heard.put(None)

    Thread(target=listen, daemon=True).start()
    looks = 0
    while looks <= _WAITS:
        try:
            line = heard.get(timeout=1)
        except Empty:
            looks += 1
            continue
        if line is None:
            return
        looks = 0
        yield line
    worker.send_signal(signal.SIGPROF)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--only", type=int, help="read this mutant alone and let its error through")
    choice.add_argument("--minimise", type=int, help="make this mutant as small as it stays bad, and print its bytes")
    choice.add_argument("--worker", type=int, nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        counts, _ = run_here(args.kind, range(*args.worker), telling=True)
        print("counts", *(f"{key}={value}" for key, value in counts.items()), flush=True)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(args.kind, Path(folder))
        if args.minimise is not None:
            print(minimised(fuzzer, fuzzer.path_of(args.minimise)))
            return 0
        path = fuzzer.path_of(args.only)
        print(path.read_bytes()[:600])
        print(fuzzer.target.read(path))
    return 0


if __name__ == "__main__":
    sys.exit(main())
