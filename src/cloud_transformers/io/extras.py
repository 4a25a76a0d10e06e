"""Optional packages: imported where they are needed, and asked for by name when they are missing."""

from __future__ import annotations

import contextlib
import importlib
import logging
from collections.abc import Iterator
from types import ModuleType

from cloud_transformers.errors import InputError

_PACKAGES = {"laspy": "laspy[lazrs]", "lzf": "python-neo-lzf"}
_EXTRAS = {"pye57": "e57"}  # where it is not io


def need(module: str, path: object) -> ModuleType:
    """Imports an optional module, or says which extra brings it."""
    try:
        imported = importlib.import_module(module)
    except ImportError:
        package, extra = _PACKAGES.get(module, module), _EXTRAS.get(module, "io")
        raise InputError(
            f"this format needs the package {package}; install it with pip install 'cloud-transformers[{extra}]'",
            path=path,
        ) from None
    logger = logging.getLogger(module)
    if not logger.handlers:
        # Libraries log tracebacks of what they then raise or get over; whoever configures logging still sees them.
        logger.addHandler(logging.NullHandler())
    return imported


@contextlib.contextmanager
def as_input_error(path: object, task: str) -> Iterator[None]:
    """Turns whatever a library throws at a damaged file into one sentence that names the file.

    Only for calls into libraries: our own mistakes must stay visible as what they are.
    """
    try:
        yield
    except InputError:
        raise
    except BaseException as error:
        # Rust's panics come as a BaseException of a module that cannot be imported.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        cause = "the disk may be full" if task.startswith("writing") else "the file is damaged or not supported"
        raise InputError(f"{task} failed, {cause} ({_brief(error)})", path=path) from error


def _brief(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:160]}" if text else type(error).__name__
