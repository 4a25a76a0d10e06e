"""Datasets of HDF5 files, only if their data are in the file itself and can be read in reasonable pieces."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from cloud_transformers.errors import InputError
from cloud_transformers.io.limits import MAX_EXPAND, check_expanded


def own_member(file: Any, name: str, path: Path, max_expand: float = MAX_EXPAND) -> Any:
    """What a file has under a name at its root, or None; InputError if it leads out of the file.

    A link may name another file, or a place that another link leads out of; a dataset may keep its data elsewhere. None
    of them is followed: a file must not make us read what its sender cannot.
    """
    import h5py

    link = file.get(name, getlink=True)
    if link is None:
        return None
    if not isinstance(link, h5py.HardLink):
        raise InputError(f"{name} is a link to another place, which is not followed; copy its data in", path=path)
    member = file[name]
    if isinstance(member, h5py.Dataset):
        if member.external is not None or member.is_virtual:
            raise InputError(f"dataset {name} keeps its data in another file, which is not followed", path=path)
        if member.chunks:  # a chunk is in memory as a whole, however little of it is wanted
            check_expanded(path, math.prod(member.chunks) * member.dtype.itemsize, max_expand)
    return member
