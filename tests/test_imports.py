"""The way of the data is the way of the imports: each part may know only the parts before it."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import cloud_transformers

ROOT = Path(cloud_transformers.__file__).parent

# part -> the parts it may import; a part is a module or a package directly below cloud_transformers.
BASE = {"errors", "files", "shapes"}
MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "shapes": set(),
    "files": {"errors"},
    "cache": BASE,
    "checkpoints": BASE,
    "votes": set(),
    "cloud": BASE,
    # file -> io -> cloud -> datasets -> transforms
    "io": BASE | {"cloud"},
    "datasets": BASE | {"cache", "cloud", "io"},
    "transforms": BASE | {"cloud", "datasets"},
    # ops -> layers -> models
    "compilation": {"errors"},
    "native": BASE | {"cache", "compilation"},
    "ops": BASE | {"native"},
    "layers": BASE | {"ops", "checkpoints"},
    "models": BASE | {"ops", "layers", "checkpoints"},
    "export": BASE | {"ops", "models"},
    "losses": BASE | {"ops"},
    "metrics": BASE | {"ops"},
    # both ways meet: prediction -> loss, scores, picture -> the training loop -> the paper's experiments
    "tasks": BASE | {"cloud", "datasets", "models", "losses", "metrics", "votes"},
    "engine": BASE | {"native", "checkpoints", "cloud", "datasets", "layers", "models", "metrics", "tasks"},
    "recipes": BASE
    | {"cache", "checkpoints", "cloud", "datasets", "transforms", "models", "metrics", "tasks", "engine"},
    # a weight file and a cloud -> an answer
    "predict": BASE | {"checkpoints", "cloud", "io", "datasets", "transforms", "models", "votes"},
    # what happens inside a model while it answers
    "inspect": BASE | {"cloud", "datasets", "ops", "layers", "models", "predict", "recipes", "report"},
    "report": BASE | {"cloud", "io", "datasets", "checkpoints", "metrics", "predict", "tasks", "engine"},
}


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
            if name != part and name not in MAY_IMPORT[part] and name in known_parts()
        ]
    assert not wrong


def known_parts() -> set[str]:
    return {path.name.removesuffix(".py") for path in ROOT.iterdir() if path.suffix == ".py" or path.is_dir()}


def test_importing_is_quiet_and_does_not_load_torch() -> None:
    program = "import sys; from cloud_transformers import cli; cli.build_parser(); print('torch' in sys.modules)"
    result = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"
    assert result.stderr == ""
