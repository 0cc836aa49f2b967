"""Pages for patrons: their own sentences, the cards that decide each wager, no clause text."""

from __future__ import annotations

import html
import re
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from croupier import submission
from croupier.analysis import LineCost, StrategyCost
from croupier.documents import patron_sentences, rack_card
from croupier.documents.felt import felt, inscriptions, sign
from croupier.documents.filing import guide
from croupier.documents.imprint import imprint
from croupier.games import House, find
from croupier.rulebook import PatronText, clauses, package_folder, patron_text, readings
from croupier.server.api.page_endpoints import render
from tests.support.rounds import EVERY_GAME, JACKPOT, RUN, THB, TOP, UTH, house

RUN_OF_WORDS = 8
every_game = pytest.mark.parametrize("game", EVERY_GAME)


def plain(text: str) -> str:
    """Words in lower case with single spaces."""
    return " ".join(re.findall(r"[\w$%'-]+", text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")))


def runs_of_words(text: str) -> set[str]:
    """Every run of eight words of a text."""
    words = plain(text.lower()).split()
    return {" ".join(words[at : at + RUN_OF_WORDS]) for at in range(len(words) - RUN_OF_WORDS + 1)}


def card_text(of: House) -> str:
    """The text of a rack card."""
    return card(of).text()


def card(of: House) -> rack_card.RackCard:
    """A rack card with any strategy."""
    lines = tuple(
        LineCost(
            street=street.name,
            rule="otherwise",
            action=street.options[-1].word,
            words="",
            used=Fraction(1),
            cost=Fraction(0),
            wrong=Fraction(0),
        )
        for street in of.game.streets
    )
    zero = dict.fromkeys(("ev", "best_ev", "cost"), Fraction(0))
    priced = StrategyCost(game=of.game.key, digest="", setting="", lines=lines, mistakes=(), **zero)
    return rack_card.card(of, priced)


def guide_text(of: House) -> str:
    """The text of all blocks of a gaming guide."""
    return " ".join(strings(msgspec.to_builtins(guide(of).blocks)))


def strings(value: Any) -> Iterator[str]:
    """The texts in nested data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings(inner)


def drawn_text(of: House) -> str:
    """The texts of a felt and of the sign that it needs."""
    drawn = felt(of)
    posted = sign(of, drawn)
    return " ".join(text.text for text in (*drawn.texts, *(posted.texts if posted else ())))


def web_text(of: House) -> str:
    """The gaming guide as the server shows it, without its tags."""
    page = render("guide.html", guide=guide(of), table="harbor-1", imprint=imprint()).body
    article = bytes(page).decode().partition("<article")[2].partition("</article>")[0]
    return html.unescape(re.sub(r"<[^>]+>", " ", article))


def patron_pages(of: House) -> dict[str, str]:
    """All pages that patrons see, as text."""
    return {
        "guide": guide_text(of),
        "web guide": web_text(of),
        "card": card_text(of),
        "felt and sign": drawn_text(of),
    }


def written_sentences(game: str) -> str:
    """Every patron sentence of a game, whatever House it is for."""
    own = package_folder(f"croupier.games.{game}") / "patron.toml"
    shared = package_folder("croupier") / "rulebook" / "data" / "patron.toml"
    return " | ".join(
        text for path in (own, shared) for text in strings(tomllib.loads(path.read_text("utf-8")))
    )


@every_game
def test_no_clause_text_on_a_patron_page(game: str) -> None:
    """No clause summary or reading, no run of eight of its words, no clause id."""
    of = submission.example(game)
    notes = [clause.summary for clause in clauses(game)]
    for reading in readings(game).values():
        notes += [reading.title, reading.question, reading.why, *reading.readings.values()]
    forbidden = set().union(*map(runs_of_words, notes))
    for notice in inscriptions.notices(of):  # in a sentence, with its articles
        forbidden -= runs_of_words(patron_sentences.as_clause(of, notice.words))
    for page, text in {**patron_pages(of), "sentences": written_sentences(game)}.items():
        assert set() == forbidden & runs_of_words(text), page
        for summary in notes:
            assert len(summary.split()) < 6 or plain(summary) not in plain(text), (page, summary)
        without_digest = text.replace(of.digest, "").replace(of.digest[:16], "")
        assert [] == re.findall(r"\b\d+\.[A-Z]\b|\bA\d{1,3}\b|COMAR", without_digest), page


@every_game
@pytest.mark.parametrize("odds_display", ["felt", "sign"])
def test_the_basis_of_every_offered_wager_is_on_its_pages(game: str, odds_display: str) -> None:
    """Guide, web guide, card, and felt or sign say which cards decide each wager."""
    of = house(game, odds_display=odds_display)
    described = patron_sentences.wager_descriptions(of)
    names = {wager.name for wager in described}
    assert of.offered <= names
    assert (of.envy_paytable() is not None) == ("envy" in names)
    drawn = felt(of)
    posted = sign(of, drawn)
    inscribed = {
        text.text
        for text in (*drawn.texts, *(posted.texts if posted else ()))
        if text.kind == "heading"
    }
    pages = {name: plain(text) for name, text in patron_pages(of).items()}
    for wager in described:
        assert wager.decided_by, wager.title
        for page in ("guide", "web guide", "card"):
            assert plain(wager.title) in pages[page], page
            assert plain(wager.decided_by) in pages[page], (page, wager.title)
    for block in inscriptions.odds(of):
        assert block.heading in inscribed
        assert plain(block.basis) in pages["felt and sign"], block.heading


def test_the_sign_says_it_where_the_felt_has_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """The odds stay on the felt; the sign has one line for each of them."""
    of = house(UTH)
    whole = felt(of)
    assert whole.carries_bases
    assert sign(of, whole) is None
    posted = sign(of, msgspec.structs.replace(whole, carries_bases=False))
    assert posted is not None
    text = plain(posted.description)
    for block in inscriptions.odds(of):
        assert plain(block.sentence) in text


CHOICES = [
    (THB, "ante_return_threshold", ("straight", "flush")),
    (TOP, "tie_break_extra_cards", (True, False)),
    (TOP, "peek_all_boxes", (True, False)),
    (UTH, "bad_beat_scope", ("either_hand", "player_hand")),
    (UTH, "bad_beat_after_fold", (True, False)),
    (UTH, "progressive_after_fold", (True, False)),
    (UTH, "progressive_basis", ("own_two_plus_flop", "best_five_of_seven")),
    (UTH, "progressive_stake", (1, 5)),
    (UTH, "envy_holder_must_wager", (True, False)),
    (UTH, "envy_on_folded_hand", (True, False)),
    (UTH, "meter_rounding", ("up_to_cent", "down_to_cent")),
    (UTH, "payout_limit", (100_000, 200_000)),
    (UTH, "void_returns_folded", (True, False)),
    (UTH, "chip_rounding", ("exact", "require_even_ante")),
    (JACKPOT, "progressive_basis", ("own_two_plus_first_three", "best_five_of_seven")),
    (RUN, "ace_low_straight", (True, False)),
    (RUN, "ante_rule", ("own_run", "better_run")),
    (RUN, "center_rule", ("higher_run_table", "even_money")),
    (RUN, "run_bet_steps", ("whole_multiples", "any_amount")),
    (RUN, "progressive_basis", ("first_run", "higher_run", "best_five_of_seven")),
]


@pytest.mark.parametrize(("game", "field", "values"), CHOICES)
def test_every_choice_that_concerns_players_is_in_the_guide(
    game: str, field: str, values: tuple[Any, ...]
) -> None:
    """A different value gives different sentences."""
    common: dict[str, Any] = {"accept_player_edge": True}
    if field == "peek_all_boxes":
        common["table"] = {"max_adjacent_boxes": 2}
    texts = {guide_text(house(game, **common, **{field: value})) for value in values}
    assert len(values) == len(texts)


@every_game
def test_sentences_use_terms_that_exist(game: str) -> None:
    """A misspelled term would hide its sentence, a misspelled wager too."""
    of = submission.example(game)
    own = tomllib.loads(
        (package_folder(f"croupier.games.{game}") / "patron.toml").read_text("utf-8")
    )
    terms = patron_sentences.terms_of(of)
    wagers = {wager.name for wager in find(game).wagers} | {"envy"}
    assert set(own["wagers"]) | set(own["decided_by"]) <= wagers
    written = patron_text(of.game.document)
    for sentence in every_sentence(written):
        if sentence["text"] in set(strings(own)):
            assert set(sentence["when"]) <= set(terms), sentence["text"]


def every_sentence(written: PatronText) -> Iterator[dict[str, Any]]:
    """The sentences of all wagers and topics."""
    for topic in msgspec.to_builtins(written).values():
        for sentences in topic.values() if isinstance(topic, dict) else [topic]:
            yield from sentences


@every_game
def test_a_game_without_sentences_still_has_its_pages(game: str) -> None:
    """Side wagers and folds come from the game itself, the showdown from the notices."""
    of = submission.example(game)
    document = msgspec.structs.replace(of.game.document, patron="none.toml")
    bare = msgspec.structs.replace(of.game, document=document)
    object.__setattr__(copy := _copy(of), "game", bare)
    text = plain(guide_text(copy))
    for wager in of.game.wagers:
        if of.offers(wager.name):
            assert plain(wager.title) in text
            if wager.judged_on is not None:
                assert plain(wager.judged_on(of).words) in text
    for notice in inscriptions.notices(of):
        assert plain(notice.words) in text
    assert card_text(copy)
    assert felt(copy).carries_odds


def _copy(of: House) -> House:
    return of.as_played()


def test_guide_with_odds_of_winning() -> None:
    """Published only where the operator wants it."""
    from croupier.documents.filing.gaming_guide import WinningOdds

    of = submission.example(TOP)
    assert "Odds of winning" not in guide_text(of)
    odds = {"Poker Bonus": WinningOdds(Fraction(1, 8), Fraction(1, 20))}
    text = " ".join(strings(msgspec.to_builtins(guide(of, odds=odds).blocks)))
    assert "Odds of winning" in text
    assert "1 in 8.0 5.00%" in text
