"""C++ kernels, compiled at first use and called through ctypes: TENSORS -> TENSORS without torch's headers.

    if native.is_usable("rasterize"):    # compiles csrc/rasterize.cpp unless the cache has it; one warning if it cannot
        native.call("rasterize", "rasterize_forward", values, native.outer_strides(values), ...)

Every C function takes plain pointers, int64_t sizes and strides, and as its last argument the number of threads.
"""

from cloud_transformers.native.call import call, num_threads, outer_strides, scratch, with_contiguous_rows
from cloud_transformers.native.compiler import Compiler, find_compiler
from cloud_transformers.native.library import NativeUnavailable, cache_folder, is_usable, load, source_folder
from cloud_transformers.native.memory import keep_freed_memory, share_one_heap

__all__ = [
    "Compiler",
    "NativeUnavailable",
    "cache_folder",
    "call",
    "find_compiler",
    "is_usable",
    "keep_freed_memory",
    "load",
    "num_threads",
    "outer_strides",
    "scratch",
    "share_one_heap",
    "source_folder",
    "with_contiguous_rows",
]
