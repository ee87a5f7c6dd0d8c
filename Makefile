# Headrace. `make help` lists what there is; every target sets up what it needs and is quick the second time.
.DEFAULT_GOAL := help
SHELL := /bin/sh
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
BIN    := .venv/bin
SETUP  := $(PYTHON) scripts/setup.py
# Test workers; two cores are what we promise to be quick on.
JOBS   ?= 2
# BROWSER=no leaves out the browser journeys.
BROWSER ?= yes
# Anything else for the command behind a target: make run ARGS="--port 9000"
ARGS   ?=
# A model for `make eval`: a base URL, or the name of one. Empty: the offline planner.
MODEL  ?=

# Bytecode makes every start after the first several times quicker; some build machines switch it off.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup run test check dev eval bench gen lock clean format lint types house py web-check web-test journey fix

help: ## Say what there is
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Set up what running needs; leaves the command at .venv/bin/headrace
	@$(SETUP) base

run: ## Set up, build the web app where it changed, and serve it on this machine
	@$(SETUP) base web
	@exec $(BIN)/headrace serve $(ARGS)

test: ## Everything: format, lint, types, house, Python, web, browser journeys
	@$(SETUP) dev node-dev web
	@$(MAKE) -k format lint types web-check web-test $(if $(filter no,$(BROWSER)),,journey) py

check: ## Format, lint, types, layers, sizes, words, generated files
	@$(SETUP) dev node-dev
	@$(MAKE) -k format lint types web-check house

dev: ## Serve with reload: Python on 8765, the web app with hot reload on the port it prints
	@$(SETUP) dev node-dev
	@$(BIN)/python scripts/dev.py $(ARGS)

eval: ## Answer every request of the request set and count: make eval [MODEL=URL]
	@$(SETUP) dev
	@$(BIN)/python scripts/eval.py $(if $(MODEL),--model "$(MODEL)") $(ARGS)

bench: ## Measure starts, edits, runs and tokens
	@$(SETUP) dev
	@$(BIN)/python -m scripts.bench $(ARGS)

gen: ## Remake docs/reference and the web app's API types
	@$(SETUP) dev node-dev
	@$(BIN)/python scripts/gen.py
	@cd web && npm run --silent api

fix: ## Format, and mend what the linters can mend
	@$(SETUP) dev node-dev
	@$(BIN)/ruff check --quiet --fix . ; $(BIN)/ruff format --quiet . ; cd web && npm run --silent format

lock: ## Remake the lock files from pyproject.toml and web/package.json: make lock [ARGS=--upgrade]
	@$(PYTHON) -m venv .make/lock && .make/lock/bin/python -m pip install --quiet uv==0.13.9
	@scripts/lock.sh .make/lock/bin/uv $(ARGS)
	@cd web && npm install --package-lock-only --no-fund --no-audit --ignore-scripts

clean: ## Remove everything that was made here
	rm -rf .venv .make web/node_modules src/headrace/static .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Parts of `test` and `check`; they expect the set-up to be done.

format:
	@$(BIN)/ruff format --check . || { echo "make fix formats them"; exit 1; }

lint:
	@$(BIN)/ruff check .

types:
	@$(BIN)/ty check

house:
	@$(BIN)/python -m pytest -q tests/house $(ARGS)

py:
	@HEADRACE_TEST_PROFILE=thorough $(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(ARGS)

web-check:
	@cd web && npm run --silent typecheck && npm run --silent lint
	@cd web && npm run --silent api -- --check >/dev/null || { echo "web/src/api/schema.gen.ts is not what docs/reference/openapi.json says; make gen remakes it"; exit 1; }

web-test:
	@cd web && HEADRACE_TEST_PROFILE=thorough npm run --silent test

journey:
	@HEADRACE_CHROMIUM="$$($(SETUP) chromium)" && test -n "$$HEADRACE_CHROMIUM" && export HEADRACE_CHROMIUM && cd web && npm run --silent journey
