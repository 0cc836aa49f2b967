"""The dossier: what GLI-19 and COMAR demand of a system like this, with code and test of each row.

Identifiers are those of GLI-19 v3.0 and of COMAR title 36; the requirements are in our own words.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Literal, TypeAlias

import msgspec

Verdict: TypeAlias = Literal["met", "partly", "not met", "operator", "not applicable"]
VERDICTS: dict[Verdict, str] = {
    "met": "a test fails when the rule is broken",
    "partly": "what is missing is said",
    "not met": "the system does not do it",
    "operator": "a duty of the property or of its suppliers",
    "not applicable": "it does not concern this system",
}


class Requirement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One requirement: whether and how the system meets it, the code and the test."""

    id: str
    requires: str
    verdict: Verdict
    how: str
    code: str = ""  # path in the source, and the name of a function or class
    test: str = ""  # path in the source, and the name of a test


@cache
def requirements() -> tuple[Requirement, ...]:
    """Every requirement in the order of the file.

    >>> from croupier.rulebook.dossier import requirements
    >>> next(each.verdict for each in requirements() if each.id == "GLI-19 2.4.1")
    'met'
    """
    text = resources.files("croupier.rulebook").joinpath("data/dossier.toml").read_text("utf-8")
    rows = tomllib.loads(text).items()
    return tuple(msgspec.convert({"id": id, **row}, Requirement) for id, row in rows)
