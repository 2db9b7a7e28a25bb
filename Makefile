# Developer commands; `make` alone lists them. Longer recipes are in scripts/ and bench/.

.DEFAULT_GOAL := help
.PHONY: help run build check test fuzz lost-edits bad-network torture dist dist-test dev fmt lint lint-rust lint-web bench update screenshots tools
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

# The inputs of the web build. Files that the build itself writes are excluded, because they would make it permanently out of date.
WEB_SOURCES := schema.graphql openapi.json $(shell find web -type d \( -name node_modules -o -name dist -o -name e2e -o -name .cache \) -prune \
	-o -type f ! -name '*.generated.ts' ! -name '*.gen.ts' ! -name '*.md' ! -name '*.test.ts' ! -name '*.test.tsx' -print)

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## Build everything and start the server on http://127.0.0.1:8000 with its data in ./data
	exec target/release/kurso serve

build: tools web/dist/index.html ## Build the release binary, target/release/kurso, with the web app inside
	cargo build --release --locked

check: tools web/node_modules/.stamp ## The fast loop: formats, lints, types, tests on SQLite and of the web app
	scripts/check.sh

test: tools ## Run every check and test: Rust on both databases, the web app, the browser
	scripts/with-postgres.sh scripts/test.sh

# Seconds per target; `make fuzz SECONDS=600` runs longer.
SECONDS := 60
fuzz: tools ## Fuzz the course readers with coverage guidance, and the API with generated requests
	fuzz/run.sh $(SECONDS)
	cargo build --locked
	scripts/python-tools.sh
	scripts/with-postgres.sh node tests/fuzz/run.mjs --long

# Number of runs; `make lost-edits RUNS=20` is shorter.
RUNS := 100
lost-edits: web/dist/index.html ## Write pages (alone and in pairs), work to hand in and comments, inject failures at random moments, and look for lost text
	cargo build --locked
	cd web && KURSO_LOST_EDITS=$(RUNS) npm run e2e -- lost-edits lost-drafts lost-merges

# Length; `make test` takes 40 seconds.
NETWORK_SECONDS := 600
bad-network: web/dist/index.html ## Walk the learner's and the author's path while the network comes and goes
	cargo build --locked
	cd web && KURSO_NETWORK_SECONDS=$(NETWORK_SECONDS) npm run e2e -- bad-network

# How often the server is killed per database, and how often PostgreSQL is.
KILLS := 100
RESTARTS := 20
torture: tools ## Kill the server and PostgreSQL under load and look for lost writes; attack it
	cargo build --locked
	scripts/with-postgres.sh node tests/torture/run.mjs --kills $(KILLS) --restarts $(RESTARTS)

dist: build ## Build the archive, the Debian package and their checksums in target/dist
	scripts/dist.sh

dist-test: build ## Run every command of docs/operations.md on machines made from Debian packages only
	KURSO_DIST_BINARY=target/release/kurso scripts/delivery.sh --clean

dev: tools web/node_modules/.stamp ## Start the API on port 8000 and the web app with hot reload
	scripts/dev.sh

fmt: web/node_modules/.stamp ## Format all code
	cargo fmt --all
	cd web && npm run fmt && npx biome check --write ../scripts ../bench ../tests

lint: lint-rust lint-web ## Check formats and lints

lint-rust:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- --deny warnings
	node scripts/module-cycles.mjs

lint-web: web/node_modules/.stamp
	cd web && npm run lint && npx biome check ../scripts ../bench ../tests
	node scripts/spec-tests.mjs
	node scripts/security.mjs
	node scripts/dependencies.mjs

bench: build bench/node_modules/.stamp ## Measure the release binary on both databases and rewrite docs/performance.md
	KURSO_POSTGRES_DURABLE=1 scripts/with-postgres.sh bench/run.sh

update: tools ## Regenerate the checked-in files: schema.graphql, openapi.json, docs/rights.md
	scripts/update.sh

screenshots: web/dist/index.html ## Take screenshots of every screen into shots/, and those of the README into docs/screenshots/
	cargo build --locked
	cd web && npm run screenshots

tools:
	@scripts/check-tools.sh

web/node_modules/.stamp: web/package.json web/package-lock.json
	cd web && npm ci
	touch $@

tests/clients/node_modules/.stamp: tests/clients/package.json tests/clients/package-lock.json
	cd tests/clients && npm ci
	touch $@

tests/badges/node_modules/.stamp: tests/badges/package.json tests/badges/package-lock.json
	cd tests/badges && npm ci
	touch $@

bench/node_modules/.stamp: bench/package.json bench/package-lock.json
	cd bench && npm ci
	touch $@

web/dist/index.html: web/node_modules/.stamp $(WEB_SOURCES)
	cd web && npm run build
	touch $@
