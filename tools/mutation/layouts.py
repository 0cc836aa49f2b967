"""Mutants of layouts (chapter 2): felts and signs drawn wrong, and checks that overlook it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

from msgspec.structs import replace

from croupier.documents.felt.felt import Felt
from croupier.documents.felt.shapes import Area, TextLine
from croupier.documents.felt.sign import Sign
from croupier.games import Game
from croupier.rulebook import duties
from tools.mutation import code_patch
from tools.mutation.mutant import Mutant, by_game, cited, our_games
from tools.mutation.refusals import resolve_clauses

VALIDATOR = "documents/felt/felt_checks.py"
SEAT = 6  # the position where a part is left out
Drawn: TypeAlias = Area | TextLine
Draw: TypeAlias = Callable[[Drawn], Drawn | None]  # another part, or None to leave it out
# Duties of findings whose clauses cannot be read off the code, by a part of their message.
DUTIES_BY_TEXT = {
    "notice.clauses": "layout.notice.limit",
    "bases overlooks": "layout.odds",
    "odds": "layout.odds",
    "notices": "layout.notice.",
    "'s cards": "layout.dealer",
    "community cards": "layout.community",
    "betting positions": "table.places",
    "blank betting area": "layout.spot.blank",
}


def layouts() -> Iterator[Mutant]:
    """All mutants of layouts."""
    for game in our_games():
        for duty in duties(game.document):
            if duty.startswith("layout."):
                yield from drawn_otherwise(game, duty)
        yield from changed_sides(game)
    yield from overlooked()


# Drawings.


def drawn_otherwise(game: Game, duty: str) -> Iterator[Mutant]:
    """The part that a duty requires is missing or wrong."""
    _, what, *rest = duty.split(".")
    name = rest[0] if rest else ""
    for label, draw in ways(game, what, name):
        yield drawing(game, duty, label, draw)


def ways(game: Game, what: str, name: str) -> Iterator[tuple[str, Draw]]:
    """Labels and functions for the ways one part of a layout can be wrong."""
    match what:
        case "operator":
            yield "no name", partial(without, lambda part: part.id.startswith("operator"))
            yield "another name", partial(says, "operator-", "Another Casino")
        case "spot":
            area = f"seat-{SEAT}-{name}"
            yield "no area", partial(without, lambda part: part.id.startswith(area))
            if game.wager(name):
                yield "no name", partial(without, lambda part: part.id.startswith(f"{area}-label"))
        case "community":
            first = (game.layout.places or ("1",))[0]
            yield "an area short", partial(without, lambda part: part.id == f"community-{first}")
            yield "far from the inventory", partial(lower, "community")
        case "dealer":
            yield "no area", partial(without, lambda part: part.id == "dealer")
        case "label":
            title = next(wager.title for wager in game.wagers if wager.name == name)
            of_place = partial(is_label, title)
            yield "no inscription", partial(without, of_place)
        case "odds":
            yield "altered", altered
            yield "to for for", to_for_for
            yield "no heading", partial(without, lambda part: part.id.endswith("-heading"))
        case "notice":
            yield "left out", partial(without, lambda part: part.id.startswith(f"notice-{name}"))
        case "sign":
            yield "nothing on it", partial(without, lambda part: part.id.startswith("notice-"))


def is_label(title: str, part: Drawn) -> bool:
    """Whether a part is the label of a community card's place."""
    return isinstance(part, TextLine) and part.id.startswith("community-") and part.text == title


def without(gone: Callable[[Drawn], bool], part: Drawn) -> Drawn | None:
    """Leave out some parts."""
    return None if gone(part) else part


def says(start: str, text: str, part: Drawn) -> Drawn:
    """Replace the text of some parts."""
    if isinstance(part, TextLine) and part.id.startswith(start):
        return replace(part, text=text)
    return part


def lower(start: str, part: Drawn) -> Drawn:
    """Move some parts away from the dealer."""
    if part.id.startswith(start):
        return replace(part, at=replace(part.at, y=part.at.y + 90))
    return part


def altered(part: Drawn) -> Drawn:
    """Replace even money by two to one."""
    if isinstance(part, TextLine) and part.kind == "pays" and part.text == "1 to 1":
        return replace(part, text="2 to 1")
    return part


