"""The readings cite existing clauses, contain their default, and are found by clause."""

from __future__ import annotations

import pytest

from croupier.errors import UnknownClause, UnknownReading
from croupier.games import catalogue
from croupier.rulebook import Reading, clause, reading, readings, readings_of

every_reading = pytest.mark.parametrize("each", readings().values(), ids=lambda each: each.id)

# The readings that an operator must decide before a table may open.
WITHOUT_DEFAULT = {"A1": "progressive_basis", "A2": "progressive_basis", "A3": "progressive_basis"}
DEFAULT_IS_NOT_THE_FIRST = {"A5", "A8"}
VERY_EXPENSIVE = "A1 A2 A3 A15 A20 A29 A30 A31 A44 A47 A57 A64 A70"
FIELDS = """
ace_low_straight ante_rule bad_beat_after_fold bad_beat_scope bonus_paytable center_rule
chip_rounding cross_order cut_min_bottom dealer_stack_order deck_change_hours electronic_version
envy_holder_must_wager envy_on_folded_hand envy_schedule idle_minutes internal_controls_ref
limit_covers_side_wagers max max_adjacent_boxes meter_rounding min offers_player_bonus
partial_award_floor payout_limit peek_all_boxes progression_rate progressive_after_fold
progressive_basis progressive_paytable progressive_stake run_bet_steps showdown_order
six_card_deal_position six_card_max six_card_min sixth_area stub_count_every tie_break_extra_cards
void_returns_folded
"""


def test_ids() -> None:
    """The readings are A1 to A156, in that order."""
    numbers = [int(id.removeprefix("A")) for id in readings()]
    assert list(range(1, 157)) == numbers
    assert sorted(set(numbers)) == numbers
    assert all(id == each.id for id, each in readings().items())


@every_reading
def test_clauses_exist(each: Reading) -> None:
    """Every citation is an existing clause of one of the reading's games, cited once."""
    assert each.clauses
    assert len(each.clauses) == len(set(each.clauses))
    for citation in each.clauses:
        game, id = citation.split(" ")
        assert game in each.games
        assert id == clause(game, id).id


@every_reading
def test_default_is_a_reading(each: Reading) -> None:
    """The default is one of the readings, or empty if the operator must choose."""
    if each.id in WITHOUT_DEFAULT:
        assert each.default == ""
        assert each.fields == (WITHOUT_DEFAULT[each.id],)
    else:
        assert each.default in each.readings
        assert (each.default != "a") == (each.id in DEFAULT_IS_NOT_THE_FIRST)


@every_reading
def test_what_no_field_settles_is_a_rule_in_one_sentence(each: Reading) -> None:
    """For each of its games; an answer such as "No" does not state a rule."""
    assert bool(each.rule) == bool(not each.fields and each.default)
    for game in each.games if each.rule else ():
        rule = each.rule_of(game)
        assert rule.endswith(".") and ". " not in rule and "?" not in rule
        assert not rule.startswith(("Yes", "No:", "No,", "The text", "The document"))


@every_reading
def test_readings_are_lettered_and_distinct(each: Reading) -> None:
    """Readings are lettered from a without gaps, and are distinct."""
    assert list("abcd"[: len(each.readings)]) == list(each.readings)
    assert len(set(each.readings.values())) == len(each.readings)


@every_reading
def test_sentences(each: Reading) -> None:
    """A title, a question, and sentences for the answers and the reason."""
    assert each.question.endswith("?")
    assert 10 <= len(each.title) <= 60
    for sentence in (each.why, *each.readings.values()):
        assert sentence.endswith("."), sentence
    for text in (each.title, each.question, each.why, *each.readings.values()):
        assert text == " ".join(text.split())
        assert len(text) <= 200


@every_reading
def test_games_exist(each: Reading) -> None:
    """Every game is known, and none is listed twice."""
    assert set(each.games) <= {game.key for game in catalogue()}
    assert len(each.games) == len(set(each.games))


def test_titles_are_unique() -> None:
    """No two readings share a title."""
    assert len({each.title for each in readings().values()}) == len(readings())


def test_fields() -> None:
    """These are the submission fields that readings name."""
    assert FIELDS.split() == sorted({name for each in readings().values() for name in each.fields})


def test_the_most_expensive() -> None:
    """These readings have the greatest effect on money."""
    expensive = [each.id for each in readings().values() if each.money == "very high"]

    assert VERY_EXPENSIVE.split() == expensive


def test_a_field_or_several() -> None:
    """`fields` is a tuple of none, one or several fields."""
    assert reading("A4").fields == ()
    assert reading("A15").fields == ("bad_beat_scope",)
    assert reading("A20").fields == ("six_card_min", "six_card_max")


def ids_of(game: str, clause_id: str) -> list[str]:
    return [each.id for each in readings_of(game, clause_id)]


def test_readings_of_a_cited_clause() -> None:
    """The readings of a cited clause are in order of id."""
    assert ids_of("ultimate_texas_holdem", "11.H.3.c") == ["A23", "A92"]
    assert ids_of("run_em_twice", "12.C") == ["A60", "A62", "A63", "A66", "A67", "A69"]


def test_readings_of_clauses_above_and_below() -> None:
    """A reading is found from the clauses above and below the cited one."""
    assert "A15" in ids_of("ultimate_texas_holdem", "12.F#2.1.b")  # cites 12.F#2, above it
    assert "A31" in ids_of("run_em_twice", "11.I.3")  # cites 11.I.3.b, below it
    assert "A24" in ids_of("ultimate_texas_holdem", "12")  # a chapter


def test_readings_of_other_clauses_are_left_out() -> None:
    """Other games, sibling clauses and second sections of the same letter do not match."""
    assert "A8" not in ids_of("texas_holdem_bonus", "6.A")
    assert "A15" not in ids_of("ultimate_texas_holdem", "12.F")
    assert ids_of("texas_holdem_bonus", "2.C.2") == []


def test_unknown_names_are_refused() -> None:
    """An unknown reading or clause is an error."""
    with pytest.raises(UnknownReading, match=f"A1 to {list(readings())[-1]}"):
        reading("A999")
    with pytest.raises(UnknownClause):
        readings_of("top_five", "2.D")


def test_the_dictionary_is_a_copy() -> None:
    """Changing the dictionary of readings does not affect other callers."""
    readings().clear()

    assert 156 == len(readings())
