"""Datasets of HDF5 files, only if their data are in the file itself and can be read in reasonable pieces."""

from __future__ import annotations

import math
import zlib
from pathlib import Path
from typing import Any

from cloud_transformers.errors import InputError
from cloud_transformers.io.limits import MAX_EXPAND, check_expanded, most_bytes, too_large

_DEFLATE, _SHUFFLE, _FLETCHER32, _LZF = 1, 2, 3, 32000
_MOST_SWELLING = {_DEFLATE: 1032, _LZF: 88}  # bytes that one can become, as these formats are made
_STEP = 1 << 20


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
        if member.chunks:
            _check_chunks(member, name, path, max_expand)
    return member


def check_names(file: Any, path: Path) -> None:
    """InputError if the list of names is packed: to unpack it, nobody asks how large it becomes.

    The library can tell without walking through the list (`h5o.get_info` does, and never comes back from a damaged one
    that leads in a circle), but h5py has that question for datasets only: hence the settings under another type.
    """
    import h5py

    of_group = h5py.h5g.open(file.id, b"/").get_create_plist()
    settings = h5py.h5p.PropDCID(of_group.id)
    settings.locked = True  # it is `of_group` that closes them
    if settings.get_nfilters():
        raise InputError("the names of its datasets are packed, which is not read; copy it with h5repack", path=path)


def _check_chunks(dataset: Any, name: str, path: Path, max_expand: float) -> None:
    """A chunk is in memory as a whole, however little of it is wanted, and as large as its filters make it.

    The library does not compare what a filter gives back with the chunk's size; some are even told it by the file.
    So only those are let through whose swelling is known, and where that could be too much, it is measured.
    """
    settings = dataset.id.get_create_plist()
    filters = [settings.get_filter(number) for number in range(settings.get_nfilters())]
    kinds = [kind for kind, *_ in filters]
    size = math.prod(dataset.chunks) * dataset.dtype.itemsize
    check_expanded(path, size * (2 if _SHUFFLE in kinds else 1), max_expand)  # the shuffled bytes, and the right ones
    packing = [kind for kind in kinds if kind not in (_SHUFFLE, _FLETCHER32)]
    if kinds[-1:] == [_FLETCHER32]:  # checksums are the last that is done
        kinds.pop()
    if kinds not in ([], [_SHUFFLE], packing, [_SHUFFLE, *packing]) or packing not in ([], [_DEFLATE], [_LZF]):
        names = ", ".join(text.decode("utf-8", "replace") for *_, text in filters)
        raise InputError(
            f"dataset {name} is packed by filters that are not read ({names}); pack it with gzip, for instance by "
            "h5repack -f GZIP=4",
            path=path,
        )
    if packing:
        _check_swelling(dataset, name, size, packing[0], kinds.index(packing[0]), path, max_expand)


def _check_swelling(
    dataset: Any, name: str, size: int, packed_by: int, place: int, path: Path, max_expand: float
) -> None:
    most, suspicious = most_bytes(path, max_expand), []

    def look(chunk: Any) -> None:
        if chunk.size * _MOST_SWELLING[packed_by] > most and not chunk.filter_mask & (1 << place):
            suspicious.append(chunk)

    dataset.id.chunk_iter(look)
    file_size = path.stat().st_size
    for chunk in suspicious:
        if packed_by == _LZF:  # h5py's chunks are below 1 MB, so that an honest one is hardly here
            raise too_large(path, max_expand, f"a chunk of dataset {name} may unpack to {chunk.size * 88 >> 20:,} MB")
        if chunk.size > file_size or _inflates_beyond(dataset.id.read_direct_chunk(chunk.chunk_offset)[1], size):
            raise InputError(f"a chunk of dataset {name} holds more than it declares; the file is damaged", path=path)


def _inflates_beyond(packed: bytes, size: int) -> bool:
    """Whether deflated bytes are more than so many, found out without keeping them."""
    unpacking, done, left = zlib.decompressobj(), 0, packed
    while done <= size and left:
        try:
            part = unpacking.decompress(left, _STEP)
        except zlib.error:  # the library will find the same, before it is too much
            return False
        done += len(part)
        left = unpacking.unconsumed_tail
        if not part:
            break
    return done > size
