"""`make docs`: regenerates the README tables, field reference, schemas, rules pages and pictures.

The edges come from `croupier.analysis`, the fields from the submission forms, the pictures from a
seeded round and from the example submissions.
"""

from __future__ import annotations

import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
from pypdfium2 import PdfDocument

from croupier import analysis, software_identity
from croupier.analysis import STANDARD_STAKE, analyze_side_wager, standard_house, with_settings
from croupier.documents import filing, imprint
from croupier.documents.charts import plots
from croupier.documents.felt import felt, sign
from croupier.games import CATALOGUE
from croupier.games.expected_returns import load_main_values, side_wagers
from croupier.games.forms.common_fields import MOST_POSITIONS
from croupier.money import dollars
from croupier.rulebook import letters
from croupier.submission import example
from croupier.table.core import codec
from croupier.table.scenario.scenario import AnyIrregularity, ScenarioFile, SeatPlan
from docs import field_reference, reference_pages, rules_pages, terminal_picture

ROOT = Path(__file__).parents[1]
BEGIN, END = "<!-- edges -->", "<!-- /edges -->"
MOST_OFFERED = Fraction(10, 100)  # no operator offers a main game with a larger edge
SIGN_EXAMPLE = "run_em_twice"
PACKET_EXAMPLE = "ultimate_texas_holdem"


def percent(edge: Fraction) -> str:
    """Format a house edge with four decimals."""
    return f"{float(edge):.4%}"


def main_rows() -> list[str]:
    """One row for each setting that changes a main game."""
    return [
        f"| {game.title} | `{setting.replace(',', ', ')}` | {ev} | {percent(-Fraction(ev))} |"
        for game in CATALOGUE
        for setting, ev in load_main_values(game).items()
    ]


def offered_rows() -> list[str]:
    """The settings that an operator would offer: an edge for the house, but not a large one."""
    rows = []
    for game in CATALOGUE:
        edges = {setting: -Fraction(ev) for setting, ev in load_main_values(game).items()}
        offered = {setting: edge for setting, edge in edges.items() if 0 < edge < MOST_OFFERED}
        for edge in sorted(set(offered.values())):
            setting = next(setting for setting in offered if offered[setting] == edge)
            ev = load_main_values(game)[setting]
            rows.append(
                f"| {game.title} | `{setting.replace(',', ' ')}` | {ev} | {percent(edge)} |"
            )
    return rows


def side_rows() -> list[str]:
    """One row for each side wager, with the edge of every paytable."""
    rows = []
    for game in CATALOGUE:
        base = standard_house(game.key)
        for name in side_wagers(base):
            edges = []
            for letter in letters(game.key, name):
                house = with_settings(base, {name: letter})
                edge = percent(-analyze_side_wager(house, name).ev)
                edges.append(edge if letter == "fixed" else f"{letter} {edge}")
            wager = game.wager(name)
            assert wager is not None
            rows.append(f"| {game.title} | {wager.title} | {', '.join(edges)} |")
    return rows


def edges_page() -> str:
    """`docs/edges.md`: the exact edge of every reading and paytable."""
    return "\n".join(
        [
            "# Exact house edges",
            "",
            "Per unit of one ante, one player against the house with perfect play. Every figure is "
            "an exact fraction calculated by `croupier analyze`. A negative edge means that this "
            "reading of the rules favors the player; `croupier check` refuses it unless the "
            "operator accepts it.",
            "",
            "| game | setting | expected value | house edge |",
            "| --- | --- | --- | ---: |",
            *main_rows(),
            "",
            "## Side wagers",
            "",
            "Per unit staked, by paytable. Progressives are valued at a stake of "
            f"{dollars(STANDARD_STAKE)} with meters at their minimum reset amounts, without envy "
            "bonuses, on the cards chosen in the example submissions. The higher the stake, the "
            "less a meter of a fixed amount is worth.",
            "",
            "| game | wager | house edge |",
            "| --- | --- | --- |",
            *side_rows(),
            "",
        ]
    )


