"""What a person typed, understood: hot keys, words, unambiguous beginnings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from croupier.errors import BadInput
from croupier.games import Game, Option, Street, catalogue, find
from croupier.money import Cents, parse_dollars
from croupier.terminal.io.styled_text import clip, listed

LONGEST = 200  # an answer longer than this is cut, so that no message fills the screen


def tidy(answer: str) -> str:
    """An answer without the spaces around it, in small letters, of bearable length."""
    return " ".join(answer[:LONGEST].split()).lower()


def pick(answer: str, aliases: Mapping[str, Iterable[str]]) -> str | None:
    """The key whose alias is the answer or begins with it; None if none does.

    An exact alias wins over a beginning; a beginning that fits several keys is refused.
    """
    if not answer:
        return None
    for key, names in aliases.items():
        if answer in names:
            return key
    found = [
        key for key, names in aliases.items() if any(name.startswith(answer) for name in names)
    ]
    if len(found) > 1:
        raise BadInput(f"{clip(answer, 20)} could be {listed(found)}; type more of it")
    return found[0] if found else None


def beginnings(*names: str) -> list[str]:
    """A name as it may be typed: whole, and from each of its words on."""
    found: list[str] = []
    for name in names:
        parts = "".join(
            sign for sign in name.lower().replace("_", " ") if sign.isalnum() or sign == " "
        ).split()
        found += [" ".join(parts[start:]) for start in range(len(parts))]
        found.append("".join(parts))
    return found


def pick_game(answer: str) -> Game:
    """A game by its number on the menu, or by any name that `games.find` knows."""
    games = catalogue()
    if answer.isdecimal() and 1 <= int(answer[:4]) <= len(games):
        return games[int(answer[:4]) - 1]
    return find(answer)


def key_of(option: Option) -> str:
    """The single key of an option: "f" for a fold, "3" for three times the ante."""
    return str(option.times) if option.wager else option.word[0]


def pick_option(answer: str, street: Street) -> tuple[str, Cents | None]:
    """The word and the amount of a decision; what fits no option goes to the table as it is.

    A bare number is a multiple of the ante, never a place in a list: "3" is 3x wherever it stands.
    """
    if answer.startswith("$"):
        cents = parse_dollars(answer[1:].replace(",", ""))
        return (answer, cents) if cents is None else (f"{cents}c", cents)
    bets = [option for option in street.options if option.wager]
    aliases: dict[str, list[str]] = {}
    for option in street.options:
        aliases[option.word] = [option.word]
        if not option.wager:  # "f" is a fold, also where "flop" could be bet
            aliases[option.word].append(option.word[0])
        else:
            aliases[option.word] += [str(option.times), *beginnings(option.wager)]
            aliases[option.word] += ["bet", "raise"]
    if len(bets) > 1:
        for names in ("bet", "raise", *beginnings(bets[0].wager)):
            if answer == names:
                words = listed([option.word for option in bets])
                raise BadInput(f"{answer} needs its size here: {words}")
    return pick(answer, aliases) or answer, None


def parse_amount(text: str) -> Cents | None:
    """Cents from "$25", "25" or "1,250.50"; None if it is no amount of money."""
    return parse_dollars(text.removeprefix("$").replace(",", ""))
