# The commands of this project. Everything runs on this machine, on loopback, with Node and programs at pinned versions.

STATE ?= .local
SITE ?= .site
export LOOK STATE SITES DATAPLANE AUDIT CLEAN REGISTRY BASE ARGOCD_NAMESPACE ARGOCD_ACCOUNT USER_SERVER_URL USER_SERVER_CA_FILE

# Node starts several times faster with its compile cache.
export NODE_COMPILE_CACHE ?= $(CURDIR)/node_modules/.cache/node

# The pinned Node from npm comes before the machine's on the path. npm itself runs on the machine's: it replaces the pinned one.
MACHINE_PATH := $(PATH)
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
INSTALLED = node_modules/.package-lock.json

# A missing snapshot is an error: only `make record` writes snapshots.
JEST = node --experimental-vm-modules --disable-warning=ExperimentalWarning node_modules/jest/bin/jest.js --ci
# On a busy machine a file that fails runs once more, and is named (docs/decisions/0065).
ONCE_MORE = node test/once-more.ts --ci
# How long one end-to-end story may take, in milliseconds: generous, for a machine with other work.
STORY = --testTimeout=480000

.PHONY: help up down site deploy-etcd tools cli cli-release hub release check generate format test test-fast test-activity test-flow test-stories test-data-plane test-docs test-e2e tools-for-tests record baseline pictures soak storm builds simulate mutants stryker bench

help:
	@echo 'make up [SITES=2]      start, repair or resume the stack in $(STATE)'
	@echo 'make up DATAPLANE=real the same with Knative’s own data plane and Envoy: scale to zero, HTTPS (docs/local-stack.md)'
	@echo 'make up AUDIT=1        the same, and each API server writes down who asked what of it (bench/README.md)'
	@echo 'make down [CLEAN=1]    stop it; CLEAN=1 deletes its data too'
	@echo 'make site [SITE=.site] run a cluster without a hub, for cappstan join to try, until Ctrl-C'
	@echo 'make deploy-etcd       run an etcd of three members for cappstan hub, its certificates in _output/etcd/deploy/cert-etcd, until Ctrl-C'
	@echo 'make tools             only build the programs it runs'
	@echo 'make cli               build kubectl-capp, which is cappstan too, into dist/'
	@echo 'make cli-release       the same as one executable without Node, with a manifest for krew, into dist/release/'
	@echo 'make hub               an archive with a whole hub, which needs neither Go nor Node where it is used, into dist/release/ (docs/hub.md)'
	@echo 'make release REGISTRY=host/path BASE=image@sha256:…  push image and chart there, the rest into dist/release/ (docs/release.md)'
	@echo 'make check             types, lint, format, generated files, licences'
	@echo 'make generate format   write the generated files; format everything'
	@echo 'make test-fast         unit tests and replayed histories, no server'
	@echo 'make test              everything, on a stack of its own'
	@echo 'make test-activity test-flow test-docs test-e2e    parts of that'
	@echo 'make record            record again the histories that test-fast replays, and what workflows say in them'
	@echo 'make baseline          record what hub and agents of this version say to each other, on the stack of make up'
	@echo 'make pictures [LOOK=folder]    draw again what docs/dashboard.md shows of the dashboard; in LOOK, light and dark, to look at'
	@echo 'make soak              the long tests, an hour of storm among them'
	@echo 'make storm [STORM_MINUTES=60] [SEED=n] [FORMER=x]    a storm on a stack of its own: everything is killed, stopped, cut off and misled while users ask; then a checker proves the invariants (docs/storm.md)'
	@echo 'make builds [FORMER=x] an earlier commit’s hub with today’s agents, and the reverse, on one stack'
	@echo 'make simulate [SEED=n] lives under random storms in virtual time: 100,000 seeds, 20,000 with a site that lies, 50,000 of fleets; or one story'
	@echo 'make simulate FLEETS=1 FIRST=0 SEEDS=1000 PROCESSES=1    some lives of fleets (LIES=1: with a site that lies); says with which FIRST to go on'
	@echo 'make simulate EVERY=1  quiet stories in which each write goes wrong in each way; EVERY=move/17/late lives one of them'
	@echo 'make mutants           put faults into the code, one by one: the tests must detect each'
	@echo 'make stryker ROOM=x    every small fault that StrykerJS knows, in a room that decides: placement, stages, next, drain, metal'
	@echo 'make bench [MEASURE=x] run the benchmarks on the running stack'

up: $(INSTALLED)
	@node deploy/local/up.ts

down: $(INSTALLED)
	@node deploy/local/down.ts

