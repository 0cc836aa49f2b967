"""Surgery on running code: a function's body with one statement changed, put in its place.

The source is parsed, one node of it replaced, the module compiled anew, and the code object of
the function put into the function that everybody already holds.
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
    index: int  # the node's number in the walk of the module, to find it in a fresh parse

    @property
    def place(self) -> str:
        """For readers."""
        return f"croupier/{self.file}:{self.node.lineno}"


@cache
def parsed(file: str) -> ast.Module:
    """A module's syntax tree; never changed."""
    return ast.parse((ROOT / file).read_text("utf-8"))


def module_of(file: str) -> ModuleType:
    """The module of a file."""
    parts = ["croupier", *Path(file).with_suffix("").parts]
    return import_module(".".join(parts).removesuffix(".__init__"))


def files(*rooms: str) -> list[str]:
    """The Python files of some rooms, or single files."""
    found: list[str] = []
    for room in rooms:
        path = ROOT / room
        paths = [path] if path.suffix == ".py" else sorted(path.rglob("*.py"))
        found += [each.relative_to(ROOT).as_posix() for each in paths]
    return found


def functions(file: str) -> Iterator[tuple[str, Function]]:
    """Every function of a module and method of its classes, by name."""
    for node in parsed(file).body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    yield f"{node.name}.{inner.name}", inner


def spots(file: str, wanted: Callable[[ast.AST], bool]) -> Iterator[Spot]:
    """Every wanted node inside the functions of a module."""
    numbers = {id(node): number for number, node in enumerate(ast.walk(parsed(file)))}
    for name, function in functions(file):
        inside = [node for node in ast.walk(function) if wanted(node)]
        for node in sorted(inside, key=lambda node: (node.lineno, node.col_offset)):  # type: ignore[attr-defined]
            yield Spot(file=file, function=name, node=node, index=numbers[id(node)])


class Replacing(ast.NodeTransformer):
    """Puts something else in the place of one node."""

    def __init__(self, target: ast.AST, change: Change) -> None:
        self.target, self.change = target, change

    def visit(self, node: ast.AST) -> Any:
        if node is self.target:
            return ast.copy_location(self.change(node), node)
        return self.generic_visit(node)


def replace(spot: Spot, change: Change) -> None:
    """Change one node and put the function's new code into the running one."""
    path = ROOT / spot.file
    tree = ast.parse(path.read_text("utf-8"))
    target = list(ast.walk(tree))[spot.index]
    changed = ast.fix_missing_locations(Replacing(target, change).visit(tree))
    code = compile(changed, str(path), "exec")
    live_function(spot).__code__ = code_of(code, spot.function)


def live_function(spot: Spot) -> FunctionType:
    """The function itself, behind any wrapper."""
    found: Any = module_of(spot.file)
    for part in spot.function.split("."):
        found = inspect.getattr_static(found, part)
    if isinstance(found, classmethod | staticmethod):
        found = found.__func__
    if isinstance(found, property):
        found = found.fget
    found = inspect.unwrap(found)
    assert isinstance(found, FunctionType), f"{spot.function} of {spot.file} is no function"
    return found


def code_of(code: CodeType, name: str) -> CodeType:
    """The code object of a function in the code of its module."""
    for part in name.split("."):
        inner = (each for each in code.co_consts if isinstance(each, CodeType))
        code = next(each for each in inner if each.co_name == part)
    return code


def words(node: ast.AST) -> str:
    """What a statement says, short: its first text, the gaps of an f-string left open."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.JoinedStr):
            parts = [str(v.value) if isinstance(v, ast.Constant) else "{}" for v in inner.values]
            return "".join(parts)[:60].strip()
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            return inner.value[:60].strip()
    return ast.unparse(node)[:60]


def texts(spot: Spot, node: ast.AST) -> Iterator[str]:
    """Every text that an expression may come to: constants, and what its names stand for."""
    function = next(found for name, found in functions(spot.file) if name == spot.function)
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
    """What a name of a module stands for, or a name of a module that it names; None if nothing."""
    match node:
        case ast.Name(id=name):
            return getattr(module_of(file), name, None)
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            found = getattr(module_of(file), owner, None)
            return getattr(found, name, None) if isinstance(found, ModuleType) else None
    return None


def _assigned(function: Function, name: str) -> Iterator[str]:
    """The texts that a function assigns to a name of its own."""
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
