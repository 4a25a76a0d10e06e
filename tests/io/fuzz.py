"""Mutated files of every format: each must give a result or an InputError that names it, soon and in little memory.

    python -m tests.io.fuzz --format ply --count 20000
    python -m tests.io.fuzz --format laz --only 1234     one mutant again, with its traceback

Mutants are numbered and depend on nothing but their number. The work runs in a process of its own, so that a crash
or a hang inside a library is caught, named and counted too.
"""

from __future__ import annotations

import argparse
import faulthandler
import io
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from collections import Counter
from pathlib import Path
from typing import IO

import numpy as np

from cloud_transformers.errors import InputError
from tests.io.samples import MESH_FORMATS, POINT_FORMATS, reader, write_samples

FORMATS = (*POINT_FORMATS, *MESH_FORMATS)
LONGEST_SECONDS = 1.0  # of this process's own work: what else the machine does is no file's fault
LARGEST_GROWTH = 100_000_000  # bytes
_NUMBERS = (
    b"1000000000000",
    b"4294967295",
    b"2147483648",
    b"-1",
    b"0",
    b"nan",
    b"inf",
    b"1e400",
    b"99999999999999999999",
)
_BINARY = (
    (10**12).to_bytes(8, "little"), b"\xff" * 4, b"\xff" * 8, b"\0" * 4, b"\0" * 8, (2**31).to_bytes(4, "little"),
    (2**31 - 1).to_bytes(4, "little"), np.float64(np.nan).tobytes(), np.float32(np.inf).tobytes(), b"\x7f" * 2,
)  # fmt: skip


