# Two commands do everything on a fresh machine with Python 3.11+ and make: `make play`, `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Modules are compiled when they are first loaded: most of what packages bring never is.
INSTALL := $(BIN)/pip --disable-pip-version-check --quiet install --no-compile
TESTS ?=

.PHONY: play test test-slow shifts simulated attack secrecy dictionary mutants check bench proofs playthroughs docs clean

play: $(VENV)/.play
	@$(BIN)/croupier serve --demo --browser

test: $(VENV)/.dev $(VENV)/.browser
	@$(BIN)/pytest -n auto --dist loadgroup $(TESTS)

# The long runs: whole shifts, millions of rounds, every scenario against its twin.
test-slow: $(VENV)/.dev
	@$(BIN)/pytest -m slow $(TESTS)

# A thousand random shifts of each game: money, cards, record, and no dead end on the way.
shifts: $(VENV)/.dev
	@$(BIN)/python -m tests.attended.shifts --shifts 1000

# The simulator beside the table: the same decks and decisions, 100,000 rounds of each game.
simulated: $(VENV)/.dev
	@$(BIN)/python -m tests.study.simulated $(SIMULATED)

# A thousand random attacks on a record; prints the promises kept out of those tried.
attack: $(VENV)/.dev
	@$(BIN)/python -m tests.ledger.attack

# A hundred thousand rounds over the wire: nobody tells two decks apart by any byte. SECRECY="--minutes 30"
secrecy: $(VENV)/.dev
	@$(BIN)/python -m tests.floor.secrecy --rounds 100000 $(SECRECY)

# Every rule broken in turn: the tests that claim its clause must notice. MUTANTS="--only role --jobs 1"
mutants: $(VENV)/.dev
	@$(BIN)/python -m tests.mutants $(MUTANTS)

# What entries are packed with, made anew from random shifts; for as long as no record depends on it.
dictionary: $(VENV)/.dev
	@$(BIN)/python -m tests.ledger.dictionary

check: $(VENV)/.dev $(VENV)/.browser
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/pytest -n auto --dist loadgroup $(TESTS)

bench: $(VENV)/.bench
	@$(BIN)/python -m benchmarks

# Facts that are generated: which test proves which clause, golden transcripts, tables in the docs.
proofs: $(VENV)/.dev
	@$(BIN)/pytest --collect-only -q --write-proofs > /dev/null
	@git diff --stat -- croupier/rulebook/data/proofs.csv

playthroughs: $(VENV)/.dev
	@$(BIN)/python -m tests.playthroughs.regenerate

# The generated facts of the documents, then the whole as a site with search: site/index.html.
docs: $(VENV)/.dev
	@$(BIN)/python -m docs.generate
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

$(VENV)/.venv:
	@$(PYTHON) -c 'import sys; sys.exit("Croupier needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.play: $(VENV)/.venv pyproject.toml
	@echo "setting up $(VENV)"
	@$(INSTALL) -e '.[study,papers,ledger,floor]'
	@touch $@

$(VENV)/.dev: $(VENV)/.venv pyproject.toml
	@echo "setting up $(VENV) with everything the tests need"
	@$(INSTALL) -e '.[study,papers,ledger,floor,dev]'
	@touch $@ $(VENV)/.play

$(VENV)/.browser: $(VENV)/.dev
	@$(BIN)/python -m tests.floor.browsers
	@touch $@

$(VENV)/.bench: $(VENV)/.dev pyproject.toml
	@$(INSTALL) -e '.[study,papers,ledger,floor,dev,bench]'
	@touch $@

clean:
	@rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
