"""One-line changes of the source that a test should notice: which there are, and how the source reads with one."""

from __future__ import annotations

import ast
import copy
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
# Texts for people may change without a test; the words that a program compares may not.
TEXTS = {
    "print",
    "warn",
    "InputError",
    "ValueError",
    "RuntimeError",
    "TypeError",
    "add_argument",
    "write_text",
    "TypeVar",
}
BARS = {"progress", "points_bar"}  # what they say of themselves is for people, what they count is not


@dataclass(frozen=True)
class Mutant:
    path: str  # below the root of the project
    name: str  # path, function and change: the same when lines elsewhere in the file come or go
    line: int
    source: str  # of the whole file, changed
    first_line: int  # of the statement that the line belongs to
    is_at_import: bool  # it runs while its module is imported

    @property
    def folder(self) -> str:
        """Of the package."""
        return Path(self.path).parts[2]


@dataclass(frozen=True)
class Place:
    function: str  # with the classes and functions around it; empty outside of all
    first_line: int
    is_at_import: bool


def mutants_of(root: Path, path: Path) -> Iterator[Mutant]:
    """Every mutant of one file, in the order of its lines."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    tree = ast.parse(text)
    below = path.relative_to(root).as_posix()
    count: Counter[str] = Counter()
    for node, new in _changes(tree):
        place = _place(tree, node)
        name = f"{below} {place.function}: {ast.unparse(node)} -> {new}"
        count[name] += 1
        yield Mutant(
            path=below,
            name=name if count[name] == 1 else f"{name} ({count[name]})",
            line=node.lineno,
            source=_replaced(lines, node, new),
            first_line=place.first_line,
            is_at_import=place.is_at_import,
        )


def every_mutant(root: Path, folders: list[str]) -> list[Mutant]:
    """Of the package's folders.

    The procedural world is left out: that a chair's legs are 4 cm thick is taste, and most numbers are such.
    """
    paths = [path for folder in folders for path in (root / "src" / "cloud_transformers" / folder).rglob("*.py")]
    return [mutant for path in sorted(paths) if "world" not in path.parts for mutant in mutants_of(root, path)]


def drawn(mutants: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """`count` of them, every one as likely. Each has its own fixed lot, so that a change of the source adds and removes
    mutants of what changed, and leaves all others drawn as they were."""
    by_lot = sorted(mutants, key=lambda mutant: hashlib.sha256(f"{seed} {mutant.name}".encode()).digest())
    return sorted(by_lot[:count], key=lambda mutant: (mutant.path, mutant.line, mutant.name))


def _changes(tree: ast.Module) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """What may be replaced, and by what."""
    for node in _walk(tree):
        if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
            yield node, _with(node, ops=[COMPARISONS[type(node.ops[0])](), *node.ops[1:]])
        elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS and not _is_of_texts(node):
            yield node, _with(node, op=OPERATORS[type(node.op)]())
        elif isinstance(node, ast.BoolOp):
            yield node, _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node, f"({ast.unparse(node.operand)})"
        elif isinstance(node, ast.Constant):
            value = _other_constant(node.value)
            if value is not None:
                yield node, repr(value)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield node, "pass"
        elif isinstance(node, ast.AugAssign):
            yield node, f"{ast.unparse(node.target)} = {ast.unparse(node.value)}"


def _place(tree: ast.Module, node: ast.expr | ast.stmt) -> Place:
    """Of a node. A function's defaults count as outside of it: they run at import."""
    names, first_line, inner, is_at_import = [], node.lineno, list(tree.body), True
    while inner:
        around = next((each for each in inner if each.lineno <= node.lineno <= (each.end_lineno or 0)), None)
        if around is None:
            break
        first_line = around.lineno
        inner = [each for each in ast.iter_child_nodes(around) if isinstance(each, ast.stmt | ast.ExceptHandler)]
        if isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.append(around.name)
            is_at_import &= isinstance(around, ast.ClassDef) or node.lineno < around.body[0].lineno
    return Place(".".join(names), first_line, is_at_import)


def _with(node: ast.expr, **fields: object) -> str:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return f"({ast.unparse(changed)})"  # in brackets, so that it keeps its place in the expression around it


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes but docstrings, annotations, messages, texts in f-strings and the files' own lists of names."""
    for name, field in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params", "bases"):
            continue
        for child in field if isinstance(field, list) else [field]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr | ast.Raise | ast.Assert):
                continue
            if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
                continue
            if isinstance(child, ast.Call) and _called(child) in TEXTS:
                continue
            if isinstance(child, ast.keyword) and child.arg == "strict":  # of zip: it asserts
                continue
            if isinstance(node, ast.Call) and _called(node) in BARS and isinstance(child, ast.Constant):
                continue
            if isinstance(child, ast.Assign) and ast.unparse(child.targets[0]) == "__all__":
                continue
            yield child
            yield from _walk(child)


def _other_constant(value: object) -> object | None:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return value * 2 if value else 1.0
    if isinstance(value, str) and value.isidentifier():
        return f"no_{value}"
    return None


def _called(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _is_of_texts(node: ast.expr) -> bool:
    """A text or a path put together: no other operator works there, so that any test at all would notice."""
    if isinstance(node, ast.BinOp):
        return _is_of_texts(node.left) or _is_of_texts(node.right)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _replaced(lines: list[str], node: ast.expr | ast.stmt, new: str) -> str:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    first, last = node.lineno - 1, node.end_lineno - 1
    before = lines[first].encode()[: node.col_offset].decode()
    after = lines[last].encode()[node.end_col_offset :].decode()
    return "".join([*lines[:first], before, new, after, *lines[last + 1 :]])