def mutate(samples: list[bytes], generator: np.random.Generator) -> bytes:
    """One damaged file, made of one or two valid ones."""
    data = bytearray(samples[generator.integers(len(samples))])
    for _ in range(int(generator.integers(1, 4))):
        kind = generator.integers(10)
        at = int(generator.integers(len(data) + 1))
        if generator.random() < 0.5:
            at = min(at, int(generator.integers(400)))  # headers are where the harm is
        if kind <= 1:
            for _ in range(int(generator.integers(1, 9))):
                if data:
                    data[min(int(generator.integers(len(data))), len(data) - 1)] ^= 1 << int(generator.integers(8))
        elif kind == 2:
            data = data[:at]
        elif kind == 3:
            word = _BINARY[generator.integers(len(_BINARY))]
            data[at : at + len(word)] = word
        elif kind == 4:
            _replace_number(data, generator)
        elif kind == 5:
            del data[at : at + int(generator.integers(1, 40))]
        elif kind == 6:
            data[at:at] = generator.bytes(int(generator.integers(1, 20)))
        elif kind == 7:
            other = samples[generator.integers(len(samples))]
            cut = int(generator.integers(min(len(other), len(data)) + 1))
            data = bytearray(other[:cut]) + data[cut:]
        elif kind == 8:
            data[at:at] = data[at // 2 : at]
        elif generator.random() < 0.1:
            data = bytearray()
        elif data:
            data[min(at, len(data) - 1)] = int(generator.integers(256))
    return bytes(data)


def _replace_number(data: bytearray, generator: np.random.Generator) -> None:
    """Puts an absurd number in the place of one that stands in the file as text."""
    digits = np.frombuffer(bytes(data), np.uint8)
    is_digit = (digits >= ord("0")) & (digits <= ord("9"))
    starts = np.flatnonzero(is_digit & ~np.r_[False, is_digit[:-1]])
    if not len(starts):
        return
    start = int(starts[min(int(generator.integers(len(starts))), int(generator.integers(60)))])
    end = start
    while end < len(data) and chr(data[end]).isdigit():
        end += 1
    data[start:end] = _NUMBERS[generator.integers(len(_NUMBERS))]


def _write_mutated_archive(path: Path, samples: list[bytes], generator: np.random.Generator) -> None:
    """A sound archive with one damaged member: otherwise the archive's checksums would shield what is inside."""
    with zipfile.ZipFile(io.BytesIO(samples[generator.integers(len(samples))])) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    damaged = sorted(members)[generator.integers(len(members))]
    members[damaged] = mutate([members[damaged]], generator)
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


class Fuzzer:
    """Valid files of one format, and the mutants made from them in a folder of its own."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind = kind
        paths = write_samples(kind, folder)
        self.samples = [path.read_bytes() for path in paths]
        self.suffixes = sorted({path.suffix for path in paths})
        self.folder, self.read = folder, reader(kind)

    def path_of(self, number: int) -> Path:
        """Writes mutant `number` and gives its path."""
        generator = np.random.default_rng([zlib.crc32(self.kind.encode()), number])
        path = self.folder / f"mutant{self.suffixes[number % len(self.suffixes)]}"
        if self.kind == "npz" and generator.random() < 0.5:
            _write_mutated_archive(path, self.samples, generator)
        else:
            path.write_bytes(mutate(self.samples, generator))
        return path

    def try_one(self, number: int) -> str:
        """What became of a mutant: "read", "refused", or what is wrong with how it was handled."""
        path = self.path_of(number)
        memory, start = _peak_memory(), time.process_time()
        try:
            self.read(path)
            outcome = "read"
        except InputError as error:
            outcome = "refused" if str(path) in str(error) else f"the file is not named: {error}"
            if isinstance(error.__cause__, MemoryError):
                outcome = f"memory was asked for: {error}"
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            outcome = f"{type(error).__name__}: {error}"
        seconds, growth = time.process_time() - start, _peak_memory() - memory
        if seconds > LONGEST_SECONDS:
            outcome = f"took {seconds:.1f} s ({outcome})"
        if growth > LARGEST_GROWTH:
            outcome = f"took {growth / 1e6:.0f} MB ({outcome})"
        return outcome


def _peak_memory() -> int:
    try:
        import resource
    except ImportError:  # Windows: time and outcome are checked all the same
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def run_here(kind: str, numbers: range) -> tuple[Counter[str], dict[int, str]]:
    """Counts of "read" and "refused", and the mutants that were handled badly."""
    counts, bad = Counter[str](), dict[int, str]()
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(kind, Path(folder))
        for number in numbers:
            if sys.stdout.isatty() or "--worker" in sys.argv:
                print(f"at {number}", flush=True)
                faulthandler.dump_traceback_later(20, exit=True)
            outcome = fuzzer.try_one(number)
            counts[outcome if outcome in ("read", "refused") else "bad"] += 1
            if outcome not in ("read", "refused"):
                bad[number] = outcome
                print(f"bad {number} {' '.join(outcome.split())[:300]}", flush=True)
    faulthandler.cancel_dump_traceback_later()
    return counts, bad


def run_apart(kind: str, count: int) -> dict[int, str]:
    """The same in worker processes, begun anew behind a mutant that ends one."""
    bad: dict[int, str] = {}
    counts = Counter[str]()
    first = 0
    while first < count:
        with tempfile.TemporaryFile() as errors:  # not a pipe: nobody reads it while the worker runs
            code, at = _run_worker(kind, first, count, errors, counts, bad)
            errors.seek(0)
            complaint = errors.read().decode("utf-8", "replace")
        if code == 0:
            break
        bad[at] = f"ended the process with {code}: {complaint[-600:]}"
        print(f"{kind} {at}: {bad[at]}", flush=True)
        first = at + 1
    summary = ", ".join(f"{value} {key}" for key, value in sorted(counts.items()))
    print(f"{kind}: {count} mutants, {len(bad)} handled badly ({summary})", flush=True)
    return bad


def _run_worker(
    kind: str, first: int, count: int, errors: IO[bytes], counts: Counter[str], bad: dict[int, str]
) -> tuple[int, int]:
    """Starts a worker and follows what it reports; gives its exit code and the mutant it was at."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.io.fuzz", "--format", kind]
    command += ["--worker", str(first), str(count)]
    worker = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
    assert worker.stdout is not None
    at = first
    for line in worker.stdout:
        word, _, rest = line.partition(" ")
        if word == "at":
            at = int(rest)
        elif word == "bad":
            number, _, outcome = rest.partition(" ")
            bad[int(number)] = outcome.strip()
            print(f"{kind} {number}: {outcome.strip()}", flush=True)
        elif word == "counts":
            counts.update({key: int(value) for key, value in (pair.split("=") for pair in rest.split())})
    return worker.wait(), at


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--format", choices=FORMATS, action="append", help="repeatable; all by default")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--only", type=int, help="read this mutant alone and let its error through")
    parser.add_argument("--worker", type=int, nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    kinds = args.format or FORMATS
    if args.only is not None:
        with tempfile.TemporaryDirectory() as folder:
            fuzzer = Fuzzer(kinds[0], Path(folder))
            path = fuzzer.path_of(args.only)
            print(path.read_bytes()[:600])
            print(fuzzer.read(path))
        return 0
    if args.worker:
        counts, _ = run_here(kinds[0], range(*args.worker))
        print("counts", *(f"{key}={value}" for key, value in counts.items()), flush=True)
        return 0
    bad = sum(len(run_apart(kind, args.count)) for kind in kinds)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
