"""The clauses are complete, well formed, and found by id and by prefix."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from croupier.errors import UnknownClause, UnknownGame
from croupier.games import catalogue
from croupier.rulebook import Clause, clause, clauses, clauses_under

CENSUS = """
kind          jackpot_holdem  run_em_twice  texas_holdem_bonus  top_five  ultimate_texas_holdem
conduct                    6             8                   6         8                      6
decision                   7             6                   8         4                      7
definition                 7             8                  12         9                      8
equipment                 21            21                  21        21                     21
irregularity              27            18                  23        16                     27
layout                    13            14                  11         9                     14
limit                      3             3                   4         0                      3
payout                    15            59                  17        33                    156
procedure                 61            65                  65        57                     66
progressive               81            70                   0         0                     80
ranking                   18            14                  18        11                     27
settlement                10            13                   8        22                     13
submission                15             4                   1         3                     12
wager                     11             8                   8         7                     17
total                    295           311                 202       200                    457
"""
PROOFS = {"engine": 879, "table": 274, "record": 155, "submission": 108, "layout": 49}
ID = re.compile(r"([1-9]|1[0-3])(\.[A-L](#2)?)(\.[0-9]{1,2})?(\.[a-z](#2)?)?(\.[ivx]+)?(\.[1-9])?")

GAMES = tuple(sorted(game.key for game in catalogue()))
every_game = pytest.mark.parametrize("game", GAMES)


def all_clauses() -> list[Clause]:
    return [clause for game in GAMES for clause in clauses(game)]


def test_census() -> None:
    """Each document has exactly the clauses counted by hand, by kind."""
    header, *rows = (line.split() for line in CENSUS.strip().splitlines())
    counts = {game: Counter(each.kind for each in clauses(game)) for game in GAMES}
    expected = {kind: dict(zip(header[1:], map(int, numbers))) for kind, *numbers in rows}
    actual: dict[str, dict[str, int]] = {
        kind: {game: counts[game][kind] for game in header[1:]}  # type: ignore[index]
        for kind, *_ in rows[:-1]
    }
    actual["total"] = {game: len(clauses(game)) for game in header[1:]}

    assert expected == actual
    assert tuple(header[1:]) == GAMES


def test_proofs_census() -> None:
    """Over all documents, the ways of proof add up to 1,465 clauses."""
    assert Counter(each.proof for each in all_clauses()) == PROOFS
    assert len(all_clauses()) == 1465


@every_game
def test_ids_are_unique_and_well_formed(game: str) -> None:
    """Ids are unique and consist of a chapter, a section and levels below it."""
    ids = [each.id for each in clauses(game)]

    assert [id for id, count in Counter(ids).items() if count > 1] == []
    assert [id for id in ids if not ID.fullmatch(id)] == []


@every_game
def test_document_order(game: str) -> None:
    """Chapters run from 1 to 13 in order."""
    chapters = [int(each.id.split(".")[0]) for each in clauses(game)]

    assert chapters == sorted(chapters)
    assert set(chapters) == set(range(1, 14))


@every_game
def test_summaries_are_sentences(game: str) -> None:
    """Every summary is one sentence of at most 200 characters, without extra white space."""
    for each in clauses(game):
        assert 40 <= len(each.summary) <= 200, each
        assert each.summary[0].isupper() or each.summary[0].isdigit(), each
        assert each.summary.endswith("."), each
        assert ". " not in each.summary, each
        assert each.summary == " ".join(each.summary.split()), each


@every_game
def test_paytable_lines_do_not_contradict(game: str) -> None:
    """No two payout or meter lines of a game cover the same wager, paytable and hand."""
    lines = [each for each in clauses(game) if ": " in each.summary and is_money(each)]
    subjects = Counter(
        re.split(r" (?:pays|pushes|may not|has a)\b", each.summary)[0] for each in lines
    )

    assert [subject for subject, count in subjects.items() if count > 1] == []
    assert lines


def is_money(each: Clause) -> bool:
    return each.kind in {"payout", "progressive"} and each.id.startswith("12.")


@pytest.mark.parametrize(
    ("citation", "part"),
    [
        ("ultimate_texas_holdem 12.C.3.e", "a flush pays the player 7 to 1"),
        ("ultimate_texas_holdem 12.B.1.e", "pays 3 to 2"),
        ("ultimate_texas_holdem 12.D.1.a.vii", "pays 9 to 1"),
        ("ultimate_texas_holdem 12.D.1.b.vii", "pays 9 for 1"),
        ("ultimate_texas_holdem 12.E.1.a", "$1,000,000"),
        ("ultimate_texas_holdem 12.F#2.1.b", "pays 10,000 to 1"),
        ("ultimate_texas_holdem 11.B.1", "three or four times"),
        ("jackpot_holdem 12.D.3.b", "the whole Star meter"),
        ("jackpot_holdem 12.E.4.e", "below $10,000"),
        ("run_em_twice 12.F.6.b.ii", "below $2,000"),
        ("run_em_twice 12.B.10", "pushes"),
        ("texas_holdem_bonus 11.B.2", "twice the Ante"),
        ("texas_holdem_bonus 12.B.2.a", "pays 1,000 to 1"),
        ("top_five 12.B#2.2.b", "pays 150 to 1"),
    ],
)
def test_known_values(citation: str, part: str) -> None:
    """Clauses state the figures of the documents."""
    assert part in clause(*citation.split(" ")).summary


def test_clause_by_id() -> None:
    """A clause is found by its exact id and prints as its citation."""
    result = clause("ultimate_texas_holdem", "11.H.3.c")

    assert (result.kind, result.proof) == ("settlement", "engine")
    assert str(result) == "ultimate_texas_holdem 11.H.3.c"


def test_headings_and_misspellings_are_refused() -> None:
    """An id that is not a clause is an error, which lists the closest ids."""
    with pytest.raises(UnknownClause, match=r"11\.H\.3\.z.*11\.H\.3\.a"):
        clause("ultimate_texas_holdem", "11.H.3.z")
    with pytest.raises(UnknownClause):
        clause("ultimate_texas_holdem", "11.H")  # a heading
    with pytest.raises(UnknownClause):
        clauses_under("top_five", "14")
    with pytest.raises(UnknownGame, match="top_five"):
        clauses("pai_gow")


def ids_under(game: str, prefix: str) -> list[str]:
    return [each.id for each in clauses_under(game, prefix)]


def test_under_a_heading() -> None:
    """A heading gives all clauses below it, at every depth and in order."""
    expected = ["11.H.1", "11.H.2", "11.H.2.a", "11.H.2.b", "11.H.2.c", "11.H.2.d"]
    expected += ["11.H.3.a", "11.H.3.b", "11.H.3.c", "11.H.3.d"]

    assert expected == ids_under("ultimate_texas_holdem", "11.H")


def test_under_a_clause_includes_it() -> None:
    """A clause comes first, before those below it."""
    assert ids_under("jackpot_holdem", "13.I") == ["13.I", "13.I.1", "13.I.2", "13.I.3"]
    assert ids_under("run_em_twice", "13.G") == ["13.G"]


def test_under_compares_whole_steps() -> None:
    """A prefix does not match a longer number or the second section of the same letter."""
    first, second = (ids_under("ultimate_texas_holdem", id) for id in ("12.E", "12.E#2"))

    assert first[0] == "12.E"
    assert second[0] == "12.E#2"
    assert not set(first) & set(second)
    assert ids_under("jackpot_holdem", "12.E.1") == ["12.E.1"]  # and not 12.E.10
    assert ids_under("ultimate_texas_holdem", "12.G.1.g") == ["12.G.1.g"]
    assert all(id.startswith("1.") for id in ids_under("top_five", "1"))


@every_game
def test_chapters_cover_the_document(game: str) -> None:
    """The thirteen chapters together are the document."""
    chapters = [each for chapter in range(1, 14) for each in clauses_under(game, str(chapter))]

    assert list(clauses(game)) == chapters


def test_loaded_once() -> None:
    """A document is read once and shared; clauses are immutable."""
    assert clauses("top_five") is clauses("top_five")
    with pytest.raises(AttributeError):
        clauses("top_five")[0].summary = ""  # type: ignore[misc]
