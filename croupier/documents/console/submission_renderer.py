"""An examination for people (Rich) and for programs (JSON)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.games import Game, House
from croupier.submission.issues import Issue
from croupier.submission.issues import Severity
from croupier.submission.alternatives import Alternative, alternatives
from croupier.submission.validation import ValidationResult

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

_HEADINGS: dict[Severity, tuple[str, str]] = {
    "error": ("Errors", "bold red"),
    "outstanding": ("Outstanding: to be on file before a table opens", "yellow"),
    "warning": ("Unclear clauses left at their default reading", "cyan"),
}
CHOICES = "What each choice returns (* yours; other progressives at their least reset amounts)"


def to_json(examination: ValidationResult) -> dict[str, Any]:
    """The examination as plain JSON values."""
    house = examination.drafted
    return {
        "legal": examination.legal,
        "ready": examination.ready,
        "digest": house.digest if house else None,
        "game": examination.game or None,
        "operator": examination.operator or None,
        "returns": {wager: str(share) for wager, share in examination.returns.items()},
        "alternatives": alternatives_json(examination),
        "issues": [
            {
                "severity": issue.severity,
                "field": issue.field,
                "value": issue.value,
                "allowed": issue.allowed,
                "game": issue.game,
                "clause": issue.clause,
                "message": issue.message,
            }
            for issue in examination.issues
        ],
    }


def alternatives_json(examination: ValidationResult) -> dict[str, Any]:
    """What each value of a field returns: by field, then by wager, then by value."""
    house = examination.priced
    told: dict[str, Any] = {}
    for each in alternatives(house, examination.undecided) if house else ():
        shares = {value.value: str(value.share) for value in each.values}
        told.setdefault(each.field, {})[each.values[0].wager] = shares
    return told


def render(examination: ValidationResult, console: Console, file: str = "") -> None:
    """Print the verdict, the returns, the issues by severity, and what else could be chosen."""
    from rich.text import Text  # only a command that prints pays for Rich

    if file:
        say(console, Text(file, style="bold"))
    say(console, Text.assemble(*verdict(examination)))
    if examination.returns:
        console.print(returns_table(examination))
    for severity, (heading, style) in _HEADINGS.items():
        issues = examination.of(severity)
        if issues:
            console.print()
            console.print(Text(heading, style=style))
            for issue in issues:
                say(console, Text.assemble(*line(issue, style)), 2)
    if examination.priced is not None:
        render_alternatives(examination, examination.priced, console)


def render_alternatives(examination: ValidationResult, house: House[Any], console: Console) -> None:
    """Print what each value of each setting returns; yours has a star."""
    from rich.text import Text

    found = alternatives(house, examination.undecided)
    if not found:
        return
    console.print()
    say(console, Text(CHOICES, style="green"))
    for each in found:
        told = name_of_wager(house.game, each.values[0].wager)
        say(console, Text.assemble((each.field, "green"), f"  {told}"), 2)
        for packed in pack([priced(value) for value in each.values], console.width - 6):
            say(console, Text(packed), 6)


def say(console: Console, text: Text, indent: int = 0) -> None:
    """A line as wide as the console, what does not fit on it indented further; words stay whole."""
    width = max(20, console.width - indent - 4)
    rows = [text] if text.cell_len <= width + 4 else text.wrap(console, width)
    for number, row in enumerate(rows):
        row.rstrip()
        row.pad_left(indent + (4 if number else 0))
        console.print(row, soft_wrap=True)


def priced(value: Alternative) -> str:
    """One value with its return: "own_run* 91.3429%"."""
    return f"{value.value}{'*' if value.chosen else ''} {float(value.share):.4%}"


def pack(pieces: list[str], width: int) -> list[str]:
    """Pieces on as few lines as they fit on; a piece is never broken."""
    lines: list[str] = []
    for piece in pieces:
        if lines and len(lines[-1]) + 3 + len(piece) <= width:
            lines[-1] += f"   {piece}"
        else:
            lines.append(piece)
    return lines


def name_of_wager(game: Game, wager: str) -> str:
    """A wager as it is called; "main" is the whole main game."""
    known = game.wager(wager)
    return known.title if known else "main game, of one ante"


def returns_table(examination: ValidationResult) -> Table:
    """What each wager gives back, and what the house keeps of it."""
    from rich.table import Table
    from rich.text import Text  # which a string becomes too, after a search for markup and smileys

    house = examination.drafted
    assert house is not None
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("wager", "paytable", "return", "house edge"):
        table.add_column(
            Text(heading), justify="right" if heading in ("return", "house edge") else "left"
        )
    for wager, share in examination.returns.items():
        own = house.proposal is not None and wager in house.proposal.pays
        cells = (
            name_of_wager(house.game, wager),
            "own" if own else house.letters.get(wager, ""),
            f"{float(share):.4%}",
            f"{float(1 - share):.4%}",
        )
        table.add_row(*map(Text, cells))
    return table


def verdict(examination: ValidationResult) -> list[tuple[str, str]]:
    """The first line, in styled pieces."""
    drafted = examination.drafted  # its operator says so if it is a proposal
    operator = drafted.operator if drafted else examination.operator
    who = " at ".join(part for part in (title(examination), operator) if part)
    if not examination.legal:
        count = len(examination.of("error"))
        errors = f"{count} error{'s' if count != 1 else ''}"
        return [("Not legal: ", "bold red"), (errors, "red"), (f"  {who}" if who else "", "")]
    pieces = [("Legal: ", "bold green"), (who, "")]
    missing = len(examination.of("outstanding"))
    if missing:
        approvals = f"{missing} approval{'s' if missing != 1 else ''}"
        pieces.append((f"; not ready to open: {approvals} outstanding", "yellow"))
    else:
        pieces.append(("; ready to open", "green"))
    return pieces


def title(examination: ValidationResult) -> str:
    """The game's name, or its key where the documents allow no House."""
    return examination.drafted.game.title if examination.drafted else examination.game


def line(issue: Issue, style: str) -> list[tuple[str, str]]:
    """One issue in styled pieces."""
    return list(zip(issue.parts, (style, "", "dim"), strict=True))
