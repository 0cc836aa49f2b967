"""Patron sentences: what a game tells its players about each wager, in plain words.

Each game has them in `patron.toml`; those that every game shares are in `data/patron.toml`. A
sentence is a text, or a table with a `text` and the terms `when` it applies:

    [wagers]
    bad_beat = [
      { text = "It wins when either hand loses.", when = { bad_beat_scope = "either_hand" } },
      "A tie loses.",
    ]

`croupier.documents.patron_sentences` selects the sentences of a House and fills in its terms, such
as `{ante}`. A game without the file has the shared sentences only.
"""

from __future__ import annotations

import tomllib
from functools import cache
from typing import TypeAlias

import msgspec

from croupier.rulebook.rule_document import RuleDocument, package_folder

Term: TypeAlias = str | bool | int
Terms: TypeAlias = dict[str, Term | tuple[Term, ...]]
_SHARED = ("croupier", "rulebook/data/patron.toml")


class PatronSentence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence for players; it applies if every term in `when` has the value, or one of them."""

    text: str
    when: Terms = {}


class PatronText(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The patron sentences of a game, by wager and by topic.

    `decided_by` says which cards decide a wager of the main game; those of a side wager are its
    `Basis`. The envy bonus is listed as the wager `envy`.
    """

    decided_by: dict[str, tuple[PatronSentence, ...]] = {}
    wagers: dict[str, tuple[PatronSentence, ...]] = {}
    play: tuple[PatronSentence, ...] = ()
    showdown: tuple[PatronSentence, ...] = ()
    payouts: tuple[PatronSentence, ...] = ()
    limit: tuple[PatronSentence, ...] = ()
    interruptions: tuple[PatronSentence, ...] = ()
    ranking: tuple[PatronSentence, ...] = ()


def patron_text(document: RuleDocument) -> PatronText:
    """The sentences of a game, and after them the shared ones."""
    own, shared = _load(document.package, document.patron), _load(*_SHARED)
    both = msgspec.structs.asdict(shared)
    for name, sentences in msgspec.structs.asdict(own).items():
        if isinstance(sentences, dict):
            wagers = {**both[name], **sentences}
            both[name] = {key: sentences.get(key, ()) + both[name].get(key, ()) for key in wagers}
        else:
            both[name] = sentences + both[name]
    return PatronText(**both)


@cache
def _load(package: str, file: str) -> PatronText:
    path = package_folder(package) / file
    if not path.exists():
        return PatronText()
    return msgspec.convert(_as_tables(tomllib.loads(path.read_text("utf-8"))), PatronText)


def _as_tables(value: object) -> object:
    """Write every plain sentence as a table."""
    match value:
        case dict():
            return {name: _as_tables(inner) for name, inner in value.items()}
        case list():
            return [{"text": item} if isinstance(item, str) else item for item in value]
    return value
