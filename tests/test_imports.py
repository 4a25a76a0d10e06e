"""The way of the data is the way of the imports: each part may know only the parts before it."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import cloud_transformers

ROOT = Path(cloud_transformers.__file__).parent

# In the order of the README's tree: a part may import those that stand before it, of these only the ones named here,
# and everyone may import BASE. A part is a module or a package directly below cloud_transformers.
BASE = {
    "errors", "decoding", "temporary", "progress", "remote", "files", "printable", "pages", "tensor_checks", "memory",
    "ownership", "class_colors",
}  # fmt: skip
MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "decoding": {"errors"},
    "temporary": set(),
    "progress": set(),
    "remote": {"errors", "progress", "temporary"},
    "files": {"errors", "remote", "temporary"},
    "printable": set(),
    "pages": {"files", "printable"},
    "tensor_checks": set(),
    "memory": set(),
    "ownership": {"errors"},
    "class_colors": set(),
    "cache": set(),
    "checkpoints": set(),
    "votes": set(),
    # arrays -> a page that turns; it knows no cloud, so that a cloud can show itself
    "viewer": set(),
    # file -> io -> cloud -> datasets -> transforms
    "cloud": {"viewer"},
    "space": {"cloud"},
    "io": {"cloud"},
    "render": {"cloud", "space"},
    "datasets": {"cache", "cloud", "space", "io"},
    "transforms": {"cloud", "space", "datasets"},
    "world": {"cloud", "space", "io", "render", "datasets"},
    # csrc -> native -> ops -> layers -> models
    "compilation": set(),
    "native": {"cache", "compilation"},
    "ops": {"native"},
    "layers": {"checkpoints", "ops"},
    "models": {"checkpoints", "ops", "layers"},
    "export": {"ops", "layers", "models"},
    "losses": {"ops"},
    "metrics": {"ops"},
    # both ways meet: prediction -> loss and scores -> the training loop -> the paper's experiments
    "tasks": {"votes", "cloud", "datasets", "models", "losses", "metrics"},
    "engine": {"checkpoints", "cloud", "datasets", "native", "layers", "models", "metrics", "tasks"},
    "recipes": {
        "cache", "checkpoints", "cloud", "space", "datasets", "transforms", "world", "models", "metrics", "tasks",
        "engine",
    },
    # a weight file and a cloud -> an answer, and what happens inside a model while it answers
    "predict": {"cache", "checkpoints", "votes", "viewer", "cloud", "space", "io", "datasets", "transforms", "models"},
    "report": {
        "viewer", "cloud", "space", "io", "render", "datasets", "world", "metrics", "tasks", "engine", "predict",
    },
    "inspect": {"viewer", "cloud", "render", "ops", "layers", "models", "recipes", "predict"},
    # many machines
    "cluster": {"cloud", "io", "datasets", "models", "engine", "recipes", "predict"},
    # the page and its API
    "serve": {"cache", "viewer", "cloud", "io", "render", "world", "models", "predict", "inspect"},
}  # fmt: skip


def imports_of(path: Path) -> Iterator[tuple[str, int]]:
    """The parts of this package that a file imports, anywhere in it, with the line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            package, _, rest = name.partition(".")
            if package == "cloud_transformers" and rest:
                yield rest.partition(".")[0], node.lineno


def test_imports_follow_the_way_of_the_data() -> None:
    wrong = []
    for path in sorted(ROOT.rglob("*.py")):
        relative = path.relative_to(ROOT)
        part = relative.parts[0].removesuffix(".py")
        if part in ("__init__", "cli"):  # the package's front, and the only part that knows everything
            continue
        assert part in MAY_IMPORT, f"{part} is new: say in tests/test_imports.py what it may import"
        wrong += [
            f"{relative}:{line} imports {name}"
            for name, line in imports_of(path)
            if name != part and name not in MAY_IMPORT[part] | BASE and name in known_parts()
        ]
    assert not wrong


def test_no_part_is_imported_by_an_earlier_one() -> None:
    order = list(MAY_IMPORT)
    backward = [
        f"{part} may import {other}, which comes after it"
        for part, others in MAY_IMPORT.items()
        for other in others
        if order.index(other) >= order.index(part)
    ]
    assert not backward


def test_the_readme_shows_the_parts_in_the_order_of_their_imports() -> None:
    tree = (ROOT.parents[1] / "README.md").read_text(encoding="utf-8").partition("## The tree")[2]
    shown = re.findall(r"^  (\w+)(?:\.py)? ", tree, re.MULTILINE)
    assert [part for part in shown if part in MAY_IMPORT] == list(MAY_IMPORT)


def known_parts() -> set[str]:
    return {path.name.removesuffix(".py") for path in ROOT.iterdir() if path.suffix == ".py" or path.is_dir()}


def test_importing_is_quiet_and_does_not_load_torch() -> None:
    program = "import sys; from cloud_transformers import cli; cli.build_parser(); print('torch' in sys.modules)"
    result = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"
    assert result.stderr == ""
