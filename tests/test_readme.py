"""The README is true: its example runs, its commands exist, its tree is the tree."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_python_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"(?:`|^)make ([a-z]+)", README, flags=re.MULTILINE))
    assert {"demo", "test"} <= targets
    for target in targets:
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE), f"make {target}"


def test_verbs_exist() -> None:
    from cloud_transformers.cli import VERBS

    for verb in set(re.findall(r"^ *cloudt ([a-z-]+)", README, flags=re.MULTILINE)):
        assert verb in VERBS, f"cloudt {verb}"


def test_tree_names_what_is_there() -> None:
    tree = re.search(r"## The tree\n+```\n(.*?)```", README, flags=re.DOTALL)
    assert tree
    folders: list[str] = []
    for line in tree[1].splitlines():
        entry = re.match(r"( *)([\w./-]+)", line)
        assert entry, line
        depth = len(entry[1]) // 2
        folders = [*folders[:depth], entry[2]]
        assert (ROOT / "/".join(folders)).exists(), "/".join(folders)


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_inside_the_project_lead_somewhere(name: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / name).read_text(encoding="utf-8")):
        if "://" not in target:
            assert (ROOT / target).exists(), target
