"""Parses typed answers: keys, words and unambiguous prefixes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from croupier.errors import BadInput
from croupier.games import Game, Option, Street, catalogue, find
from croupier.money import Cents, parse_dollars
from croupier.terminal.io.styled_text import clip
from croupier.wording import join_words

MAX_LENGTH = 200  # longer answers are cut, so that no message fills the screen


def normalize(answer: str) -> str:
    """An answer in lower case, without extra spaces, cut to MAX_LENGTH."""
    return " ".join(answer[:MAX_LENGTH].split()).lower()


def match_alias(answer: str, aliases: Mapping[str, Iterable[str]]) -> str | None:
    """The key that has the answer as an alias or as a prefix of one; None without a match.

    An exact alias wins over a prefix. Raises BadInput if a prefix matches several keys.
    """
    if not answer:
        return None
    for key, names in aliases.items():
        if answer in names:
            return key
    matches = [
        key for key, names in aliases.items() if any(name.startswith(answer) for name in names)
    ]
    if len(matches) > 1:
        raise BadInput(f"{clip(answer, 20)} could be {join_words(matches)}; type more of it")
    return matches[0] if matches else None


def name_aliases(*names: str) -> list[str]:
    """The ways to type a name: from each of its words on, and without spaces."""
    aliases: list[str] = []
    for name in names:
        words = "".join(
            char for char in name.lower().replace("_", " ") if char.isalnum() or char == " "
        ).split()
        aliases += [" ".join(words[start:]) for start in range(len(words))]
        aliases.append("".join(words))
    return aliases


def pick_game(answer: str) -> Game:
    """A game by its number on the menu, or by a name that `games.find` accepts."""
    games = catalogue()
    if answer.isdecimal() and 1 <= int(answer[:4]) <= len(games):
        return games[int(answer[:4]) - 1]
    return find(answer)


def option_key(option: Option) -> str:
    """The single key of an option: "f" for a fold, "3" for three times the ante."""
    return str(option.times) if option.wager else option.word[0]


def pick_option(answer: str, street: Street) -> tuple[str, Cents | None]:
    """The word and the amount of a decision; an unknown answer is returned for the table to refuse.

    A bare number is always a multiple of the ante: "3" is 3x, not the third option.
    """
    if answer.startswith("$"):
        cents = parse_dollars(answer[1:].replace(",", ""))
        return (answer, cents) if cents is None else (f"{cents}c", cents)
    bets = [option for option in street.options if option.wager]
    aliases: dict[str, list[str]] = {}
    for option in street.options:
        aliases[option.word] = [option.word]
        if not option.wager:  # "f" is a fold, even if "flop" is a wager
            aliases[option.word].append(option.word[0])
        else:
            aliases[option.word] += [str(option.times), *name_aliases(option.wager)]
            aliases[option.word] += ["bet", "raise"]
    if len(bets) > 1 and answer in ("bet", "raise", *name_aliases(bets[0].wager)):
        words = join_words([option.word for option in bets])
        raise BadInput(f"how much do you want to bet? Type {words}")
    return match_alias(answer, aliases) or answer, None


def parse_amount(text: str) -> Cents | None:
    """Cents from "$25", "25" or "1,250.50"; None if it is not an amount."""
    return parse_dollars(text.removeprefix("$").replace(",", ""))
