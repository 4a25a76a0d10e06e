"""How kernels become machine code: C++ SOURCE, LEVEL -> SHARED LIBRARY. Nothing here needs torch or loads a kernel.

At first use `native` compiles with it, and hatch_build.py does when a wheel is made.
"""

from cloud_transformers.compilation.compiler import CompilationFailed, Compiler, find_compiler
from cloud_transformers.compilation.levels import Level, asked_level, best_level, levels_of, processor_levels
from cloud_transformers.compilation.sources import kernel_names, library_name, prebuilt_file, source_file, source_folder

__all__ = [
    "CompilationFailed",
    "Compiler",
    "Level",
    "asked_level",
    "best_level",
    "find_compiler",
    "kernel_names",
    "levels_of",
    "library_name",
    "prebuilt_file",
    "processor_levels",
    "source_file",
    "source_folder",
]
