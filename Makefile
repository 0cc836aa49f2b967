# Two commands do everything on a fresh machine with Python 3.11+ and make: `make play`, `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check --quiet install --no-compile
# uv installs in seconds what takes pip a minute; pip does it where only pip knows of an index.
ONLY_PIP = [ -n "$$PIP_INDEX_URL$$($(BIN)/pip config get global.index-url 2> /dev/null)" ]
UV := $(BIN)/uv pip install --quiet --native-tls --no-build-isolation --python $(BIN)/python
install = ! $(ONLY_PIP) && $(UV) -e '.[$(1)]' || $(PIP) --no-build-isolation -e '.[$(1)]'
SITE := NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
SERVER := analysis,documents,ledger,server
TESTED := $(SERVER),test
CHECKED := $(SERVER),dev
MEASURED := $(CHECKED),bench
TESTS ?=
# While packages are installed a browser is fetched.
MAKEFLAGS += --jobs=2

.PHONY: play test test-fast test-lowest test-python test-slow shifts simulated attack secrecy dictionary mutants check bench proofs playthroughs pictures docs lock sbom release clean

play: $(VENV)/.play
	@test -f $(VENV)/.warm || (nice -n 19 $(BIN)/croupier warm && touch $(VENV)/.warm) > /dev/null 2>&1 &
	@$(BIN)/croupier serve --demo --browser

test: $(VENV)/.test $(VENV)/.browser
	@$(BIN)/pytest -n auto --dist loadgroup $(TESTS)

# The quick feedback while working: no browser, no PostgreSQL, no compiled kernels, no killed
# processes, no random input.
test-fast: $(VENV)/.test
	@$(BIN)/pytest -n auto --dist loadgroup -m 'not (slow or browser or compiled or crash or fuzz or postgresql)' $(TESTS)

# The server, the ledger and the commands with the lowest allowed versions of all dependencies.
test-lowest: $(VENV)/.lowest
	@$(VENV)/lowest/bin/python -m pytest -n auto --dist loadgroup -p no:cacheprovider \
	  -m 'not (slow or browser or compiled or crash or fuzz)' tests/server tests/ledger tests/cli

# Another Python, in an environment of its own: the commands of README and docs as a script, the
# docstrings and the documents: make test-python PYTHON=python3.13 VENV=.venv/3.13
test-python: $(VENV)/.test
	@$(BIN)/pytest -n auto --dist loadgroup -m 'not (slow or browser)' tests/test_docs.py tests/test_docstrings.py tests/documents

# The long runs: whole shifts, millions of rounds, every scenario against its twin.
test-slow: $(VENV)/.test
	@$(BIN)/pytest -m slow $(TESTS)

# A thousand random shifts of each game: money, cards, record, and no dead end on the way.
shifts: $(VENV)/.test
	@$(BIN)/python -m tools.random_shifts --shifts 1000

# The simulator beside the table: the same decks and decisions, 100,000 rounds of each game.
simulated: $(VENV)/.test
	@$(BIN)/python -m tools.simulator_check $(SIMULATED)

# A thousand random attacks on a ledger; prints how many were rejected or detected.
attack: $(VENV)/.test
	@$(BIN)/python -m tools.attack

# A hundred thousand rounds over the wire: no byte depends on a hidden card. SECRECY="--minutes 30"
secrecy: $(VENV)/.test
	@$(BIN)/python -m tools.secrecy --rounds 100000 $(SECRECY)

# Every rule broken in turn: the tests that claim its clause must notice. MUTANTS="--only role --jobs 1"
mutants: $(VENV)/.test
	@$(BIN)/python -m tools.mutation $(MUTANTS)
	@$(MAKE) proofs

# Rebuild the compression dictionary from random shifts; only before any ledger depends on it.
dictionary: $(VENV)/.test
	@$(BIN)/python -m tools.compression_dictionary

check: $(VENV)/.dev $(VENV)/.browser
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(SITE) --site-dir $(VENV)/site
	@$(BIN)/pytest -n auto --dist loadgroup $(TESTS)