site: $(INSTALLED)
	@node deploy/local/single/main.ts $(SITE)

# As in multicluster-controlplane; on this machine, and not in a cluster.
deploy-etcd: $(INSTALLED)
	@node deploy/etcd/main.ts etcd --data-dir _output/etcd/deploy

tools: $(INSTALLED)
	@node deploy/local/programs/build.ts

cli: $(INSTALLED)
	node cli/build/bundle.ts

# One executable that needs no Node, in an archive, and the manifest for krew; RELEASE_URL says where the archive will be.
cli-release: $(INSTALLED)
	node cli/build/release.ts

# An archive for machines of this kind: sources, packages, Node, and the programs of HUB_MODULES.
hub: $(INSTALLED)
	@node deploy/release/hub/make.ts

# The image is put on BASE. Everything is made of the commit that is checked out.
release: $(INSTALLED)
	@node deploy/release/release.ts
	@node cli/build/release.ts

check: $(INSTALLED)
	tsc --noEmit
	tsc -p cli
	tsc -p cli/dashboard/page
	oxlint --type-aware --deny-warnings
	node lint/check.ts
	oxfmt --check .
	node crds/generate.ts --check
	node deploy/helm/embed.ts --check
	node deploy/release/licences.ts

generate: $(INSTALLED)
	node crds/generate.ts
	node deploy/helm/embed.ts

format: $(INSTALLED)
	node lint/reflow.ts
	oxfmt .

# What waits more than it computes runs beside the others, each with servers of its own. The longest is first (docs/decisions/0129).
test: check test-fast test-activity
	$(MAKE) --no-print-directory -j3 --output-sync=target test-stories test-docs test-flow test-data-plane FLOW_WORKERS=1
	$(MAKE) --no-print-directory mutants MUTANTS=5

test-fast: $(INSTALLED)
	$(ONCE_MORE) --selectProjects fast --testTimeout=300000 --maxWorkers=2

# They wait for servers for a third of their time, so two cores have work for three.
test-activity: tools
	$(ONCE_MORE) --selectProjects activity --testTimeout=300000 --maxWorkers=3

# Beside other runs of Jest its programs have ports of their own.
FLOW_WORKERS ?= 2
test-flow: tools
	FIRST_WORKER=5 $(ONCE_MORE) --selectProjects flow --testTimeout=300000 --maxWorkers=$(FLOW_WORKERS)

# CAPPSTAN_STACK=.local runs the stories on the stack of `make up`. Without it they get a stack of their own, which is removed afterwards.
test-e2e: test-stories
	$(MAKE) --no-print-directory test-data-plane

tools-for-tests: tools
	@node deploy/local/programs/build.ts --for-tests

test-stories: tools-for-tests
	PORT_RANGE=30500-31250 node test/e2e/with-stack.ts $(ONCE_MORE) --selectProjects e2e --runInBand $(STORY) --testPathIgnorePatterns $(DATA_PLANE)

# It starts a site of its own, and asks nothing of the stack.
DATA_PLANE = test/e2e/site/data-plane
test-data-plane: tools-for-tests
	FIRST_WORKER=7 $(ONCE_MORE) --selectProjects e2e --runInBand $(STORY) --testPathPatterns $(DATA_PLANE)

# What the README and the pages of docs tell people to type, in a clean clone of the last commit. PAGES names some of them.
READ_PAGES = PORT_RANGE=31250-32000 node test/newcomer/run.ts $(PAGES)
test-docs: tools
	$(READ_PAGES) || { echo 'The pages are read once more, from a new clone (docs/decisions/0065).' >&2; $(READ_PAGES); }

record: tools
	RECORD=1 $(JEST) --selectProjects flow --testTimeout=120000 --maxWorkers=2
	$(JEST) --ci=false --updateSnapshot --selectProjects fast --testTimeout=60000 --testPathPatterns test/history

# Records what hub and agents say to each other on the stack of `make up`, for the tests of two versions side by side.
baseline: $(INSTALLED)
	@node test/baseline/record.ts

# Draws the views of the dashboard that stand in docs/dashboard.md.
pictures: tools
	@node test/pictures/draw.ts

# WALKS walks of a Capp, a CappSet and a Bundle each, from one spec to another.
soak: WALKS ?= 500
soak: tools simulate
	node test/soak/hosts.ts
	node test/soak/rollouts.ts
	WALKS=$(WALKS) $(JEST) --selectProjects activity --testTimeout=3600000 --testPathPatterns test/activity/walks
	TWO_HUBS_SECONDS=600 $(JEST) --selectProjects activity --testTimeout=1000000 --testPathPatterns test/activity/site/two-hubs
	node test/e2e/with-stack.ts sh -c 'node test/soak/malformed-capps.ts && node test/soak/idle.ts'
	$(MAKE) --no-print-directory storm builds

