"""Where a benchmark lies: the folder the user named, or a hint at the one that was meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cloud_transformers.errors import InputError


@dataclass(frozen=True)
class FolderLayout:
    """What a benchmark is called in public, what its folder must hold, and how to tell."""

    name: str
    public_name: str  # what to search for, and on whose page
    needs: str  # what the folder must hold, in words
    fits: Callable[[Path], bool]


def locate(layout: FolderLayout, root: Path) -> Path:
    """`root`, if it holds the layout. Otherwise InputError, which says where nearby the layout is, if it is."""
    if not root.is_dir():
        raise InputError(
            f"no such folder; {layout.name} needs {layout.needs}. Get it as {layout.public_name}", path=root
        )
    if layout.fits(root):
        return root
    found = next((folder for folder in _nearby(root) if layout.fits(folder)), None)
    if found is not None:
        raise InputError(f"{layout.name} is not in this folder but in {found}; name that folder", path=root)
    raise InputError(f"holds no {layout.name}: {layout.needs}. Get it as {layout.public_name}", path=root)


def _nearby(root: Path) -> Sequence[Path]:
    """Folders one or two levels below, then one or two above."""
    children = [child for child in sorted(root.iterdir()) if child.is_dir()]
    grandchildren = [inner for child in children[:50] for inner in _folders(child)[:50]]
    return [*children, *grandchildren, *list(root.resolve().parents)[:2]]


def _folders(folder: Path) -> list[Path]:
    try:
        return [inner for inner in sorted(folder.iterdir()) if inner.is_dir()]
    except OSError:
        return []


def choose(what: str, value: str, allowed: Sequence[str]) -> str:
    """`value` if it is one of those allowed, else InputError with the list."""
    if value not in allowed:
        raise InputError(f"{what} must be one of {', '.join(allowed)}, got {value!r}")
    return value


def read_lines(path: Path) -> list[str]:
    """The non-empty lines of a list file, without surrounding blanks. What is not UTF-8 is named by its byte."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("not text (UTF-8); replace the file", path=path, place=f"byte {error.start}") from None
    return [line.strip() for line in text.splitlines() if line.strip()]


def is_plain_name(name: str) -> bool:
    """Whether a name from a list can only be that of a file or folder right here, and leads nowhere else."""
    return Path(name).name == name and name not in ("", "..") and "\0" not in name
