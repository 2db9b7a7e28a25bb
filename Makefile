# The developer's menu: `make` alone prints it. Longer recipes live in scripts/ and bench/.

.DEFAULT_GOAL := help
.PHONY: help run build test fuzz lost-edits torture dist dist-test dev fmt lint bench update screenshots tools
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

# What the web build reads; files that it writes itself are left out, or it would never be up to date.
WEB_SOURCES := schema.graphql $(shell find web -type d \( -name node_modules -o -name dist -o -name e2e -o -name .cache \) -prune \
	-o -type f ! -name '*.generated.ts' ! -name '*.gen.ts' ! -name '*.md' ! -name '*.test.ts' ! -name '*.test.tsx' -print)

help: ## Print this menu
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## Build everything and serve it on http://127.0.0.1:8000, data in ./data
	exec target/release/kurso serve

build: tools web/dist/index.html ## Build the release binary, target/release/kurso, with the web app inside
	cargo build --release --locked

test: tools ## Run every check and test: Rust on both databases, the web app, the browser
	scripts/with-postgres.sh scripts/test.sh

# Of each reader of courses; `make fuzz SECONDS=600` is a longer one.
SECONDS := 60
fuzz: tools ## Attack the readers of courses, guided by coverage, and the API with thousands of made-up requests
	fuzz/run.sh $(SECONDS)
	cargo build --locked
	scripts/python-tools.sh
	scripts/with-postgres.sh node tests/fuzz/run.mjs --long

# How many; `make lost-edits RUNS=20` is a shorter one.
RUNS := 100
lost-edits: web/dist/index.html ## Type, break something at a random moment, and look for letters that were lost
	cargo build --locked
	cd web && KURSO_LOST_EDITS=$(RUNS) npm run e2e -- lost-edits

# How often the server is killed, on each database, and how often PostgreSQL is.
KILLS := 100
RESTARTS := 20
torture: tools ## Kill the server and PostgreSQL at random moments under load, and look for writes that were lost
	cargo build --locked
	scripts/with-postgres.sh node tests/torture/run.mjs --kills $(KILLS) --restarts $(RESTARTS)

dist: build ## Pack the release binary: an archive, a Debian package and their checksums, into target/dist
	scripts/dist.sh

dist-test: build ## Try every command of docs/operations.md with them, on machines made of Debian's packages alone
	KURSO_DIST_BINARY=target/release/kurso scripts/delivery.sh --clean

dev: tools web/node_modules/.stamp ## Serve the API on port 8000 and the web app with hot reload
	scripts/dev.sh

fmt: web/node_modules/.stamp ## Format all code
	cargo fmt --all
	cd web && npm run fmt && npx biome check --write ../scripts ../bench ../tests

lint: web/node_modules/.stamp ## Check formats and lints
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- --deny warnings
	cd web && npm run lint && npx biome check ../scripts ../bench ../tests
	node scripts/spec-tests.mjs
	node scripts/security.mjs
	node scripts/dependencies.mjs

bench: build bench/node_modules/.stamp ## Measure the release binary on both databases and rewrite docs/performance.md
	KURSO_POSTGRES_DURABLE=1 scripts/with-postgres.sh bench/run.sh

update: tools ## Rewrite what is generated and checked in: schema.graphql, openapi.json, docs/rights.md
	scripts/update.sh

screenshots: web/dist/index.html ## Photograph every screen into shots/, and those of the README into docs/screenshots/
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

bench/node_modules/.stamp: bench/package.json bench/package-lock.json
	cd bench && npm ci
	touch $@

web/dist/index.html: web/node_modules/.stamp $(WEB_SOURCES)
	cd web && npm run build
	touch $@