def update_readme(page: str) -> str:
    """The README with its generated table."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    table = ["| game | setting | expected value | house edge |", "| --- | --- | --- | ---: |"]
    table += offered_rows()
    return "\n".join([f"{before}{BEGIN}", *table, f"{END}{after}"])


def schemas() -> dict[str, str]:
    """Return the JSON Schemas of commands, events, envelopes and scenarios, by file name."""
    return {
        name: json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in {
            **codec.schemas(),
            "scenario.schema.json": scenario_schema(),
        }.items()
    }


def scenario_schema() -> dict[str, Any]:
    """The types of a scenario, and the values that the code checks with the House."""
    (_, irregularity, _), types = msgspec.json.schema_components(
        (ScenarioFile, AnyIrregularity, SeatPlan), ref_template="#/$defs/{name}"
    )
    streets = list(dict.fromkeys(street.name for game in CATALOGUE for street in game.streets))
    values: dict[str, Any] = {
        "game": {"enum": [game.key for game in CATALOGUE]},
        "submission": {"description": "A Rules Submission, or its path relative to the scenario."},
        "deck": {
            "description": "52 cards, top of the deck first.",
            "minItems": 52,
            "maxItems": 52,
            "uniqueItems": True,
        },
        "card": {"type": "string", "pattern": "^[2-9TJQKA][cdhs]$"},
        "stake": {"minimum": 0},
        "meter": {
            "description": "Cents before the round.",
            "anyOf": [
                {"type": "integer", "minimum": 0},
                {"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?$"},
            ],
        },
        "decision": {"pattern": "^(fold|check|[1-4]x|[0-9]+c)$"},
        "seats": {"minProperties": 1, "propertyNames": {"pattern": f"^[1-{MOST_POSITIONS}]$"}},
        "seat": {"minimum": 1, "maximum": MOST_POSITIONS},
        "place": {"pattern": f"^(seat [1-{MOST_POSITIONS}]|dealer|community)$"},
        "street": {"enum": streets},
        "deal_or_street": {"enum": ["deal", *streets]},
        "irregularity": irregularity,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://croupier.example/schemas/scenario.schema.json",
        **types.pop("ScenarioFile"),
        "title": "Scenario",
        "$defs": values | types,
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
    documents = filing.documents(house, filing.analyze_for_filing(house))
    images = {}
    for name, part, words in (("rules", "1-", "Wagers"), ("best_play", "4-", "Optimal strategy")):
        document = next(item for item in documents if item.name.startswith(part))
        texts = [page.get_textpage().get_text_range() for page in PdfDocument(document.pdf())]
        page = next(number for number, text in enumerate(texts) if words in text)
        images[f"packet_{name}.png"] = document.png_pages()[page]
    return images


def main() -> None:
    """Write every generated file, as if made at one time from one commit."""
    os.environ |= {imprint.EPOCH: "1925000000", software_identity.COMMIT: "0" * 12}
    for name, content in photographs().items():
        (ROOT / "docs" / "pictures" / name).write_bytes(content)
    for name, text in pictures().items():
        (ROOT / "docs" / "pictures" / name).write_text(text, "utf-8")
    for name, text in schemas().items():
        (ROOT / "docs" / "schemas" / name).write_text(text, "utf-8")
    (ROOT / "docs" / "rules").mkdir(exist_ok=True)
    for name, text in rules_pages.pages().items():
        (ROOT / "docs" / "rules" / name).write_text(text, "utf-8")
    for name, text in reference_pages.pages().items():
        (ROOT / "docs" / name).write_text(text, "utf-8")
    path = ROOT / "README.md"
    path.write_text(update_readme(path.read_text("utf-8")), "utf-8")
    (ROOT / "docs" / "edges.md").write_text(edges_page(), "utf-8")
    field_reference.main(ROOT / "docs")
    house = example(PACKET_EXAMPLE)
    plots.plot(analysis.analyze(house), ROOT / "docs" / "pictures" / f"plot_{PACKET_EXAMPLE}.svg")
    (ROOT / "docs" / "play.svg").write_text(terminal_picture.svg(house), "utf-8")


if __name__ == "__main__":
    main()
