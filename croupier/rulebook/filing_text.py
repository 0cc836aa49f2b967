"""Filing text: the label of each submission field, and the sentence that states its value."""

from __future__ import annotations

import tomllib
from functools import cache

from croupier.rulebook.rule_document import package_folder

LABEL, ANY = "label", "*"


def field_label(field: str) -> str:
    """The label of a field for people; "" for one that only another package knows."""
    return _texts().get(field, {}).get(LABEL, "")


def value_sentence(field: str, value: str, display: str) -> str:
    """The sentence that states a value of a field, or "" if there is none.

    `value` is as the submission has it, `display` as documents print it.
    """
    sentences = _texts().get(field, {})
    return sentences.get(value, sentences.get(ANY, "")).replace("{value}", display)


@cache
def _texts() -> dict[str, dict[str, str]]:
    file = package_folder("croupier") / "rulebook" / "data" / "filing.toml"
    return tomllib.loads(file.read_text("utf-8"))
