"""The kernels' sources, and names of libraries that say what they were made from."""

import hashlib
import sys
from pathlib import Path

from cloud_transformers.compilation.compiler import FLAGS
from cloud_transformers.compilation.levels import Level


def source_folder() -> Path:
    """csrc/, inside an installed package or beside src/ in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed, checkout = package / "csrc", package.parents[1] / "csrc"
    return installed if installed.is_dir() else checkout


def kernel_names() -> list[str]:
    """One library each."""
    return sorted(path.stem for path in source_folder().glob("*.cpp"))


def source_file(name: str) -> Path:
    return source_folder() / f"{name}.cpp"


def library_name(name: str, *made_with: str) -> str:
    """NAME-FINGERPRINT.so: of the source, the shared headers, and what it was made with (flags, compiler)."""
    digest = hashlib.sha256("\0".join(made_with).encode())
    for part in (source_file(name), *sorted(source_folder().glob("*.h"))):
        digest.update(b"\0" + part.name.encode() + b"\0" + part.read_bytes())
    return f"{name}-{digest.hexdigest()[:24]}{'.dll' if sys.platform == 'win32' else '.so'}"


def prebuilt_file(name: str, level: Level) -> Path:
    """Where a wheel has the library, below native/. Any compiler may have made it, but from these very sources."""
    return Path("prebuilt") / level.name / library_name(name, *FLAGS, *level.flag_choices[0])
