# What people type. `make help` lists it.

CARGO ?= cargo
# twin: the replica that comes with the tool; live: the Atlas itself; or an address
SITE ?= twin
# flags for atlas-gt, such as ARGS="--questions 61-67"
ARGS ?=
BIN := $(or $(CARGO_TARGET_DIR),target)/release/atlas-gt

.DEFAULT_GOAL := help
.PHONY: help setup build collect test verify doctor bench bench-score clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "  settings: SITE=twin|live|URL (now $(SITE)), ARGS=\"flags for atlas-gt\""

setup: ## Install what is missing: Chromium, ChromeDriver, fonts, a C compiler, rustfmt and clippy
	@scripts/setup.sh

build: ## Build the release binary
	$(CARGO) build --release --locked

collect: setup build ## Install, build and collect (from the built-in twin; SITE=live for the Atlas)
	@echo "collecting from: $(SITE)"
	$(BIN) collect --site $(SITE) $(ARGS)

test: setup ## Check format and lints, run every test, browser tests included
	$(CARGO) fmt --check
	$(CARGO) clippy --locked --all-targets -- -D warnings
	$(CARGO) test --locked

verify: build ## Derive every stored value again from its evidence, offline
	$(BIN) verify --site $(SITE) $(ARGS)

doctor: build ## Say what is wrong with browser, driver, site, store or manifest, and how to mend it
	$(BIN) doctor --site $(SITE) $(ARGS)

bench: ## Run the benchmarks
	$(CARGO) bench --locked

bench-score: ## Measure the scoring engine beside its Python peers (PyPI)
	python3 bench/score_peers.py

clean: ## Remove what was built; records stay
	$(CARGO) clean
