"""Chapter 2 broken: felts and signs drawn otherwise, and a check of them that looks away."""

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
from tools.mutation.refusals import meant

VALIDATOR = "documents/felt/felt_checks.py"
SEAT = 6  # the position at which something is forgotten
Drawn: TypeAlias = Area | TextLine
Draw: TypeAlias = Callable[[Drawn], Drawn | None]  # something else, or nothing, in its place
# Where the check speaks of clauses that it was handed, or of few of those that it has at hand.
MEANT = {
    "notice.clauses": "layout.notice.limit",
    "odds": "layout.odds",
    "notices": "layout.notice.",
    "'s cards": "layout.dealer",
    "community cards": "layout.community",
}


def layouts() -> Iterator[Mutant]:
    """All of them."""
    for game in our_games():
        for duty in duties(game.document):
            if duty.startswith("layout."):
                yield from drawn_otherwise(game, duty)
        yield from changed_sides(game)
    yield from overlooked()


# What is drawn.


def drawn_otherwise(game: Game, duty: str) -> Iterator[Mutant]:
    """What one duty asks for is missing, or is not what it asks for."""
    _, what, *rest = duty.split(".")
    name = rest[0] if rest else ""
    for told, draw in ways(game, what, name):
        yield drawing(game, duty, told, draw)


def ways(game: Game, what: str, name: str) -> Iterator[tuple[str, Draw]]:
    """How one part of a layout can be wrong."""
    match what:
        case "operator":
            yield "no name", partial(without, lambda each: each.id.startswith("operator"))
            yield "another name", partial(says, "operator-", "Somebody Else")
        case "spot":
            area = f"seat-{SEAT}-{name}"
            yield "no area", partial(without, lambda each: each.id.startswith(area))
            yield "no name", partial(without, lambda each: each.id.startswith(f"{area}-label"))
        case "community":
            first = (game.layout.places or ("1",))[0]
            yield "an area short", partial(without, lambda each: each.id == f"community-{first}")
            yield "far from the inventory", partial(lower, "community")
        case "dealer":
            yield "no area", partial(without, lambda each: each.id == "dealer")
        case "label":
            title = next(each.title for each in game.wagers if each.name == name)
            of_place = partial(is_label, title)
            yield "no inscription", partial(without, of_place)
        case "odds":
            yield "altered", altered
            yield "to for for", to_for_for
            yield "no heading", partial(without, lambda each: each.id.endswith("-heading"))
        case "notice":
            yield "left out", partial(without, lambda each: each.id.startswith(f"notice-{name}"))
        case "sign":
            yield "nothing on it", partial(without, lambda each: each.id.startswith("notice-"))


def is_label(title: str, each: Drawn) -> bool:
    """Whether it is the name on the place of a community card."""
    return isinstance(each, TextLine) and each.id.startswith("community-") and each.text == title


def without(gone: Callable[[Drawn], bool], each: Drawn) -> Drawn | None:
    """Some parts are not drawn."""
    return None if gone(each) else each


def says(start: str, text: str, each: Drawn) -> Drawn:
    """Other words."""
    if isinstance(each, TextLine) and each.id.startswith(start):
        return replace(each, text=text)
    return each


def lower(start: str, each: Drawn) -> Drawn:
    """Further down the table."""
    if each.id.startswith(start):
        return replace(each, at=replace(each.at, y=each.at.y + 90))
    return each


def altered(each: Drawn) -> Drawn:
    """Every payout of one to one is two to one."""
    if isinstance(each, TextLine) and each.kind == "pays" and each.text == "1 to 1":
        return replace(each, text="2 to 1")
    return each


def to_for_for(each: Drawn) -> Drawn:
    """The two words change places: they differ by the stake."""
    if not isinstance(each, TextLine) or each.kind != "pays":
        return each
    words = {" to ": " for ", " for ": " to "}
    found = next((word for word in words if word in each.text), None)
    return replace(each, text=each.text.replace(found, words[found])) if found else each


def drawing(game: Game, duty: str, told: str, draw: Draw) -> Mutant:
    """Felts and signs of a game, drawn otherwise."""
    return Mutant(
        kind="layout",
        name=f"{game.key} {duty.removeprefix('layout.')}: {told}",
        place=f"croupier/documents/felt {duty}",
        clauses=by_game((game.key, clause) for clause in cited(game, duty)),
        apply=partial(draw_otherwise, game.title, draw),
    )


def draw_otherwise(title: str, draw: Draw) -> None:
    """Every felt and sign of a game goes through a clumsy hand before it is written."""
    felt_svg, sign_svg = Felt.svg, Sign.svg

    def some(parts: tuple[object, ...]) -> tuple[object, ...]:
        after = (draw(each) if isinstance(each, Area | TextLine) else each for each in parts)
        return tuple(each for each in after if each is not None)

    def wrong_felt(felt: Felt) -> str:
        changed = replace(felt, areas=some(felt.areas), texts=some(felt.texts))
        return felt_svg(changed if felt.title == title else felt)

    def wrong_sign(sign: Sign) -> str:
        return sign_svg(replace(sign, drawn=some(sign.drawn)) if sign.title == title else sign)

    Felt.svg = wrong_felt  # type: ignore[method-assign,assignment]
    Sign.svg = wrong_sign  # type: ignore[method-assign,assignment]


def changed_sides(game: Game) -> Iterator[Mutant]:
    """The two areas with a sign between them change sides."""
    for left, right in pairs(game):
        swapped = partial(other_side, left, right)
        yield drawing(game, f"layout.spot.{right}", "on the wrong side", swapped)


def pairs(game: Game) -> Iterator[tuple[str, str]]:
    """The wagers whose areas have a sign between them."""
    names = {wager.name for wager in game.wagers}
    for row in game.layout.spots:
        for left, sign, right in zip(row, row[1:], row[2:], strict=False):
            if left in names and right in names and sign not in names:
                yield left, right


def other_side(left: str, right: str, each: Drawn) -> Drawn:
    """The right one is told as the left one, so that each lies where the other belongs."""
    names = {left: right, right: left}
    if isinstance(each, Area) and each.kind == "spot" and each.wager in names:
        return replace(each, wager=names[each.wager])
    return each


# What is checked.


def is_finding(node: ast.AST) -> bool:
    """The check says what is wrong."""
    match node:
        case ast.Expr(value=ast.Yield(value=ast.Call(func=ast.Name(id="FeltFinding")))):
            return True
        case ast.Return(value=ast.Call(func=ast.Name(id="FeltFinding"))):
            return True
    return False


def nothing_found(node: ast.AST) -> ast.AST:
    """The check says that it is as it should be."""
    if isinstance(node, ast.Expr):
        return ast.Pass()
    assert isinstance(node, ast.Return)
    kept = ast.parse("MetRequirement('', 'felt', clauses)", mode="eval").body
    return ast.Return(value=kept)


def overlooked() -> Iterator[Mutant]:
    """Each finding of the check of a finished drawing, not made."""
    for spot in code_patch.spots(VALIDATOR, is_finding):
        name = f"{spot.function} overlooks: {code_patch.words(spot.node)}"
        texts = [text for words, text in MEANT.items() if words in name][:1]
        if spot.function == "symbols":
            texts = [f"layout.spot.{right}" for game in our_games() for _, right in pairs(game)]
        said = [text for text in code_patch.texts(spot, spot.node) if text.startswith("layout.")]
        yield Mutant(
            kind="layout",
            name=name,
            place=spot.place,
            clauses=by_game(meant(texts or said)),
            apply=partial(code_patch.replace, spot, nothing_found),
        )
