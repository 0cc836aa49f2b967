"""`make docs`: regenerates the README tables, field reference, schemas, rules pages and pictures.

The edges come from `croupier.analysis`, the fields from the submission forms, the pictures from a
seeded round and from the example submissions.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

from pypdfium2 import PdfDocument

from croupier import analysis
from croupier.analysis import STANDARD_STAKE, analyze_side_wager, standard_house, with_settings
from croupier.documents import filing
from croupier.documents.charts import plots
from croupier.documents.felt import felt, sign
from croupier.games import CATALOGUE
from croupier.games.expected_returns import main_values, side_wagers
from croupier.money import dollars
from croupier.rulebook import letters
from croupier.submission import example
from croupier.table.core import codec
from croupier.terminal import picture
from docs import field_reference, rules_pages

ROOT = Path(__file__).parents[1]
BEGIN, END = "<!-- edges -->", "<!-- /edges -->"
SIGN_EXAMPLE = "run_em_twice"
PACKET_EXAMPLE = "ultimate_texas_holdem"


def percent(edge: Fraction) -> str:
    """Format a house edge with four decimals."""
    return f"{float(edge):.4%}".replace("%", " %")


def main_rows() -> list[str]:
    """One row for each setting that changes the edge of a main game."""
    rows = []
    for game in CATALOGUE:
        for setting, ev in main_values(game).items():
            value = Fraction(ev)
            choices = setting.replace(",", ", ")
            rows.append(f"| {game.title} | `{choices}` | {ev} | {percent(-value)} |")
    return rows


def side_rows() -> list[str]:
    """One row for each side wager, with the edge of every paytable."""
    rows = []
    for game in CATALOGUE:
        base = standard_house(game.key)
        for wager in side_wagers(base):
            edges = []
            for letter in letters(game.key, wager):
                house = with_settings(base, {wager: letter})
                edge = percent(-analyze_side_wager(house, wager).ev)
                edges.append(edge if letter == "fixed" else f"{letter} {edge}")
            declared = game.wager(wager)
            assert declared is not None
            rows.append(f"| {game.title} | {declared.title} | {', '.join(edges)} |")
    return rows


def edge_tables() -> str:
    """Return the tables of exact edges."""
    return "\n".join(
        [
            "Per unit of one ante, one player against the house with perfect play. Every figure is "
            "an exact fraction computed by `croupier analyze`. A negative edge favors the player; "
            "`croupier check` refuses such a submission.",
            "",
            "| game | setting | expected value | house edge |",
            "| --- | --- | --- | ---: |",
            *main_rows(),
            "",
            "Side wagers, per unit of their stake, by paytable. Progressives have a stake of "
            f"{dollars(STANDARD_STAKE)}, the minimum reset amounts, no envy bonus, and the basis "
            "of the examples. A higher stake lowers the value of a meter with a fixed amount:",
            "",
            "| game | wager | house edge |",
            "| --- | --- | --- |",
            *side_rows(),
        ]
    )


def update_readme(page: str) -> str:
    """Return the README with its tables regenerated."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{edge_tables()}\n\n{END}{after}"


def wire_schemas() -> dict[str, str]:
    """Return the JSON Schemas of commands, events and envelopes, by file name."""
    return {
        name: json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in codec.schemas().items()
    }


def pictures() -> dict[str, str]:
    """Return the felt of every example and one sign, by file name."""
    felts = {f"felt_{game.key}.svg": felt(example(game.key)).svg() for game in CATALOGUE}
    house = example(SIGN_EXAMPLE)
    posted = sign(house, felt(house), everything=True)
    assert posted is not None
    return felts | {f"sign_{SIGN_EXAMPLE}.svg": posted.svg()}


def photographs() -> dict[str, bytes]:
    """Return pages of a filing as PNG, by file name; tests do not compare their pixels."""
    house = example(PACKET_EXAMPLE)
    documents = filing.documents(house, filing.studied(house))
    images = {}
    for name, part, words in (("rules", "1-", "Wagers"), ("best_play", "4-", "Best play")):
        document = next(item for item in documents if item.name.startswith(part))
        texts = [page.get_textpage().get_text_range() for page in PdfDocument(document.pdf())]
        page = next(number for number, text in enumerate(texts) if words in text)
        images[f"packet_{name}.png"] = document.photographs()[page]
    return images


def main() -> None:
    """Write every generated file."""
    for name, content in photographs().items():
        (ROOT / "docs" / "pictures" / name).write_bytes(content)
    for name, text in pictures().items():
        (ROOT / "docs" / "pictures" / name).write_text(text, "utf-8")
    for name, text in wire_schemas().items():
        (ROOT / "docs" / "schemas" / name).write_text(text, "utf-8")
    (ROOT / "docs" / "rules").mkdir(exist_ok=True)
    for name, text in rules_pages.pages().items():
        (ROOT / "docs" / "rules" / name).write_text(text, "utf-8")
    path = ROOT / "README.md"
    path.write_text(update_readme(path.read_text("utf-8")), "utf-8")
    field_reference.main(ROOT / "docs")
    house = example(PACKET_EXAMPLE)
    plots.plot(analysis.analyze(house), ROOT / "docs" / "pictures" / f"plot_{PACKET_EXAMPLE}.svg")
    (ROOT / "docs" / "play.svg").write_text(picture.svg(house), "utf-8")


if __name__ == "__main__":
    main()
