"""The battery: good shuffles pass, bad ones made on purpose fail, known answers come out."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from croupier.analysis.randomness import shuffle_tests, sp800_22
from croupier.documents.console import randomness_renderer as papers
from croupier.errors import BadInput
from croupier.table import Shoe
from croupier.table.drivers.shuffler import Shuffler, shuffle_deck
from tests.support.cli import invoke

DECKS = 6_000
chance = random.Random


def modulo(source: random.Random) -> list[int]:
    """Draws of seven bits taken modulo the bound: low places are favoured (R26)."""
    return list(shuffle_deck(lambda bound: source.getrandbits(7) % bound))


def swaps_with_any(source: random.Random) -> list[int]:
    """Every card is swapped with any of the 52: the best known wrong shuffle."""
    deck = list(range(52))
    for at in range(52):
        other = source.randrange(52)
        deck[at], deck[other] = deck[other], deck[at]
    return deck


def never_stays(source: random.Random) -> list[int]:
    """One off in the bound: no card ever keeps its place, all orders are of one cycle."""
    deck = list(range(52))
    for last in range(51, 0, -1):
        other = source.randrange(last)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def riffles(times: int) -> Callable[[random.Random], list[int]]:
    """So many riffles of a new deck (Gilbert, Shannon and Reeds)."""

    def riffle(source: random.Random) -> list[int]:
        deck = list(range(52))
        for _ in range(times):
            cut = sum(source.getrandbits(1) for _ in range(52))
            left, right = deck[:cut], deck[cut:]
            deck = []
            while left or right:
                from_left = source.randrange(len(left) + len(right)) < len(left)
                deck.append((left if from_left else right).pop(0))
        return deck

    return riffle


def stuck(source: random.Random) -> list[int]:
    """Once in ten decks the ace of spades is left where it was."""
    deck = list(shuffle_deck(source.randrange))
    if source.random() < 0.1:
        deck.remove(51)
        deck.append(51)
    return deck


class FromLast:
    """Only cut and riffled twice from the deck before."""

    def __init__(self) -> None:
        self.deck = list(shuffle_deck(random.Random(1).randrange))

    def __call__(self, source: random.Random) -> list[int]:
        self.deck = [self.deck[card] for card in riffles(2)(source)]
        return self.deck


def few_seeds(source: random.Random) -> list[int]:
    """Twelve bits of seed: only 4,096 decks can ever come (R25)."""
    return list(shuffle_deck(random.Random(source.getrandbits(12)).randrange))


BAD: dict[str, Callable[[random.Random], list[int]]] = {
    "modulo": modulo,
    "swaps with any": swaps_with_any,
    "never stays": never_stays,
    "three riffles": riffles(3),
    "five riffles": riffles(5),
    "stuck": stuck,
    "from the last deck": FromLast(),
    "few seeds": few_seeds,
}


@pytest.mark.parametrize("name", BAD)
def test_bad_shuffles_fail(name: str) -> None:
    """Each for a reason of its own; the report says which."""
    source = chance(3)
    found = shuffle_tests.battery(shuffle_tests.dealt(DECKS, lambda: BAD[name](source)), name)

    assert not found.passed
    assert "FAILED" in papers.verdict(found)
    assert found.repeated if name == "few seeds" else found.failed


@pytest.mark.parametrize("seed", range(3))
def test_good_shuffles_pass(seed: int) -> None:
    """The shuffler of the tables with fixed seeds, and the shoe's."""
    shuffler = Shuffler(seed)
    found = shuffle_tests.battery(shuffle_tests.dealt(DECKS, lambda: shuffler.deck().cards), "good")

    assert found.passed, papers.verdict(found)
    assert {"R24", "R30"} <= {test.law for test in found.tests}
    source = chance(seed)
    shoes = shuffle_tests.dealt(DECKS, lambda: Shoe.shuffled(source.randrange).draw(52))
    assert shuffle_tests.battery(shoes, "shoe").passed


def test_chances_are_even_under_a_good_shuffle() -> None:
    """Of ten lots about half of all chances are below one half, and none is beyond belief."""
    rng = np.random.default_rng(5)
    fresh = np.tile(np.arange(52, dtype=np.uint8), (2_000, 1))
    chances = [
        test.chance
        for _ in range(10)
        for test in shuffle_tests.deck_tests(rng.permuted(fresh, axis=1))
    ]

    assert 0.4 < sum(chance < 0.5 for chance in chances) / len(chances) < 0.6
    assert min(chances) > 1e-5


def test_a_deck_that_lacks_a_card_fails() -> None:
    """R27: all 52 cards, every time."""
    decks = np.tile(np.arange(52, dtype=np.uint8), (2_000, 1))
    decks[7, 3] = 4
    found = shuffle_tests.battery(decks, "short")

    assert not found.complete and not found.passed
    with pytest.raises(BadInput, match="at least"):
        shuffle_tests.dealt(10, lambda: range(52))


def bit_text(text: str) -> sp800_22.Bits:
    """Bits as SP 800-22 writes them."""
    return np.array([int(bit) for bit in text], np.uint8)


def test_known_answers_of_the_bit_tests() -> None:
    """The worked examples of NIST SP 800-22 rev. 1a, sections 2.1 to 2.13."""
    assert sp800_22.frequency(bit_text("1011010101"))[1] == pytest.approx(0.527089, abs=1e-6)
    assert sp800_22.block_frequency(bit_text("0110011010"), 3)[1] == pytest.approx(
        0.801252, abs=1e-6
    )
    assert sp800_22.runs(bit_text("1001101011"))[1] == pytest.approx(0.147232, abs=1e-6)
    first, second = sp800_22.serial(bit_text("0011011101"), 3)
    assert (first[1], second[1]) == pytest.approx((0.808792, 0.670320), abs=1e-6)
    entropy = sp800_22.approximate_entropy(bit_text("0100110101"), 3)
    assert entropy[1] == pytest.approx(0.261961, abs=1e-6)
    assert sp800_22.cumulative_sums(bit_text("1011010111"))[1] == pytest.approx(0.4116588, abs=1e-6)


def test_bits_that_repeat_are_noticed() -> None:
    """A period that no count of ones shows."""
    even = np.tile(bit_text("0110" * 4 + "1001" * 4), sp800_22.BITS // 32)
    chances = {name: chance for name, _, _, _, chance in sp800_22.bit_tests(even)}

    assert chances["bits: frequency"] > 0.5
    assert 0.0 == pytest.approx(chances["bits: serial"])
    assert {"R31"} == {law for _, law, _, _, _ in sp800_22.bit_tests(even)}


def test_the_command(tmp_path: Path) -> None:
    """Status 0, JSON, a PDF, and raw draws whose digest the report names."""
    import hashlib

    page, raw = tmp_path / "report.pdf", tmp_path / "decks.bin"
    words = ["randomness", "--decks", "2000", "--seed", "4"]
    told = invoke([*words, "--json", "--pdf", str(page), "--draws", str(raw)])
    found = json.loads(told.output)

    assert 0 == told.exit_code and found["passed"]
    assert 2_000 * 52 == raw.stat().st_size
    assert found["sha256"] == hashlib.sha256(raw.read_bytes()).hexdigest()
    assert page.read_bytes().startswith(b"%PDF")
    shown = invoke(words)
    assert "passed" in shown.output and "serial correlation" in shown.output
    assert 2 == invoke(["randomness", "--decks", "5"]).exit_code
