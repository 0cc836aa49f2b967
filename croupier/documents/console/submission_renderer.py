"""Rich and JSON renderers of the validation of a submission."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.games import Game, House
from croupier.submission.alternatives import Alternative, alternatives
from croupier.submission.issues import Issue, Severity
from croupier.submission.validation import ValidationResult
from croupier.wording import counted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

_HEADINGS: dict[Severity, tuple[str, str]] = {
    "error": ("Errors", "bold red"),
    "outstanding": ("Outstanding: must be on file before a table opens", "yellow"),
    "warning": ("Unclear clauses left at their default reading", "cyan"),
}
CHOICES = "Return by choice (* current; other progressives at their minimum reset amounts)"


def to_json(examination: ValidationResult) -> dict[str, Any]:
    """The validation result as JSON values."""
    house = examination.drafted
    return {
        "legal": examination.legal,
        "ready": examination.ready,
        "digest": house.digest if house else None,
        "game": examination.game or None,
        "operator": examination.operator or None,
        "returns": {wager: str(share) for wager, share in examination.returns.items()},
        "alternatives": alternatives_json(examination),
        "issues": examination.issues,
    }


def alternatives_json(examination: ValidationResult) -> dict[str, Any]:
    """The return of each value of a field: by field, then wager, then value."""
    house = examination.priced
    result: dict[str, Any] = {}
    for choice in alternatives(house, examination.undecided) if house else ():
        shares = {value.value: str(value.share) for value in choice.values}
        result.setdefault(choice.field, {})[choice.values[0].wager] = shares
    return result


def render(examination: ValidationResult, console: Console, file: str = "") -> None:
    """Print the verdict, the returns, the issues by severity, and the alternatives."""
    from rich.text import Text  # imported here so that checking a file does not load Rich

    if file:
        print_wrapped(console, Text(file, style="bold"))
    print_wrapped(console, Text.assemble(*verdict(examination)))
    if examination.returns:
        console.print(returns_table(examination))
    for severity, (heading, style) in _HEADINGS.items():
        issues = examination.of(severity)
        if issues:
            console.print()
            console.print(Text(heading, style=style))
            for issue in issues:
                print_wrapped(console, Text.assemble(*issue_pieces(issue, style)), 2)
    if examination.priced is not None:
        render_alternatives(examination, examination.priced, console)


def render_alternatives(examination: ValidationResult, house: House[Any], console: Console) -> None:
    """Print the return of each value of each field; the current one has a star."""
    from rich.text import Text

    choices = alternatives(house, examination.undecided)
    if not choices:
        return
    console.print()
    print_wrapped(console, Text(CHOICES, style="green"))
    for choice in choices:
        wager = wager_name(house.game, choice.values[0].wager)
        print_wrapped(console, Text.assemble((choice.field, "green"), f"  {wager}"), 2)
        for packed in pack_lines(
            [format_alternative(value) for value in choice.values], console.width - 6
        ):
            print_wrapped(console, Text(packed), 6)


def print_wrapped(console: Console, text: Text, indent: int = 0) -> None:
    """Print a line wrapped at the console width, continuation lines indented by four."""
    width = max(20, console.width - indent - 4)
    rows = [text] if text.cell_len <= width + 4 else text.wrap(console, width)
    for number, row in enumerate(rows):
        row.rstrip()
        row.pad_left(indent + (4 if number else 0))
        console.print(row, soft_wrap=True)


def format_alternative(value: Alternative) -> str:
    """Format a value with its return: "own_run* 91.3429%"."""
    return f"{value.value}{'*' if value.chosen else ''} {float(value.share):.4%}"


def pack_lines(pieces: list[str], width: int) -> list[str]:
    """Join pieces into as few lines as fit the width, never breaking a piece."""
    lines: list[str] = []
    for piece in pieces:
        if lines and len(lines[-1]) + 3 + len(piece) <= width:
            lines[-1] += f"   {piece}"
        else:
            lines.append(piece)
    return lines


def wager_name(game: Game, wager: str) -> str:
    """The title of a wager; "main" is the whole main game."""
    definition = game.wager(wager)
    return definition.title if definition else "main game, per ante"


def returns_table(examination: ValidationResult) -> Table:
    """Return and house edge of each wager."""
    from rich.table import Table
    from rich.text import Text  # a plain string would be searched for markup and emoji

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
            wager_name(house.game, wager),
            "own" if own else house.letters.get(wager, ""),
            f"{float(share):.4%}",
            f"{float(1 - share):.4%}",
        )
        table.add_row(*map(Text, cells))
    return table


def verdict(examination: ValidationResult) -> list[tuple[str, str]]:
    """The first line as styled pieces."""
    drafted = examination.drafted  # its operator name is marked if it is a proposal
    operator = drafted.operator if drafted else examination.operator
    who = " at ".join(part for part in (game_title(examination), operator) if part)
    if not examination.legal:
        count = len(examination.of("error"))
        errors = counted(count, "error")
        return [("Not legal: ", "bold red"), (errors, "red"), (f"  {who}" if who else "", "")]
    pieces = [("Legal: ", "bold green"), (who, "")]
    missing = len(examination.of("outstanding"))
    if missing:
        approvals = counted(missing, "approval")
        pieces.append((f"; not ready to open: {approvals} outstanding", "yellow"))
    else:
        pieces.append(("; ready to open", "green"))
    return pieces


def game_title(examination: ValidationResult) -> str:
    """The game's title, or its key if the submission gives no House."""
    return examination.drafted.game.title if examination.drafted else examination.game


def issue_pieces(issue: Issue, style: str) -> list[tuple[str, str]]:
    return list(zip(issue.parts, (style, "", "dim"), strict=True))
