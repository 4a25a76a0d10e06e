"""One-line changes of the source that a test should notice: which there are, and how the source reads with one."""

from __future__ import annotations

import ast
import copy
import random
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
TEXTS = {"print", "warn", "InputError", "ValueError", "RuntimeError", "TypeError", "add_argument", "write_text"}


@dataclass(frozen=True)
class Mutant:
    path: str  # below the root of the project
    line: int
    change: str
    source: str  # of the whole file, changed
    first_line: int  # of the statement that the line belongs to
    is_at_import: bool  # it runs while its module is imported

    @property
    def name(self) -> str:
        return f"{self.path}:{self.line} {self.change}"


def mutants_of(root: Path, path: Path) -> Iterator[Mutant]:
    """Every mutant of one file, in the order of its lines."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    tree = ast.parse(text)
    for node, new in _changes(tree):
        change = f"{ast.unparse(node)} -> {new}"
        first_line, is_at_import = _statement(tree, node)
        yield Mutant(
            path=str(path.relative_to(root)),
            line=node.lineno,
            change=change,
            source=_replaced(lines, node, new),
            first_line=first_line,
            is_at_import=is_at_import,
        )


def drawn(root: Path, folders: list[str], count: int, seed: int) -> list[Mutant]:
    """`count` mutants of the package's folders, drawn evenly over all of them; the same for the same seed.

    The procedural world is left out: that a chair's legs are 4 cm thick is taste, and most numbers are such.
    """
    every = []
    for folder in folders:
        for path in sorted((root / "src" / "cloud_transformers" / folder).rglob("*.py")):
            every += [] if "world" in path.parts else mutants_of(root, path)
    return sorted(random.Random(seed).sample(every, min(count, len(every))), key=lambda mutant: mutant.name)


def _changes(tree: ast.Module) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """What may be replaced, and by what."""
    for node in _walk(tree):
        if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
            yield node, _with(node, ops=[COMPARISONS[type(node.ops[0])](), *node.ops[1:]])
        elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS and not _is_text(node.left):
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


def _statement(tree: ast.Module, node: ast.expr | ast.stmt) -> tuple[int, bool]:
    """The first line of the statement around a node, and whether that is outside of all functions (a default is)."""
    first_line, inner, is_at_import = node.lineno, list(tree.body), True
    while inner:
        around = next((each for each in inner if each.lineno <= node.lineno <= (each.end_lineno or 0)), None)
        if around is None:
            break
        first_line = around.lineno
        inner = [each for each in ast.iter_child_nodes(around) if isinstance(each, ast.stmt | ast.ExceptHandler)]
        if isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef) and node.lineno >= around.body[0].lineno:
            is_at_import = False
    return first_line, is_at_import


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


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _replaced(lines: list[str], node: ast.expr | ast.stmt, new: str) -> str:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    first, last = node.lineno - 1, node.end_lineno - 1
    before = lines[first].encode()[: node.col_offset].decode()
    after = lines[last].encode()[node.end_col_offset :].decode()
    return "".join([*lines[:first], before, new, after, *lines[last + 1 :]])
