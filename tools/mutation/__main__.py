"""`python -m tools.mutation`: break every rule once and see which tests notice."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from pathlib import Path
from random import Random

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Table

from tools.mutation import results
from tools.mutation.all_mutants import KINDS, every
from tools.mutation.journal import Journal
from tools.mutation.mutant import Mutant
from tools.mutation.runner import Baseline, Caught, Tests, with_tests

KEPT = Path(".pytest_cache") / "mutants-baseline.json"
Unit = tuple[str, str]  # a mutant and a group: each game must notice by itself


def arguments() -> argparse.Namespace:
    """What may be asked for."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutation", description=__doc__)
    parser.add_argument("--only", metavar="SUBSTRING", default="", help="mutants whose name has it")
    parser.add_argument("--new", action="store_true", help="only mutants that no run has judged")
    parser.add_argument(
        "--left", action="store_true", help="only mutants that are neither caught nor excused"
    )
    parser.add_argument("--sample", type=int, metavar="N", help="so many mutants drawn by lot")
    parser.add_argument("--seed", type=int, default=1, help="of the lot")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="at the same time")
    parser.add_argument(
        "--reuse", action="store_true", help="do not listen to the unharmed tests again"
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on where the last run was broken off"
    )
    return parser.parse_args()


def main() -> int:
    """0 if every survivor is listed with a reason."""
    options = arguments()
    return with_tests(lambda tests: Run(tests, options, Console()).go())


class Run:
    """One run from the unharmed tests to the table."""

    def __init__(self, tests: Tests, options: argparse.Namespace, console: Console) -> None:
        self.tests, self.options, self.console = tests, options, console
        self.known, self.excused = results.read(), results.survivors()
        self.judged = {one.mutant for one in self.known}

    def go(self) -> int:
        """Listen, break, count, write."""
        baseline = self.listen()
        if baseline.failed:
            for test in baseline.failed:
                self.console.print(f"fails without any mutant: {escape(test)}")
            return 2
        self.tests.prepare(baseline)
        mutants = list(every(baseline.seen))
        chosen = self.choose(mutants)
        journal = Journal.resumed() if self.options.resume else Journal.fresh()
        left = [mutant for mutant in chosen if mutant.id not in journal.verdicts]
        left.sort(key=self.turn)
        trials = self.tests.trials(left, self.options.jobs)
        for mutant, verdict in track(
            trials, "breaking rules", total=len(left), console=self.console, transient=True
        ):
            journal.add(mutant.id, verdict)  # a run that is broken off keeps what it knows
        caught = [one for mutant in chosen for one in journal.verdicts[mutant.id].caught]
        self.keep(mutants, chosen, caught)
        return self.report(chosen, caught)

    def listen(self) -> Baseline:
        """The unharmed tests, or what was heard of them last time."""
        if self.options.reuse and KEPT.exists():
            return msgspec.json.decode(KEPT.read_bytes(), type=Baseline)
        self.console.print(f"{len(self.tests.items)} tests without any mutant")
        baseline = self.tests.baseline()
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.write_bytes(msgspec.json.encode(baseline))
        return baseline

    def choose(self, mutants: list[Mutant]) -> list[Mutant]:
        """Those that were asked for."""
        chosen = [mutant for mutant in mutants if self.options.only in mutant.id]
        if self.options.new:
            judged = {one.mutant for one in results.read()}
            listed = results.survivors()
            chosen = [
                mutant
                for mutant in chosen
                if mutant.id not in judged
                and not any(each.excuses(mutant.id, "*") for each in listed)
            ]
        if self.options.left:
            chosen = [mutant for mutant in chosen if self.is_left(mutant)]
        if self.options.sample is not None:
            number = min(self.options.sample, len(chosen))
            chosen = Random(self.options.seed).sample(chosen, number)
        return chosen

    def is_left(self, mutant: Mutant) -> bool:
        """Whether some game has not noticed it, as far as is known."""
        caught = {(one.mutant, one.group) for one in self.known}
        return any(
            (mutant.id, group) not in caught
            and not any(each.excuses(mutant.id, group) for each in self.excused)
            for group in mutant.clauses or {"": frozenset()}
        )

    def turn(self, mutant: Mutant) -> int:
        """What no run has judged comes first; last what nobody notices, which asks every test."""
        if any(each.excuses(mutant.id, "*") for each in self.excused):
            return 2
        return int(mutant.id in self.judged)

    def keep(self, mutants: list[Mutant], chosen: list[Mutant], caught: list[Caught]) -> None:
        """What was judged now takes the place of what was known of it."""
        judged = {mutant.id for mutant in chosen}
        there = {mutant.id for mutant in mutants}
        before = [one for one in results.read() if one.mutant in there and one.mutant not in judged]
        results.write([*before, *caught])

    def report(self, chosen: list[Mutant], caught: list[Caught]) -> int:
        """The table by kind, then every survivor; 1 if one of them is not listed."""
        noticed: set[Unit] = {(one.mutant, one.group) for one in caught}
        listed = results.survivors()
        made, killed, excused, idle = (Counter[str]() for _ in range(4))
        unlisted = 0
        for mutant in chosen:
            for group, clauses in (mutant.clauses or {"": frozenset()}).items():
                made[mutant.kind] += 1
                if (mutant.id, group) in noticed:
                    killed[mutant.kind] += 1
                    continue
                found = [each for each in listed if each.excuses(mutant.id, group)]
                reasons = [each.reason for each in found]
                excused[mutant.kind] += bool(reasons)
                idle[mutant.kind] += bool(found) and not found[0].breaks
                unlisted += not reasons
                told = f"{mutant.place} {mutant.id} [{group} {' '.join(sorted(clauses))}]"
                why = f"  {reasons[0]}" if reasons else "  NOT LISTED"
                self.console.print(escape(told + why), highlight=False, soft_wrap=True)
        self.console.print(table(made, killed, excused, idle))
        return 1 if unlisted else 0


def table(
    made: Counter[str], killed: Counter[str], excused: Counter[str], idle: Counter[str]
) -> Table:
    """Mutants by kind: each counted once for every game whose clause it breaks.

    The last column leaves out those that break nothing.
    """
    shown = Table(title="Rules broken on purpose", header_style="bold")
    headings = ("kind", "mutants", "caught", "survived", "with a reason", "caught %")
    for heading in (*headings, "break nothing", "of the rest %"):
        shown.add_column(heading, justify="left" if heading == "kind" else "right")
    for kind in (*KINDS, "all"):
        many, dead, known, nothing = (
            counts.total() if kind == "all" else counts[kind]
            for counts in (made, killed, excused, idle)
        )
        if many:
            share, rest = (f"{100 * dead / of:.1f}" for of in (many, max(1, many - nothing)))
            row = (str(number) for number in (many, dead, many - dead, known))
            shown.add_row(kind, *row, share, str(nothing), rest, end_section=kind == KINDS[-1])
    return shown


if __name__ == "__main__":
    sys.exit(main())
