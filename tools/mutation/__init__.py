"""Mutation testing of the rules: a clause is enforced if a test fails when its rule is broken.

`python -m tools.mutation` (or `make mutants`) generates the mutants: a refusal deleted, a role
added, a number changed, a citation swapped, a step skipped, an outcome changed. Each runs in a
forked process against the tests that claim its clauses. Caught mutants are written to
`tests/rulebook/caught.csv`. A mutant that no test catches has survived; survivors are listed in
`survivors.toml` with a reason, and an unlisted one makes the run fail.
"""
