"""`python -m tools.mutation`: run every mutant against the tests that claim its clauses."""

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

BASELINE_FILE = Path(".pytest_cache") / "mutants-baseline.json"
Unit = tuple[str, str]  # a mutant and a group: the tests of each game must catch it


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutation", description=__doc__)
    parser.add_argument(
        "--only", metavar="SUBSTRING", default="", help="only ids that contain this"
    )
    parser.add_argument("--new", action="store_true", help="only mutants without a recorded result")
    parser.add_argument(
        "--left", action="store_true", help="only mutants neither caught nor listed as survivors"
    )
    parser.add_argument("--sample", type=int, metavar="N", help="only N random mutants")
    parser.add_argument("--seed", type=int, default=1, help="random seed of --sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="parallel processes")
    parser.add_argument(
        "--reuse", action="store_true", help="reuse the last baseline run without mutants"
    )
    parser.add_argument("--resume", action="store_true", help="continue an interrupted run")
    return parser.parse_args()


def main() -> int:
    """Exit code 0 if every survivor is listed with a reason."""
    options = arguments()
    return with_tests(lambda tests: Run(tests, options, Console()).go())


class Run:
    """One run: baseline, mutants, results, report."""

    def __init__(self, tests: Tests, options: argparse.Namespace, console: Console) -> None:
        self.tests, self.options, self.console = tests, options, console
        self.known, self.survivors = results.read(), results.survivors()
        self.known_ids = {row.mutant for row in self.known}

    def go(self) -> int:
        """Run everything and return the exit code."""
        baseline = self.baseline()
        if baseline.failed:
            for test in baseline.failed:
                self.console.print(f"fails without a mutant: {escape(test)}")
            return 2
        self.tests.prepare(baseline)
        mutants = list(every(baseline.seen))
        chosen = self.choose(mutants)
        journal = Journal.resumed() if self.options.resume else Journal.fresh()
        left = [mutant for mutant in chosen if mutant.id not in journal.verdicts]
        left.sort(key=self.priority)
        trials = self.tests.trials(left, self.options.jobs)
        for mutant, verdict in track(
            trials, "running mutants", total=len(left), console=self.console, transient=True
        ):
            journal.add(mutant.id, verdict)  # so that an interrupted run can continue
        caught = [row for mutant in chosen for row in journal.verdicts[mutant.id].caught]
        self.write(mutants, chosen, caught)
        return self.report(chosen, caught)

    def baseline(self) -> Baseline:
        """The run without mutants, or its stored result."""
        if self.options.reuse and BASELINE_FILE.exists():
            return msgspec.json.decode(BASELINE_FILE.read_bytes(), type=Baseline)
        self.console.print(f"{len(self.tests.items)} tests without a mutant")
        baseline = self.tests.baseline()
        BASELINE_FILE.parent.mkdir(exist_ok=True)
        BASELINE_FILE.write_bytes(msgspec.json.encode(baseline))
        return baseline

    def choose(self, mutants: list[Mutant]) -> list[Mutant]:
        """The mutants selected by the options."""
        chosen = [mutant for mutant in mutants if self.options.only in mutant.id]
        if self.options.new:
            chosen = [
                mutant
                for mutant in chosen
                if mutant.id not in self.known_ids and not self.is_listed(mutant)
            ]
        if self.options.left:
            chosen = [mutant for mutant in chosen if self.is_left(mutant)]
        if self.options.sample is not None:
            number = min(self.options.sample, len(chosen))
            chosen = Random(self.options.seed).sample(chosen, number)
        return chosen

    def is_left(self, mutant: Mutant) -> bool:
        """Whether it is neither caught nor listed in some group."""
        caught = {(row.mutant, row.group) for row in self.known}
        return any(
            (mutant.id, group) not in caught and not self.is_listed(mutant, group)
            for group in mutant.clauses or {"": frozenset()}
        )

    def is_listed(self, mutant: Mutant, group: str = "*") -> bool:
        """Whether it is a listed survivor of a group, or of any."""
        return any(survivor.matches(mutant.id, group) for survivor in self.survivors)

    def priority(self, mutant: Mutant) -> int:
        """New mutants first, listed survivors last because they run every claiming test."""
        return 2 if self.is_listed(mutant) else int(mutant.id in self.known_ids)

    def write(self, mutants: list[Mutant], chosen: list[Mutant], caught: list[Caught]) -> None:
        """Replace the recorded results of the chosen mutants; drop those of removed mutants."""
        unchanged = {mutant.id for mutant in mutants} - {mutant.id for mutant in chosen}
        before = [row for row in results.read() if row.mutant in unchanged]
        results.write([*before, *caught])

    def report(self, chosen: list[Mutant], caught: list[Caught]) -> int:
        """Print every survivor and the table by kind; 1 if a survivor is not listed."""
        killed_units: set[Unit] = {(row.mutant, row.group) for row in caught}
        made, killed, listed, idle = (Counter[str]() for _ in range(4))
        unlisted = 0
        for mutant in chosen:
            for group, clauses in (mutant.clauses or {"": frozenset()}).items():
                made[mutant.kind] += 1
                if (mutant.id, group) in killed_units:
                    killed[mutant.kind] += 1
                    continue
                matches = [s for s in self.survivors if s.matches(mutant.id, group)]
                listed[mutant.kind] += bool(matches)
                idle[mutant.kind] += bool(matches) and not matches[0].breaks
                unlisted += not matches
                text = f"{mutant.place} {mutant.id} [{group} {' '.join(sorted(clauses))}]"
                reason = f"  {matches[0].reason}" if matches else "  NOT LISTED"
                self.console.print(escape(text + reason), highlight=False, soft_wrap=True)
        self.console.print(summary_table(made, killed, listed, idle))
        return 1 if unlisted else 0


def summary_table(
    made: Counter[str], killed: Counter[str], listed: Counter[str], idle: Counter[str]
) -> Table:
    """Mutants by kind, each counted once per game whose clause it breaks.

    The last column leaves out equivalent mutants, which break no rule.
    """
    table = Table(title="Mutants", header_style="bold")
    headings = ("kind", "mutants", "caught", "survived", "with a reason", "caught %")
    for heading in (*headings, "equivalent", "of the rest %"):
        table.add_column(heading, justify="left" if heading == "kind" else "right")
    for kind in (*KINDS, "all"):
        total, dead, with_reason, equivalent = (
            counts.total() if kind == "all" else counts[kind]
            for counts in (made, killed, listed, idle)
        )
        if total:
            share, rest = (f"{100 * dead / of:.1f}" for of in (total, max(1, total - equivalent)))
            row = (str(number) for number in (total, dead, total - dead, with_reason))
            table.add_row(kind, *row, share, str(equivalent), rest, end_section=kind == KINDS[-1])
    return table


if __name__ == "__main__":
    sys.exit(main())