bench: $(VENV)/.bench
	@$(BIN)/python -m benchmarks

# Which tests prove each clause, and which functions cite it while they run.
proofs: $(VENV)/.test
	@$(BIN)/pytest --write-coverage -m 'not slow'
	@git diff --stat -- "*coverage.csv"

playthroughs: $(VENV)/.test
	@$(BIN)/python -m tests.playthroughs.regenerate

# The screens that README and docs show, in docs/pictures.
pictures: $(VENV)/.test $(VENV)/.browser
	@$(BIN)/python -m tools.screenshots

# The generated facts of the documents, then the whole as a site with search: site/index.html.
docs: $(VENV)/.dev
	@$(BIN)/python -m docs.generate
	@$(BIN)/python -m tools.example_ledger
	@$(SITE)

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit("Croupier needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	@$(PYTHON) -c 'import ensurepip, venv' 2> /dev/null || \
	  (echo "Python has no venv module; on Debian and Ubuntu: sudo apt-get install python3-venv"; exit 1)
	@echo "setting up $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) hatchling editables 'uv>=0.5,<1' || $(PIP) hatchling editables
	@touch $@

$(VENV)/.play: $(VENV)/.made pyproject.toml
	@$(call install,$(SERVER))
	@touch $@

$(VENV)/.test: $(VENV)/.made pyproject.toml
	@$(call install,$(TESTED))
	@touch $@ $(VENV)/.play

$(VENV)/.dev: $(VENV)/.test
	@$(call install,$(CHECKED))
	@touch $@

# A package of the system needs nothing of ours; where there is none, Playwright brings a browser.
$(VENV)/.chromium:
	@mkdir -p $(VENV)
	@$(PYTHON) -m tests.browser.chromium --package
	@touch $@

$(VENV)/.browser: $(VENV)/.chromium $(VENV)/.test
	@$(BIN)/python -m tests.browser.chromium
	@touch $@

$(VENV)/.lowest: $(VENV)/.made pyproject.toml
	@$(BIN)/uv venv --quiet --clear $(VENV)/lowest
	@$(BIN)/uv pip compile pyproject.toml --quiet --native-tls --resolution lowest-direct --python-version 3.11 \
	  $(foreach extra,analysis documents ledger server,--extra $(extra)) --output-file $(VENV)/lowest.txt
	@$(BIN)/uv pip install --quiet --native-tls --python $(VENV)/lowest/bin/python --constraint $(VENV)/lowest.txt -e '.[$(TESTED)]'
	@touch $@

$(VENV)/.bench: $(VENV)/.dev
	@$(call install,$(MEASURED))
	@touch $@

# The versions that the tests ran with, and their hashes.
lock: $(VENV)/.bench
	@$(BIN)/pip freeze --exclude-editable > $(VENV)/tested.txt
	@echo '# Tested versions and their hashes, written by `make lock`; docs/installation.md says how to use it.' > constraints.txt
	@$(BIN)/uv pip compile pyproject.toml --quiet --all-extras --universal --python-version 3.11.5 --generate-hashes \
	  --no-header --no-annotate --constraint $(VENV)/tested.txt >> constraints.txt

# The components of an installed server as sbom.json (CycloneDX): make sbom OF=/opt/croupier/bin/python
OF ?= $(BIN)/python
sbom: $(VENV)/.play
	@test -x $(VENV)/cyclonedx/bin/cyclonedx-py || { $(PYTHON) -m venv $(VENV)/cyclonedx \
	  && $(VENV)/cyclonedx/bin/pip --disable-pip-version-check --quiet install 'cyclonedx-bom>=7,<8'; }
	@$(VENV)/cyclonedx/bin/cyclonedx-py environment $(OF) --pyproject pyproject.toml --output-reproducible --output-file sbom.json

release: $(VENV)/.dev
	@$(BIN)/python -m tools.release $(VERSION)

clean:
	@rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
