# What a person types here. Everything runs on this machine, on loopback, with Node and programs that are fetched at pinned versions.

STATE ?= .local
export STATE SITES CLEAN

# Node starts several times faster from what it compiled before.
export NODE_COMPILE_CACHE ?= $(CURDIR)/node_modules/.cache/node

# The pinned Node that npm brings goes before the machine's, except for npm itself, which replaces it, and whose warnings are about the machine's.
MACHINE_PATH := $(PATH)
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
INSTALLED = node_modules/.package-lock.json

# A snapshot that is missing is an error: only `make record` writes them.
JEST = node --experimental-vm-modules --disable-warning=ExperimentalWarning node_modules/jest/bin/jest.js --ci
# How long one end-to-end story may take, in milliseconds: generous, for a machine that has other work.
STORY = --testTimeout=240000

.PHONY: help up down tools check generate format test test-fast test-activity test-flow test-e2e record baseline soak simulate mutants bench

help:
	@echo 'make up [SITES=2]      start, repair or resume the stack in $(STATE)'
	@echo 'make down [CLEAN=1]    stop it; CLEAN=1 forgets its data too'
	@echo 'make tools             only build the programs it runs'
	@echo 'make check             types, lint, format, generated files'
	@echo 'make generate format   write the generated files; format everything'
	@echo 'make test-fast         unit tests and replayed histories, no server'
	@echo 'make test              everything, on a stack of its own'
	@echo 'make test-activity test-flow test-e2e    parts of that'
	@echo 'make record            record anew the histories that test-fast replays, and what workflows say in them'
	@echo 'make baseline          write down what hub and agents of this version say, from the stack of make up'
	@echo 'make soak              what takes long on purpose'
	@echo 'make simulate [SEED=n] moves under storms in virtual time, 100,000 seeds or the story of one'
	@echo 'make mutants           put faults into the code, one by one: the tests must see each'
	@echo 'make bench [MEASURE=x] measures, against the running stack'

up: $(INSTALLED)
	@node deploy/local/up.ts

down: $(INSTALLED)
	@node deploy/local/down.ts

tools: $(INSTALLED)
	@node deploy/local/build-all.ts

check: $(INSTALLED)
	tsc --noEmit
	oxlint --type-aware --deny-warnings
	node lint/check.ts
	oxfmt --check .
	node crds/generate.ts --check
	node deploy/helm/embed.ts --check

generate: $(INSTALLED)
	node crds/generate.ts
	node deploy/helm/embed.ts

format: $(INSTALLED)
	oxfmt .

test: check test-fast test-activity test-flow test-e2e
	$(MAKE) --no-print-directory mutants MUTANTS=5

test-fast: $(INSTALLED)
	$(JEST) --selectProjects fast --testTimeout=60000

test-activity: tools
	$(JEST) --selectProjects activity --testTimeout=60000 --maxWorkers=2

test-flow: tools
	$(JEST) --selectProjects flow --testTimeout=60000 --maxWorkers=2

# CAPPSTAN_STACK=.local runs the stories on the stack of `make up`; without it they get one of their own, which goes when they end.
test-e2e: tools
	node test/e2e/with-stack.ts $(JEST) --selectProjects e2e --runInBand $(STORY)

record: tools
	RECORD=1 $(JEST) --selectProjects flow --testTimeout=60000 --maxWorkers=2
	$(JEST) --ci=false --updateSnapshot --selectProjects fast --testTimeout=60000 --testPathPatterns test/history

# What hub and agents have said to each other on the stack of `make up`, for the tests of two versions side by side.
baseline: $(INSTALLED)
	@node test/baseline/record.ts

soak: tools simulate
	node test/e2e/with-stack.ts sh -c 'node test/soak/odd-capps.ts && node test/soak/storm.ts && node test/soak/idle.ts'

# SEEDS says how many, FIRST from which on; SEED=n lives through one and prints its story step by step.
simulate: $(INSTALLED)
	node test/soak/simulate.ts

# MUTANTS=n takes n of them, chosen by the commit; MUTANT=n takes the n-th.
mutants: $(INSTALLED)
	node test/mutants/run.ts

# MEASURE names one, COUNT says how many Capps; ENGINE=postgres measures a stack of its own whose Temporal keeps its data in PostgreSQL.
bench: $(INSTALLED)
	$(if $(filter postgres,$(ENGINE)),node test/e2e/with-stack.ts) node bench/run.ts

$(INSTALLED): package-lock.json
	@node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' || \
	  { echo 'Node 20 or newer is needed, with npm: https://nodejs.org' >&2; exit 1; }
	@echo 'Installing the packages of package-lock.json'
	@PATH='$(MACHINE_PATH)' npm ci --no-audit --no-fund --no-update-notifier --loglevel=error
	@touch $@
