"""Felt and sign drawings of Houses, and functions that tamper with them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any
from xml.etree import ElementTree

from croupier.documents.felt import felt, felt_checks, sign
from croupier.games import House

SVG = "http://www.w3.org/2000/svg"
Change = Callable[[ElementTree.Element], None]


@cache
def drawn(house: House, *, everything: bool = False) -> tuple[str, str]:
    """The felt of a House and its sign, "" if none is needed."""
    table = felt(house)
    posted = sign(house, table, everything=everything)
    return table.svg(), posted.svg() if posted else ""


def examined(house: House, **options: Any) -> felt_checks.FeltCheckResult:
    """The result of checking the drawings of a House."""
    return felt_checks.examine(house, *drawn(house, **options))


def changed(svg: str, id: str, change: Change) -> str:
    """The drawing with one element changed."""
    root = ElementTree.fromstring(svg)
    (target,) = (element for element in root.iter() if element.get("id") == id)
    change(target)
    return ElementTree.tostring(root, encoding="unicode")


def without(svg: str, id: str) -> str:
    """The drawing without one element."""
    root = ElementTree.fromstring(svg)
    for parent in root.iter():
        for child in list(parent):
            if child.get("id") == id:
                parent.remove(child)
                return ElementTree.tostring(root, encoding="unicode")
    raise AssertionError(f"nothing is called {id}")


def says(text: str) -> Change:
    """A change of an element's text."""

    def change(element: ElementTree.Element) -> None:
        element.text = text

    return change


def moved(right: float = 0.0, down: float = 0.0) -> Change:
    """A change of an element's position; a rotated element keeps its rotation."""

    def change(element: ElementTree.Element) -> None:
        for name, by in (("x", right), ("y", down), ("cx", right), ("cy", down)):
            if element.get(name) is not None:
                element.set(name, str(float(element.get(name, "")) + by))

    return change


def sized(size: float) -> Change:
    """A change of an element's font size."""
    return lambda element: element.set("font-size", str(size))
