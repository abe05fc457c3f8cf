# Two commands matter: `make demo` and `make test`. Everything that they need, they install.

export CARGO_TARGET_DIR ?= $(HOME)/.cache/dossier/target
export DOSSIER_MODELS ?= $(HOME)/.cache/dossier/models
DOSSIER := $(CARGO_TARGET_DIR)/debug/dossier

.PHONY: help demo test build models lint supply fuzz

help: ## Say what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: build ## Build, ingest the sample project, start the server on 127.0.0.1
	@tests/support/models.sh --demo
	@$(DOSSIER) demo

test: ## Run every test (installs and fetches what is missing first)
	@tests/support/setup.sh tests
	@tests/support/models.sh
	cargo nextest run --workspace

build: ## Build the program
	@tests/support/setup.sh
	cargo build --workspace

models: ## Fetch the three small models, checked by SHA-256
	@tests/support/models.sh

lint: ## rustfmt, clippy and rustdoc with warnings denied
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --document-private-items

supply: ## Licences, sources and bans of all dependencies
	@cargo deny --version >/dev/null 2>&1 || cargo install --locked --quiet cargo-deny
	cargo deny check bans licenses sources

fuzz: ## Fuzz every parser for SECONDS_EACH seconds, 600 by default; TARGETS="rtf dxf" for some
	@ingest/fuzz/run.sh $(TARGETS)
