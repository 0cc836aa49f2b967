"""Small words that several documents of a filing share."""

from __future__ import annotations

from croupier.money import Cents, dollars


def amount(cents: Cents) -> str:
    """Dollars without empty cents."""
    return dollars(cents).removesuffix(".00")


def chapter(clause: str) -> str:
    """The chapter of a clause."""
    return clause.partition(".")[0]


def spoken(word: str) -> str:
    """A value of a file as it is spoken: "automated shoe"."""
    words = {"true": "yes", "false": "no"}
    return words.get(word, word.replace("_", " "))


def title_of(name: str) -> str:
    """A field as a title: "Deck change hours"."""
    words = name.replace("_", " ")
    return words[0].upper() + words[1:]
