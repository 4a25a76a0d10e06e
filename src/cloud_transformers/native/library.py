"""From csrc/NAME.cpp to a loaded shared library: built once per user, source, compiler and CPU."""

import ctypes
import hashlib
import os
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cloud_transformers.native.compiler import CompilationFailed, Compiler, find_compiler

_loaded: dict[str, ctypes.CDLL | str] = {}  # name -> library, or why there is none
_loading = threading.Lock()
_warned = threading.Event()


class NativeUnavailable(RuntimeError):
    """A native kernel cannot be had on this machine; the message is one sentence that says why and what to do."""


def load(name: str) -> ctypes.CDLL:
    """The library built from csrc/NAME.cpp; raises NativeUnavailable, each time for the same reason."""
    with _loading:
        if name not in _loaded:
            try:
                _loaded[name] = ctypes.CDLL(str(_built(name)))
            except (NativeUnavailable, OSError) as error:
                _loaded[name] = str(error)
        found = _loaded[name]
    if isinstance(found, str):
        raise NativeUnavailable(found)
    return found


def is_usable(name: str) -> bool:
    """Whether `load(name)` works. The first time in a process that it does not, one warning says why."""
    try:
        load(name)
    except NativeUnavailable as error:
        if not _warned.is_set():
            _warned.set()
            warnings.warn(
                f"cloud_transformers runs without its fast CPU kernels: {error}", RuntimeWarning, stacklevel=2
            )
        return False
    return True


def source_folder() -> Path:
    """csrc/, inside an installed package or beside src/ in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed, checkout = package / "csrc", package.parents[1] / "csrc"
    return installed if installed.is_dir() else checkout


def cache_folder() -> Path:
    """Where built libraries are kept: CLOUDT_CACHE, else the user's cache folder as the system has it."""
    if os.environ.get("CLOUDT_CACHE"):
        return Path(os.environ["CLOUDT_CACHE"]) / "native"
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", str(Path.home() / "AppData" / "Local")))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "cloud_transformers" / "native"


def _built(name: str) -> Path:
    source = source_folder() / f"{name}.cpp"
    if not source.is_file():
        raise NativeUnavailable(f"{source} is missing: install the package again")
    compiler = find_compiler(os.environ.get("PATH"))
    if compiler is None:
        raise NativeUnavailable("no C++ compiler was found: install g++ or clang++, or name one in CXX")
    file_name = f"{name}-{_fingerprint(source, compiler)}{'.dll' if sys.platform == 'win32' else '.so'}"
    try:
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        return _build_once(source, folder / file_name, compiler)
    except CompilationFailed as error:
        raise NativeUnavailable(f"{source.name} did not compile with {compiler.path} ({error})") from error
    except (OSError, RuntimeError) as error:  # RuntimeError: no home folder
        raise NativeUnavailable(
            f"the cache folder cannot be used ({error}): name a writable one in CLOUDT_CACHE"
        ) from error


def _fingerprint(source: Path, compiler: Compiler) -> str:
    """Of all that the machine code depends on: source, shared headers, flags, compiler version, CPU features."""
    digest = hashlib.sha256()
    for part in (source, *sorted(source.parent.glob("*.h"))):
        digest.update(part.name.encode() + b"\0" + part.read_bytes() + b"\0")
    digest.update("\0".join((compiler.path, *compiler.flags, compiler.predefined)).encode())
    return digest.hexdigest()[:24]


def _build_once(source: Path, target: Path, compiler: Compiler) -> Path:
    if target.exists():
        return target
    with _only_process(target.with_suffix(".lock")):
        if not target.exists():  # not built by another process while this one waited
            with tempfile.TemporaryDirectory(dir=target.parent, ignore_cleanup_errors=True) as scratch:
                if sys.stderr.isatty():
                    print(f"compiling {source.name}, once for this machine ...", file=sys.stderr)
                built = Path(scratch) / target.name
                compiler.build(source, built)
                os.replace(built, target)  # whole or not at all, even where locks do not work
    return target


@contextmanager
def _only_process(lock_path: Path) -> Iterator[None]:
    """One process at a time, where the system has file locks; the lock ends with its holder, so none is ever stale."""
    try:
        import fcntl
    except ImportError:  # Windows: two processes may then build the same library, and the last rename stays
        yield
        return
    with open(lock_path, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
