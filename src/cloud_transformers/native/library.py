"""From a kernel's name to its loaded library: the wheel's, else the cache's, else compiled now, once per user."""

import ctypes
import logging
import tempfile
import threading
import warnings
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from cloud_transformers.cache import cache_root
from cloud_transformers.compilation import (
    CompilationFailed,
    Compiler,
    Level,
    asked_level,
    best_level,
    find_compiler,
    library_name,
    prebuilt_file,
    processor_levels,
    source_file,
)
from cloud_transformers.errors import InputError
from cloud_transformers.native import store

_log = logging.getLogger(__name__)
_loaded: dict[str, "Loaded | str"] = {}  # name -> library, or why there is none
_loading = threading.Lock()
_announced = threading.Event()
_warned = threading.Event()


class NativeUnavailable(RuntimeError):
    """A native kernel cannot be had on this machine; the message is one sentence that says why and what to do."""


@dataclass(frozen=True)
class Loaded:
    library: ctypes.CDLL
    level: str
    origin: str  # "from the wheel", "from the cache" or "compiled now"


def load(name: str) -> Loaded:
    """The library of csrc/NAME.cpp; raises NativeUnavailable, each time for the same reason."""
    with _loading:
        if name not in _loaded:
            try:
                _loaded[name] = _prebuilt(name) or _built(name)
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


def _prebuilt(name: str) -> Loaded | None:
    """The wheel's library: of the level that is asked for, else of the best that the processor and the wheel have."""
    asked = asked_level()
    for level in reversed(processor_levels()) if asked is None else [asked]:
        path = Path(__file__).parent / prebuilt_file(name, level)
        if path.is_file():
            try:
                return Loaded(ctypes.CDLL(str(path)), level.name, "from the wheel")
            except OSError:  # of another C library, or a disk from which nothing may be run
                return None
    return None


def _built(name: str) -> Loaded:
    source = source_file(name)
    if not source.is_file():
        raise NativeUnavailable(f"{source} is missing: install the package again")
    level = asked_level() or best_level()
    compiler = find_compiler(level)
    if compiler is None:
        if compiler := find_compiler():
            raise NativeUnavailable(f"{compiler.path} does not know the flags of {level.name}: try CLOUDT_CPU=native")
        raise NativeUnavailable("no C++ compiler was found: install g++ or clang++, or name one in CXX")
    try:
        folder = store.own_folder(cache_root())
        target = folder / library_name(name, compiler.path, *compiler.flags, compiler.predefined)
        is_new = _build_once(source, target, compiler, level)
        return Loaded(ctypes.CDLL(str(target)), level.name, "compiled now" if is_new else "from the cache")
    except CompilationFailed as error:
        raise NativeUnavailable(f"{source.name} did not compile with {compiler.path} ({error})") from error
    except (OSError, InputError, NotImplementedError) as error:  # the last: a disk without locks
        raise NativeUnavailable(
            f"the cache folder cannot be used ({error}): name a writable one in CLOUDT_CACHE"
        ) from error


def _build_once(source: Path, target: Path, compiler: Compiler, level: Level) -> bool:
    """Whether this call built it: False if it was there, or another process built it meanwhile."""
    if store.is_trusted(target):
        return False
    with FileLock(target.with_suffix(".lock")):
        if store.is_trusted(target):
            return False
        if not _announced.is_set():
            _announced.set()
            # A warning, since that is what Python shows where nobody has set up logging: the wait needs a reason.
            _log.warning("compiling the fast kernels for %s, once on this machine ...", level.name)
        with tempfile.TemporaryDirectory(dir=target.parent, ignore_cleanup_errors=True) as scratch:
            built = Path(scratch) / target.name
            compiler.build(source, built)
            store.put(built, target)
    return True
