"""C++ kernels, called through ctypes: TENSORS -> TENSORS without torch's headers.

    if native.is_usable("rasterize"):    # from the wheel, from the cache, compiled now; one warning if none can be had
        native.call("rasterize", "rasterize_forward", values, native.outer_strides(values), ...)

Every C function takes plain pointers, int64_t sizes and strides, and as its last argument the number of threads.
"""

from cloud_transformers.compilation import find_compiler
from cloud_transformers.native.call import call, num_threads, outer_strides, scratch, with_contiguous_rows
from cloud_transformers.native.library import Loaded, NativeUnavailable, is_usable, load
from cloud_transformers.native.memory import keep_freed_memory, share_one_heap

__all__ = [
    "Loaded",
    "NativeUnavailable",
    "call",
    "find_compiler",
    "is_usable",
    "keep_freed_memory",
    "load",
    "num_threads",
    "outer_strides",
    "scratch",
    "share_one_heap",
    "with_contiguous_rows",
]
