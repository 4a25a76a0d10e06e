"""Build hook: compiles the kernels of every level into the wheel, so that whoever installs it needs no compiler.

Without a compiler the wheel is the plain one, whose kernels are compiled at first use, or not at all. The environment
variable CLOUDT_WHEEL_LEVELS names levels to build in place of all: "avx2", "baseline avx2", or "none".
"""

import os
import platform
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent / "src"))

from cloud_transformers.compilation import (
    CompilationFailed,
    Compiler,
    Level,
    find_compiler,
    kernel_names,
    levels_of,
    prebuilt_file,
    source_file,
)


class KernelsInTheWheel(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # a checkout that is worked on: its kernels are compiled when they are used
            return
        self._folder = tempfile.TemporaryDirectory()
        compilers = [(level, find_compiler(level)) for level in _wanted_levels()]
        jobs = [(name, level, compiler) for level, compiler in compilers if compiler for name in kernel_names()]
        try:
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                built = list(pool.map(lambda job: self._build(*job), jobs))
        except CompilationFailed as error:
            self.app.display_warning(f"the kernels did not compile and are left out of the wheel: {error}")
            return
        if not built:
            self.app.display_warning("no C++ compiler for this machine's levels: the kernels are left out of the wheel")
            return
        build_data["force_include"].update({str(path): f"cloud_transformers/native/{place}" for path, place in built})
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "_folder"):
            self._folder.cleanup()

    def _build(self, name: str, level: Level, compiler: Compiler) -> tuple[Path, str]:
        place = prebuilt_file(name, level)
        target = Path(self._folder.name) / place
        target.parent.mkdir(parents=True, exist_ok=True)
        compiler.build(source_file(name), target, "-s")
        return target, place.as_posix()


def _wanted_levels() -> list[Level]:
    levels = levels_of(platform.machine())
    asked, known = os.environ.get("CLOUDT_WHEEL_LEVELS", "").split(), [level.name for level in levels]
    if unknown := set(asked) - {*known, "none"}:
        raise ValueError(f"CLOUDT_WHEEL_LEVELS takes {', '.join(known)} or none, got {' '.join(sorted(unknown))}")
    return [level for level in levels if not asked or level.name in asked]
