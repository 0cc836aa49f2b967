"""Proofs that bite: the rules are broken one by one, and the tests that claim the clause must fail.

`python -m tools.mutation` (or `make mutants`) makes every *mutant* of the rules: a refusal deleted,
a role opened, a figure changed, a citation swapped, a step skipped, an outcome turned. Each is
tried in a process of its own, and only the tests that claim the clause behind it are run. A mutant
that they do not notice has survived; survivors stand in `survivors.toml` with a reason, and one
that does not stand there makes the run fail. What was caught is written to
`croupier/rulebook/data/caught.csv`: a clause is enforced if its violation was caught.
"""
