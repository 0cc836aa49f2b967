"""An examination for people (Rich) and for programs (JSON)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.games.forms import Issue, Severity
from croupier.submission.validation import Examination

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_HEADINGS: dict[Severity, tuple[str, str]] = {
    "error": ("Errors", "bold red"),
    "outstanding": ("Outstanding: to be on file before a table opens", "yellow"),
    "warning": ("Unclear clauses left at their default reading", "cyan"),
}


def to_json(examination: Examination) -> dict[str, Any]:
    """The examination as plain JSON values."""
    house = examination.drafted
    return {
        "legal": examination.legal,
        "ready": examination.ready,
        "digest": house.digest if house else None,
        "game": examination.game or None,
        "operator": examination.operator or None,
        "returns": {wager: str(share) for wager, share in examination.returns.items()},
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


def render(examination: Examination, console: Console) -> None:
    """Print the verdict, then the issues grouped by severity, in the order of the file."""
    from rich.text import Text  # only a command that prints pays for Rich

    console.print(Text.assemble(*verdict(examination)))
    if examination.returns:
        console.print(returns_table(examination))
    for severity, (heading, style) in _HEADINGS.items():
        issues = examination.of(severity)
        if issues:
            console.print()
            console.print(Text(heading, style=style))
            for issue in issues:
                console.print(Text.assemble("  ", *line(issue, style)), soft_wrap=True)


def returns_table(examination: Examination) -> Table:
    """What each wager gives back, and what the house keeps of it."""
    from rich.table import Table

    house = examination.drafted
    assert house is not None
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("wager", "paytable", "return", "house edge"):
        table.add_column(
            heading, justify="right" if heading in ("return", "house edge") else "left"
        )
    for wager, share in examination.returns.items():
        known = house.game.wager(wager)
        name = known.title if known else "main game, of one ante"
        letter = house.letters.get(wager, "")
        table.add_row(name, letter, f"{float(share):.4%}", f"{float(1 - share):.4%}")
    return table


def verdict(examination: Examination) -> list[tuple[str, str]]:
    """The first line, in styled pieces."""
    who = " at ".join(part for part in (title(examination), examination.operator) if part)
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


def title(examination: Examination) -> str:
    """The game's name, or its key where the documents allow no House."""
    return examination.drafted.game.title if examination.drafted else examination.game


def line(issue: Issue, style: str) -> list[tuple[str, str]]:
    """One issue in styled pieces."""
    return list(zip(issue.parts, (style, "", "dim"), strict=True))
