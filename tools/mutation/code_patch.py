"""Patches a function in place: replaces one AST node and swaps the function's code object.

The module is parsed and recompiled with the changed node. Because the function object stays the
same, all references to it run the patched code.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeAlias

import msgspec

import croupier

ROOT = Path(croupier.__file__).parent
Change: TypeAlias = Callable[[ast.AST], ast.AST]
Function: TypeAlias = ast.FunctionDef


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """One node inside one function of one module."""

    file: str  # below the package
    function: str  # "name" or "Class.name"
    node: Any
    index: int  # the node's position in `ast.walk` of the module, to find it after parsing again

    @property
    def place(self) -> str:
        """The source line."""
        return f"croupier/{self.file}:{self.node.lineno}"


@cache
def parsed(file: str) -> ast.Module:
    """The syntax tree of a module; must not be changed."""
    return ast.parse((ROOT / file).read_text("utf-8"))


def module_of(file: str) -> ModuleType:
    """The module of a file."""
    parts = ["croupier", *Path(file).with_suffix("").parts]
    return import_module(".".join(parts).removesuffix(".__init__"))


def files(*folders: str) -> list[str]:
    """The Python files of folders, or single files, below the package."""
    names: list[str] = []
    for folder in folders:
        path = ROOT / folder
        paths = [path] if path.suffix == ".py" else sorted(path.rglob("*.py"))
        names += [path.relative_to(ROOT).as_posix() for path in paths]
    return names


def functions(file: str) -> Iterator[tuple[str, Function]]:
    """The functions of a module and the methods of its classes, by name."""
    for node in parsed(file).body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    yield f"{node.name}.{inner.name}", inner


def spots(file: str, matches: Callable[[ast.AST], bool]) -> Iterator[Spot]:
    """Every matching node inside the functions of a module."""
    numbers = {id(node): number for number, node in enumerate(ast.walk(parsed(file)))}
    for name, function in functions(file):
        nodes = [node for node in ast.walk(function) if matches(node)]
        for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):  # type: ignore[attr-defined]
            yield Spot(file=file, function=name, node=node, index=numbers[id(node)])


def spots_in(
    file: str, function: str, matches: Callable[[ast.AST], bool]
) -> list[tuple[int, Spot]]:
    """The matching nodes of one function, each with its number in the module; at least one."""
    numbered = enumerate(spots(file, matches))
    inside = [(number, spot) for number, spot in numbered if spot.function == function]
    if not inside:
        raise LookupError(f"croupier/{file}: nothing in `{function}` can be mutated as listed")
    return inside


class NodeReplacer(ast.NodeTransformer):
    """Replaces one node."""

    def __init__(self, target: ast.AST, change: Change) -> None:
        self.target, self.change = target, change

    def visit(self, node: ast.AST) -> Any:
        if node is self.target:
            return ast.copy_location(self.change(node), node)
        return self.generic_visit(node)


def replace(spot: Spot, change: Change) -> None:
    """Change one node and swap the code of the running function."""
    path = ROOT / spot.file
    tree = ast.parse(path.read_text("utf-8"))
    target = list(ast.walk(tree))[spot.index]
    changed = ast.fix_missing_locations(NodeReplacer(target, change).visit(tree))
    code = compile(changed, str(path), "exec")
    live_function(spot).__code__ = code_of(code, spot.function)


def live_function(spot: Spot) -> FunctionType:
    """The running function, without decorators."""
    value: Any = module_of(spot.file)
    for part in spot.function.split("."):
        value = inspect.getattr_static(value, part)
    if isinstance(value, classmethod | staticmethod):
        value = value.__func__
    if isinstance(value, property):
        value = value.fget
    function = inspect.unwrap(value)
    assert isinstance(function, FunctionType), f"{spot.function} of {spot.file} is not a function"
    return function


def code_of(code: CodeType, name: str) -> CodeType:
    """The code object of a function within the code of its module."""
    for part in name.split("."):
        inner = (value for value in code.co_consts if isinstance(value, CodeType))
        code = next(value for value in inner if value.co_name == part)
    return code


def words(node: ast.AST) -> str:
    """A short label of a statement: its first string, with {} for the fields of an f-string."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.JoinedStr):
            parts = [str(v.value) if isinstance(v, ast.Constant) else "{}" for v in inner.values]
            return "".join(parts)[:60].strip()
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            return inner.value[:60].strip()
    return ast.unparse(node)[:60]


def texts(spot: Spot, node: ast.AST) -> Iterator[str]:
    """Every string that an expression may evaluate to: constants, and the values of names."""
    function = next(node for name, node in functions(spot.file) if name == spot.function)
    for inner in ast.walk(node):
        value = value_of(spot.file, inner)
        match inner:
            case ast.Constant(value=str(text)):
                yield text
            case _ if isinstance(value, str):
                yield value
            case ast.Name(id=name):
                yield from _assigned(function, name)


def value_of(file: str, node: object) -> Any:
    """The value of a global name, or of an attribute of an imported module; None if neither."""
    match node:
        case ast.Name(id=name):
            return getattr(module_of(file), name, None)
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            module = getattr(module_of(file), owner, None)
            return getattr(module, name, None) if isinstance(module, ModuleType) else None
    return None


def _assigned(function: Function, name: str) -> Iterator[str]:
    """The strings that a function assigns to a local name."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and name in _targets(node):
            for inner in ast.walk(node.value):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                    yield inner.value
                if isinstance(inner, ast.JoinedStr) and isinstance(inner.values[0], ast.Constant):
                    yield str(inner.values[0].value)


def _targets(node: ast.Assign) -> set[str]:
    return {
        inner.id
        for target in node.targets
        for inner in ast.walk(target)
        if isinstance(inner, ast.Name)
    }
