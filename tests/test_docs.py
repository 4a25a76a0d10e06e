"""The documentation is true: links lead somewhere, programs run or at least compile, commands are understood."""

import re
import shlex
from pathlib import Path

import pytest

from cloud_transformers import cli

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
OWN_PAGES = [page for page in PAGES if page.parent.name != "howto"]  # guides change the project: see test_howto.py
TUTORIALS = [page for page in PAGES if page.parent.name == "tutorials"]


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def anchors(page: Path) -> set[str]:
    """Of headings, as the site and GitHub make them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)", page.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        there = page if not target else (page.parent / target).resolve()
        assert there.exists(), target
        if anchor and there.suffix == ".md":
            assert anchor in anchors(there), f"{target}#{anchor}"


@pytest.mark.parametrize("page", OWN_PAGES, ids=name)
def test_python_compiles(page: Path) -> None:
    for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL):
        compile(block, name(page), "exec")


@pytest.mark.parametrize("page", TUTORIALS, ids=name)
def test_tutorials_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {"__name__": "__main__"}
    for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL):
        exec(compile(block, name(page), "exec"), scope)


@pytest.mark.parametrize("page", OWN_PAGES, ids=name)
def test_commands_are_understood(page: Path) -> None:
    for command in re.findall(r"^cloudt (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE):
        words = shlex.split(command.partition(" #")[0])
        if not any(word.isupper() and word.isalpha() for word in words):  # a pattern, such as `cloudt VERB --help`
            cli.build_parser().parse_args(words)


def test_every_page_is_in_the_site() -> None:
    listed = set(re.findall(r"([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), flags=re.MULTILINE))
    assert listed == {page.relative_to(ROOT / "docs").as_posix() for page in PAGES}