# A stack of its own, whose API servers write down who asked what of them. STORM_REST_MINUTES is how long nothing may be
# written when it is over, STORM_CAPPS the number of Capps. UPGRADE_FROM is the commit at which it begins, to go to today's build half-way; with
# FORMER all of it runs on that commit.
storm: export STORM_MINUTES ?= 60
storm: tools
	AUDIT=1 node test/e2e/with-stack.ts node test/soak/storm/storm.ts

# FORMER is the commit of the other build. It is checked out into a folder of its own, with the packages that are installed here.
builds: tools
	node test/e2e/with-stack.ts node test/soak/two-builds.ts

# EVERY=1 lets each write of some quiet stories go wrong in each way, EVERY=move/17/late one of them, and prints what
# happens; PAIRS=1 also two writes in a row. A run without a choice of seeds ends with it.
# SEEDS is the number of seeds, FIRST the first one; SEED=n runs one and prints its story step by step. LIES=1 has one site
# lie in every message that it may send, FLEETS=1 has a CappSet or a Bundle in the world; without a choice of seeds, LIVES
# and FLEET_LIVES such lives follow. It says every half minute, and when it is stopped, with which FIRST to go on.
LIVES ?= 20000
FLEET_LIVES ?= 50000
simulate: $(INSTALLED)
	$(if $(EVERY),,node test/soak/simulate.ts)
	$(if $(EVERY)$(SEED)$(FIRST)$(LIES)$(FLEETS),,LIES=1 SEEDS=$(LIVES) node test/soak/simulate.ts)
	$(if $(EVERY)$(SEED)$(FIRST)$(LIES)$(FLEETS),,FLEETS=1 SEEDS=$(FLEET_LIVES) node test/soak/simulate.ts)
	$(if $(SEED)$(FIRST)$(LIES)$(FLEETS),,node test/soak/every.ts)

# MUTANTS=n takes n mutants, chosen by the commit; MUTANT=n takes the n-th.
mutants: $(INSTALLED)
	node test/mutants/run.ts

# ROOM names a room of test/stryker/rooms.ts. It takes minutes to an hour on one core.
stryker: $(INSTALLED)
	@node test/stryker/run.ts $(ROOM)

# MEASURE names one benchmark, COUNT is the number of Capps; PEER=<a built rcs-ocm-deployer> compares with it; ENGINE=postgres uses a stack of its own whose Temporal keeps its data in PostgreSQL.
bench: $(INSTALLED)
	$(if $(filter postgres,$(ENGINE)),node test/e2e/with-stack.ts) node bench/run.ts

# Targets of the projects that this one follows (docs/parity.md): each says what to type here. `deploy` is a folder, too.
SAY.local-quickstart = make up
SAY.prereq = cappstan base (docs/base.md)
SAY.install = helm install, whose chart brings the kinds (docs/install.md)
SAY.deploy = helm install (docs/install.md); on a site without a hub with --set site.alone=true, for SIPClusters with --set metal.hosts=true
SAY.deploy-status-addon = helm install, whose chart brings the add-on cappstan (docs/install.md)
SAY.deploy-score-addon = $(SAY.deploy-status-addon)
SAY.docker-build = make release REGISTRY=… BASE=… (docs/release.md)
SAY.docker-push = $(SAY.docker-build)
SAY.docker-build-controller = $(SAY.docker-build)
SAY.image = $(SAY.docker-build)
SAY.images = $(SAY.docker-build)
SAY.vendor = nothing, since nothing is vendored
SAY.build = make tools, or make hub for an archive with a whole hub (docs/hub.md)
SAY.run = cappstan hub --config $$CONFIG_DIR (docs/hub.md)
TYPED_THERE = local-quickstart prereq install deploy deploy-status-addon deploy-score-addon docker-build docker-push docker-build-controller image images vendor build run
.PHONY: $(TYPED_THERE)
$(TYPED_THERE):
	@echo 'There is no target $@ here. In its place: $(SAY.$@). docs/parity.md has every command.' >&2; exit 2

$(INSTALLED): package-lock.json
	@node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' || \
	  { echo 'Node 20 or newer is needed, with npm: https://nodejs.org' >&2; exit 1; }
	@echo 'Installing the packages of package-lock.json'
	@PATH='$(MACHINE_PATH)' npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error
	@touch $@
