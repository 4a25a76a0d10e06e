"""C++ kernels, compiled at first use and called through ctypes: TENSORS -> TENSORS without torch's headers.

    library = native.load("rasterize")               # compiles csrc/rasterize.cpp unless the cache has it
    library.rasterize_forward(native.pointer(values), ..., native.num_threads())

Every C function takes plain pointers, sizes and strides, and as its last argument the number of threads to use.
"""

from cloud_transformers.native.call import num_threads, pointer, poison_scratch
from cloud_transformers.native.compiler import Compiler, find_compiler
from cloud_transformers.native.library import NativeUnavailable, cache_folder, is_usable, load, source_folder

__all__ = [
    "Compiler",
    "NativeUnavailable",
    "cache_folder",
    "find_compiler",
    "is_usable",
    "load",
    "num_threads",
    "pointer",
    "poison_scratch",
    "source_folder",
]