def to_for_for(part: Drawn) -> Drawn:
    """Swap "to" and "for", which differ by the stake."""
    if not isinstance(part, TextLine) or part.kind != "pays":
        return part
    words = {" to ": " for ", " for ": " to "}
    word = next((word for word in words if word in part.text), None)
    return replace(part, text=part.text.replace(word, words[word])) if word else part


def drawing(game: Game, duty: str, label: str, draw: Draw) -> Mutant:
    """A mutant that changes all felts and signs of a game."""
    return Mutant(
        kind="layout",
        name=f"{game.key} {duty.removeprefix('layout.')}: {label}",
        place=f"croupier/documents/felt {duty}",
        clauses=by_game((game.key, clause) for clause in cited(game, duty)),
        apply=partial(draw_otherwise, game.title, draw),
    )


def draw_otherwise(title: str, draw: Draw) -> None:
    """Patch the output of felts and signs of one game."""
    felt_svg, sign_svg = Felt.svg, Sign.svg

    def changed_parts(parts: tuple[object, ...]) -> tuple[object, ...]:
        after = (draw(part) if isinstance(part, Area | TextLine) else part for part in parts)
        return tuple(part for part in after if part is not None)

    def wrong_felt(felt: Felt) -> str:
        changed = replace(felt, areas=changed_parts(felt.areas), texts=changed_parts(felt.texts))
        return felt_svg(changed if felt.title == title else felt)

    def wrong_sign(sign: Sign) -> str:
        changed = replace(sign, drawn=changed_parts(sign.drawn))
        return sign_svg(changed if sign.title == title else sign)

    Felt.svg = wrong_felt  # type: ignore[method-assign,assignment]
    Sign.svg = wrong_sign  # type: ignore[method-assign,assignment]


def changed_sides(game: Game) -> Iterator[Mutant]:
    """Two betting spots with a symbol between them are swapped."""
    for left, right in pairs(game):
        swapped = partial(other_side, left, right)
        yield drawing(game, f"layout.spot.{right}", "on the wrong side", swapped)


def pairs(game: Game) -> Iterator[tuple[str, str]]:
    """The pairs of wagers with a symbol between their spots."""
    names = {wager.name for wager in game.wagers}
    for row in game.layout.spots:
        for left, sign, right in zip(row, row[1:], row[2:], strict=False):
            if left in names and right in names and sign not in names:
                yield left, right


def other_side(left: str, right: str, part: Drawn) -> Drawn:
    """Swap the wagers of the two spots."""
    names = {left: right, right: left}
    if isinstance(part, Area) and part.kind == "spot" and part.wager in names:
        return replace(part, wager=names[part.wager])
    return part


# Checks.


def is_finding(node: ast.AST) -> bool:
    """Whether a statement reports a finding."""
    match node:
        case ast.Expr(value=ast.Yield(value=ast.Call(func=ast.Name(id="FeltFinding")))):
            return True
        case ast.Return(value=ast.Call(func=ast.Name(id="FeltFinding"))):
            return True
    return False


def nothing_found(node: ast.AST) -> ast.AST:
    """Report that the requirement is met."""
    if isinstance(node, ast.Expr):
        return ast.Pass()
    assert isinstance(node, ast.Return)
    met = ast.parse("MetRequirement('', 'felt', clauses)", mode="eval").body
    return ast.Return(value=met)


def overlooked() -> Iterator[Mutant]:
    """Each finding of the check of a finished drawing is not reported."""
    for spot in code_patch.spots(VALIDATOR, is_finding):
        name = f"{spot.function} overlooks: {code_patch.words(spot.node)}"
        duties_by_text = [duty for text, duty in DUTIES_BY_TEXT.items() if text in name][:1]
        if spot.function == "symbols":
            duties_by_text = [
                f"layout.spot.{right}" for game in our_games() for _, right in pairs(game)
            ]
        in_code = [text for text in code_patch.texts(spot, spot.node) if text.startswith("layout.")]
        yield Mutant(
            kind="layout",
            name=name,
            place=spot.place,
            clauses=by_game(resolve_clauses(duties_by_text or in_code)),
            apply=partial(code_patch.replace, spot, nothing_found),
        )
