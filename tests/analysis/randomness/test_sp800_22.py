"""Seven tests of SP 800-22: published figures are reproduced, and each detects its defect."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product

import numpy as np
import pytest

from croupier.analysis.kernels.linear_complexity import linear_complexity
from croupier.analysis.randomness import sp800_22
from croupier.analysis.randomness import sp800_22_structure as structure

MILLION = 1_000_000


def bit_text(text: str) -> sp800_22.Bits:
    """Bits as SP 800-22 writes them."""
    return np.array([int(bit) for bit in text], np.uint8)


@cache
def bits_of_e() -> sp800_22.Bits:
    """The first million binary digits of e, from the sum of 1/k!."""

    def split(low: int, high: int) -> tuple[int, int]:
        if high - low == 1:
            return 1, high
        middle = (low + high) // 2
        (p, q), (r, s) = split(low, middle), split(middle, high)
        return p * s + r, q * s

    top, bottom = split(0, 72_000)  # 72,000! has more than a million binary digits
    spare = bottom.bit_length() - MILLION - 64
    digits = ((top + bottom >> spare) << MILLION - 2) // (bottom >> spare)
    return np.unpackbits(np.frombuffer(digits.to_bytes(MILLION // 8, "big"), np.uint8))


def test_the_million_bits_of_e() -> None:
    """The publication's figures for these bits, sections 2.9 and 2.14 and its list of examples."""
    of_e = bits_of_e()
    counts = structure.pattern_counts(of_e)
    universal = structure.universal(of_e)
    assert universal is not None
    results = {
        "frequency": sp800_22.frequency(of_e)[1],
        "matrices": structure.matrix_ranks(of_e)[1],
        "000000001": structure.template(counts, 1, 9, MILLION // 8)[1],
        "universal": universal[1],
        **{f"{state:+}": structure.excursion(of_e, state)[1] for state in (-1, 1, 2, 4)},
        **{f"in all {state:+}": structure.excursions_variant(of_e, state)[1] for state in (-9, -1)},
    }
    published = {
        "frequency": 0.953749,
        "matrices": 0.306156,
        "000000001": 0.078790,
        "universal": 0.282568,
        "-1": 0.007779,
        "+1": 0.786868,
        "+2": 0.440912,
        "+4": 0.778186,
        "in all -9": 0.858946,
        "in all -1": 0.826009,
    }

    assert published == pytest.approx(results, abs=1e-6)
    # Published with a share of 0.01047 where 1/96 is exact.
    assert structure.registers(of_e)[1] == pytest.approx(0.826335, abs=2e-4)
    assert structure.registers(of_e, 1000)[1] == pytest.approx(0.845406, abs=1e-3)


def test_small_examples() -> None:
    """The worked examples of sections 2.7, 2.9, 2.10, 2.14 and 2.15."""
    counts = structure.pattern_counts(bit_text("10100100101110010110"), 3, 2)
    assert structure.template(counts, 0b001, 3, 10)[1] == pytest.approx(0.344154, abs=1e-6)
    mean, blocks = structure.distances(bit_text("01011010011101010111"), 2, 4)
    assert mean == pytest.approx(1.1949875) and 6 == blocks
    assert 4 == linear_complexity(bit_text("1101011110001"))
    walk = bit_text("0110110101")
    assert structure.excursion(walk, 1)[1] == pytest.approx(0.502529, abs=1e-4)
    assert structure.excursions_variant(walk, 1)[1] == pytest.approx(0.683091, abs=1e-6)


def test_overlapping_patterns() -> None:
    """Shares of blocks by counting all blocks of twelve bits; those of 1,032 as corrected later."""
    seen = [0] * 6
    for block in product((0, 1), repeat=12):
        seen[min(5, sum(block[at : at + 3] == (1, 1, 1) for at in range(10)))] += 1

    assert [count / 4096 for count in seen] == pytest.approx(structure.overlap_shares(12, 3))
    corrected = (0.364091, 0.185659, 0.139381, 0.100571, 0.070432, 0.139865)
    assert corrected == pytest.approx(structure.overlap_shares(), abs=1e-6)
    # The counts that the publication gives for the million bits of e.
    blocks = bits_of_e()[: 968 * 1032].reshape(968, 1032)
    ones = (structure.windows(blocks, 9) == 511).sum(axis=1)
    assert [329, 164, 150, 111, 78, 136] == np.bincount(np.minimum(ones, 5)).tolist()


def test_ranks_of_small_matrices() -> None:
    """All 512 matrices of three rows, by the number of rows that their sums can make."""
    seen = [0] * 4
    for cells in product((0, 1), repeat=9):
        rows = [cells[0] * 4 + cells[1] * 2 + cells[2], cells[3] * 4 + cells[4] * 2 + cells[5],
                cells[6] * 4 + cells[7] * 2 + cells[8]]  # fmt: skip
        sums = {0}
        for row in rows:
            sums |= {row ^ other for other in sums}
        seen[len(sums).bit_length() - 1] += 1

    assert [count / 512 for count in seen] == [structure.rank_share(3, rank) for rank in range(4)]


def shortest_register(text: tuple[int, ...]) -> int:
    """Every register, the shortest first, until one gives the bits."""
    for length in range(len(text) + 1):
        for taps in product((0, 1), repeat=length):
            if all(
                text[at] == sum(taps[back] & text[at - 1 - back] for back in range(length)) % 2
                for at in range(length, len(text))
            ):
                return length
    raise AssertionError("a register as long as the text always gives it")


def test_linear_complexity() -> None:
    """Every sequence of eight bits, by trying every register."""
    for text in product((0, 1), repeat=8):
        assert shortest_register(text) == linear_complexity(np.array(text, np.uint8))


def rows_that_repeat(source: np.random.Generator) -> sp800_22.Bits:
    """Every second row of a matrix is that before."""
    rows = source.integers(0, 2, (sp800_22.BITS // 64, 32), np.uint8)
    return np.repeat(rows, 2, axis=0).ravel()


def planted(pattern: str) -> Callable[[np.random.Generator], sp800_22.Bits]:
    """A pattern put in once in a thousand bits, or in five thousand if it is a run of ones."""

    def bad(source: np.random.Generator) -> sp800_22.Bits:
        result = source.integers(0, 2, sp800_22.BITS, np.uint8)
        for at in source.integers(0, sp800_22.BITS - 9, 900 if "0" in pattern else 200).tolist():
            result[at : at + len(pattern)] = bit_text(pattern)
        return result

    return bad


def says_much_again(source: np.random.Generator) -> sp800_22.Bits:
    """Blocks of seven bits come again after three blocks, once in ten."""
    blocks = source.integers(0, 2, (sp800_22.BITS // 7 + 1, 7), np.uint8)
    again = 3 + np.flatnonzero(source.random(len(blocks) - 3) < 0.1)
    blocks[again] = blocks[again - 3]
    return blocks.ravel()[: sp800_22.BITS]


def of_a_register(source: np.random.Generator) -> sp800_22.Bits:
    """The bits of a register of 40 places; nothing simpler shows it."""
    state = [int(bit) for bit in source.integers(0, 2, 40)]
    for at in range(40, 120_000):
        state.append(state[at - 40] ^ state[at - 38] ^ state[at - 21] ^ state[at - 19])
    return np.array(state, np.uint8)


def drawn_home(source: np.random.Generator) -> sp800_22.Bits:
    """A walk that turns back a little more often than not while it is away."""
    chances, at, result = source.random(sp800_22.BITS), 0, np.zeros(sp800_22.BITS, np.uint8)
    for step, drawn in enumerate(chances.tolist()):
        up = drawn < (0.5 if at == 0 else 0.48 if at > 0 else 0.52)
        result[step] = up
        at += 1 if up else -1
    return result


@pytest.mark.parametrize(
    ("notices", "bad"),
    [
        (structure.matrix_ranks, rows_that_repeat),
        (structure.templates, planted("000000001")),
        (structure.overlapping, planted("1" * 30)),
        (structure.universal, says_much_again),
        (structure.registers, of_a_register),
        (structure.excursions, drawn_home),
        (structure.all_visits, drawn_home),
    ],
)
def test_bad_bits_are_noticed(
    notices: Callable[[sp800_22.Bits], structure.BitTestResult | None],
    bad: Callable[[np.random.Generator], sp800_22.Bits],
) -> None:
    """Bits with a deliberate defect are rejected; bits of a good source are not."""
    source = np.random.default_rng(11)
    result, good = notices(bad(source)), notices(source.integers(0, 2, sp800_22.BITS, np.uint8))

    assert result is not None and result[1] < 1e-6
    assert good is None or good[1] > 1e-3


def test_too_few_bits() -> None:
    """What cannot be asked is left out."""
    few = np.random.default_rng(2).integers(0, 2, 100_000, np.uint8)

    assert structure.universal(few) is None
    assert structure.excursions(few[:1_000]) is None and structure.all_visits(few[:1_000]) is None
    names = [name for name, *_ in sp800_22.bit_tests(few)]
    assert "bits: registers" in names and "bits: universal" not in names
