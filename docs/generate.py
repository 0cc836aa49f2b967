"""`make docs`: write the generated parts of the documentation anew.

A fact is written once: the edges in the README come from `croupier.analysis`, the fields of a
submission from its forms, the pictures from a seeded round and from our example submissions.
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
from croupier.games.expected_returns import kept_mains, side_wagers
from croupier.money import dollars
from croupier.rulebook import letters
from croupier.submission import example, pages
from croupier.table.core import codec
from croupier.terminal import picture
from docs import rules_pages

ROOT = Path(__file__).parents[1]
BEGIN, END = "<!-- edges -->", "<!-- /edges -->"


def percent(edge: Fraction) -> str:
    """A house edge with four decimals."""
    return f"{float(edge):.4%}".replace("%", " %")


def main_rows() -> list[str]:
    """One row for each setting that changes a main game."""
    rows = []
    for game in CATALOGUE:
        for setting, ev in kept_mains()[game.key].items():
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
            found = []
            for letter in letters(game.key, wager):
                house = with_settings(base, {wager: letter})
                edge = percent(-analyze_side_wager(house, wager).ev)
                found.append(edge if letter == "fixed" else f"{letter} {edge}")
            known = game.wager(wager)
            assert known is not None
            rows.append(f"| {game.title} | {known.title} | {', '.join(found)} |")
    return rows


def edges() -> str:
    """The tables of exact edges."""
    return "\n".join(
        [
            "Per unit of one ante, one player against the house with perfect play; every figure is "
            "an exact fraction, worked out by `croupier analyze`. A minus sign before the edge "
            "means that the reading gives the player an edge, and `croupier check` refuses it.",
            "",
            "| game | setting | expected value | house edge |",
            "| --- | --- | --- | ---: |",
            *main_rows(),
            "",
            "Side wagers, of their own stake, by paytable; progressives at a stake of "
            f"{dollars(STANDARD_STAKE)} and the least reset amounts, without envy, on the cards "
            "that our examples choose. The higher the stake, the less a meter of a fixed amount "
            "is worth:",
            "",
            "| game | wager | house edge |",
            "| --- | --- | --- |",
            *side_rows(),
        ]
    )


def readme(page: str) -> str:
    """The README with its tables written anew."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{edges()}\n\n{END}{after}"


def wire_schemas() -> dict[str, str]:
    """The JSON Schemas of commands, events and envelopes, by file name."""
    return {
        name: json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in codec.schemas().items()
    }


def pictures() -> dict[str, str]:
    """The felt of every example and one sign, by file name."""
    found = {f"felt_{game.key}.svg": felt(example(game.key)).svg() for game in CATALOGUE}
    house = example("run_em_twice")
    posted = sign(house, felt(house), everything=True)
    assert posted is not None
    return found | {"sign_run_em_twice.svg": posted.svg()}


def photographs() -> dict[str, bytes]:
    """Pages of a packet for the screen, by file name; the renderer's own pixels, never compared."""
    house = example("ultimate_texas_holdem")
    made = filing.documents(house, filing.analyze_for_filing(house))
    found = {}
    for name, part, words in (("rules", "1-", "Wagers"), ("best_play", "4-", "Best play")):
        document = next(each for each in made if each.name.startswith(part))
        texts = [page.get_textpage().get_text_range() for page in PdfDocument(document.pdf())]
        page = next(number for number, text in enumerate(texts) if words in text)
        found[f"packet_{name}.png"] = document.png_pages()[page]
    return found


def main() -> None:
    """Write everything that is generated."""
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
    path.write_text(readme(path.read_text("utf-8")), "utf-8")
    pages.main(ROOT / "docs")
    house = example("ultimate_texas_holdem")
    plots.plot(
        analysis.analyze(house), ROOT / "docs" / "pictures" / "plot_ultimate_texas_holdem.svg"
    )
    (ROOT / "docs" / "play.svg").write_text(picture.svg(house), "utf-8")


if __name__ == "__main__":
    main()
