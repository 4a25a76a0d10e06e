"""Optional packages, by the extra that installs them, and what is missing without them."""

import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version

from cloud_transformers.cli.doctor.finding import Finding

# package -> what needs it
USES = {
    "laspy": ".las and .laz files",
    "python-neo-lzf": "compressed .pcd files",
    "trimesh": "meshes",
    "h5py": ".h5 files, ModelNet40, ScanObjectNN, S3DIS blocks",
    "pykdtree": "preparing rooms, labels of raw points",
    "pillow": "pictures",
    "accelerate": "training",
    "tensorboard": "curves in TensorBoard",
    "onnx": "export to .onnx",
    "onnxscript": "export to .onnx",
    "onnxruntime": "export to .onnx",
    "fsspec": "URLs",
    "s3fs": "s3:// URLs",
    "aiohttp": "https:// URLs",
    "gcsfs": "gs:// URLs",
    "starlette": "`cloudt serve`",
    "uvicorn": "`cloudt serve`",
    "ray": "`--on ray`",
}
NOT_FOR_USE = ("all", "dev")  # extras that only gather others


def findings() -> Iterator[Finding]:
    try:
        declared = requires("cloud-transformers") or []
    except PackageNotFoundError:
        yield Finding("packages", "unknown, since cloud-transformers itself is not installed", "pip install .")
        return
    for extra, packages in _by_extra(declared).items():
        missing = [package for package in packages if not _is_installed(package)]
        if missing:
            uses = dict.fromkeys(USES[package] for package in missing if package in USES)
            without = f", so no {'; no '.join(uses)}" if uses else ""
            remedy = f"pip install 'cloud-transformers[{extra}]'"
            yield Finding(f"extra {extra}", f"lacks {', '.join(missing)}{without}", remedy)
        else:
            yield Finding(f"extra {extra}", ", ".join(f"{package} {version(package)}" for package in packages))


def _by_extra(declared: list[str]) -> dict[str, list[str]]:
    """Requirements look like `h5py>=3.11; extra == "io"`; those of other Pythons and systems are left out."""
    extras: dict[str, list[str]] = {}
    for line in declared:
        requirement, _, marker = line.partition(";")
        extra = re.search(r"""extra == ['"]([\w-]+)['"]""", marker)
        package = re.match(r"[\w.-]+", requirement)
        if extra is None or package is None or package[0] == "cloud-transformers":
            continue
        if extra[1] not in NOT_FOR_USE and _is_for_this_python(marker):
            extras.setdefault(extra[1], []).append(package[0])
    return extras


def _is_for_this_python(marker: str) -> bool:
    wanted = re.search(r"""python_version (<|>=) ['"](\d+)\.(\d+)['"]""", marker)
    if wanted is None:
        return True
    return (sys.version_info[:2] < (int(wanted[2]), int(wanted[3]))) == (wanted[1] == "<")


def _is_installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True
