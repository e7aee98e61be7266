// The world of the simulator: the hub, its sites, OCM's placing, the bridge, Temporal with its workflows, and
// a few Capps.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import type { Hub } from '../../../../workflows/ports/hub.ts';
import type { Request } from '../../../../kube/http/transport.ts';
import type { Answer, Question } from '../../../../workflows/ports/agent.ts';
import { rungFor } from '../../../../workflows/types/ring.ts';
import type { CappRef, State } from '../../../../workflows/capp/state.ts';
import { cappWorkflowId } from '../../../../workflows/names.ts';
import type { Random } from '../../builders/random.ts';
import { NOW } from '../../builders/states.ts';
import { ApiServer } from '../api/api-server.ts';
import type { Breach } from '../rules/breach.ts';
import { capp } from '../../../../testbed/capps.ts';
import type { Clockwork, Cancel } from '../engine/clockwork.ts';
import { WAITING, type Fault } from './faults.ts';
import type { Command, End } from '../engine/instance.ts';
import { Dns, recordOf } from './dns.ts';
import { settleOcm } from './ocm.ts';
import { startBridge, startHubWorker, type HubWorker } from './parts.ts';
import { CANARY, NAMESPACE } from './names.ts';
import { Placing } from './placing.ts';
import { Rules } from '../rules/rules.ts';
import { Tally } from '../rules/tally.ts';
import { silence } from './silence.ts';
import { FleetLife } from '../fleet/fleet.ts';
import { NARROW, shapeOf } from '../fleet/shape.ts';
import { lyingSite, type Lies } from '../lies/lies.ts';
import type { Done, Run } from '../engine/run.ts';
import { Site } from './site.ts';
import { Temporal, type Around } from '../engine/temporal.ts';

/** Of fleets on few sites, so many have Capps of others beside them, each of which costs as much. */
const WITH_CAPPS = 0.25;

export interface Meter {
  /** The hub's activities, each of which says which it is. */
  activities(hub: Hub): Hub;
  asked(request: Request): void;
  noted(): void;
}

export interface Beginning {
  readonly clock: Clockwork;
  readonly dice: Random;
  readonly story: ((line: string) => void) | null;
  readonly faults: readonly Fault[];
  /** The dice of a site that lies; without them no site does. */
  readonly lies?: Random | null;
  /** The dice of a CappSet and of who changes it; without them there is none. */
  readonly fleet?: Random | null;
  /** Hears of every turn of a workflow that counts. */
  readonly counted?: Around['counted'] | undefined;
  /** Hears of every request of the hub worker, and of its events. */
  readonly meter?: Meter | undefined;
  /** Nothing goes wrong, and nobody makes a Capp by himself. */
  readonly isQuiet?: boolean;
  /** The Temporal that workflows run on; in virtual time if nothing is said. */
  readonly temporal?: (around: Around) => Temporal;
}

export class World {
  readonly clock: Clockwork;
  readonly random: Random;
  readonly server: ApiServer;
  readonly dns: Dns;
  readonly temporal: Temporal;
  readonly names: readonly string[];
  readonly placing: Placing;
  readonly sites: readonly Site[];
  readonly rules: Rules;
  readonly tally: Tally;
  readonly lies: Lies | null;
  readonly fleet: FleetLife | null;
  readonly capps: readonly string[];
  /** No more trouble: what is asked is answered, and nothing gets lost. */
  calm = false;
  /** How often OCM changes its mind without need. */
  readonly flaps: boolean;
  readonly story: ((line: string) => void) | null;
  readonly meter: Meter | undefined;
  breach: Breach | null = null;
  readonly #faults: ReadonlySet<Fault>;
  /** How bad the trouble is. */
  readonly #roughness: number;
  readonly #lags: boolean;
  #hubWorker: HubWorker;
  #endBridge: () => void;

  /** Takes a clock and dice that the code in this world uses already. */
  constructor({
    clock,
    dice,
    story,
    faults,
    lies = null,
    fleet = null,
    counted,
    meter,
    isQuiet = false,
    temporal = (around) => new Temporal(around),
  }: Beginning) {
    this.clock = clock;
    this.random = dice;
    this.story = story;
    this.meter = meter;
    this.calm = isQuiet;
    this.flaps = this.random.chance(0.3);
    this.#lags = this.random.chance(0.2);
    this.#roughness = this.random.pick([0.2, 1, 1, 3]);
    this.#faults = new Set(faults.filter((fault) => !WAITING.has(fault) && this.random.chance(0.5)));
    this.server = new ApiServer(() => this.clock.now);
    this.tally = new Tally(this.server);
    this.dns = new Dns(this);
    this.temporal = temporal(this.#around(counted));
    const shape = fleet === null ? NARROW : shapeOf(fleet);
    this.names = shape.names;
    this.placing = new Placing(this.names);
    this.sites = this.names.map((name) => new Site(name, this));
    settleOcm(this);
    this.server.onWrite(({ plural, after, before, by }) => {
      const { namespace = '', name = '' } = (after ?? before)?.metadata ?? {};
      if (plural === 'manifestworks' && by !== 'site') this.site(namespace)?.nudge(name);
    });
    this.rules = new Rules(this);
    this.fleet = fleet === null ? null : new FleetLife(this, fleet, shape);
    this.#hubWorker = startHubWorker(this);
    this.#endBridge = startBridge(this);
    const isEmpty = isQuiet || this.placing.isWide || (fleet !== null && !fleet.chance(WITH_CAPPS));
    this.capps = ['a', 'b', 'c'].slice(0, isEmpty ? 0 : this.random.pick([1, 2, 2, 3]));
    for (const name of this.capps) this.clock.after(this.between(500, 20_000), () => this.create(name));
    this.lies = lies === null ? null : lyingSite(this, lies, () => this.#hubWorker.hub);
  }

  #around(counted: Beginning['counted']): Around {
    return {
      clock: this.clock,
      hub: () => this.#hubWorker.hub,
      askAgent: (run, command, done) => this.#askAgent(run, command, done),
      between: (least, most) => this.between(least, most),
      slips: (probability) => this.slips(probability),
      random: () => this.random.next(),
      tell: (line, what) => this.tell(line, what),
      shown: (run) => this.rules.beforeStep(run),
      counted: (run, turn, end) => {
        this.rules.counted(run);
        this.lies?.rules.counted(turn);
        counted?.(run, turn, end);
      },
      lost: (run) => {
        this.tally.note('a turn is lost');
        this.rules.lost(run);
      },
      ended: (run, end) => this.#ended(run, end),
    };
  }

  tell(line: string, what?: unknown): void {
    if (this.story === null) return;
    const more = what === undefined ? '' : ` ${JSON.stringify(what).slice(0, 300)}`;
    this.story(`${((this.clock.now - NOW) / 1000).toFixed(1).padStart(9)} s  ${line}${more}`);
  }

  /** The first rule that was broken counts. */
  fail(breach: Breach): void {
    this.breach ??= breach;
  }

  knows(fault: Fault): boolean {
    return this.#faults.has(fault);
  }

  site(name: string): Site | undefined {
    return this.sites.find((site) => site.name === name);
  }

  between(least: number, most: number): number {
    return least + this.random.next() * (most - least);
  }

  /** Something went wrong on the way, as it does while there is trouble. */
  slips(probability: number): boolean {
    return !this.calm && this.random.chance(Math.min(0.5, probability * this.#roughness));
  }

  isLagging(): boolean {
    return this.#lags && this.slips(0.2);
  }

  read(name: string): Capp | null {
    return this.server.read(CAPP, { namespace: NAMESPACE, name }) as Capp | null;
  }

  /** What the workflow of a Capp believes; null if there is none. */
  stateOf(name: string): State | null {
    return (this.temporal.runs.get(cappWorkflowId(NAMESPACE, name))?.query('view') ?? null) as State | null;
  }

  changeCapp(name: string, change: (capp: Capp) => Capp): void {
    this.server.put<Capp>(CAPP, { namespace: NAMESPACE, name }, (before) =>
      before === null ? null : change(before),
    );
  }

  changeSpec(
    name: string,
    change: { readonly [K in keyof Capp['spec']]?: Capp['spec'][K] | undefined },
  ): void {
    this.changeCapp(name, (before) => ({ ...before, spec: { ...before.spec, ...change } as Capp['spec'] }));
  }

  create(name: string): void {
    const { random: dice } = this;
    const migration = {
      policy: dice.pick(['Evacuate', 'Evacuate', 'Follow', 'Manual']),
      strategy: dice.pick(['MakeBeforeBreak', 'MakeBeforeBreak', 'Recreate']),
      failback: dice.pick(['Never', 'Manual', 'Automatic']),
    };
    const site = dice.pick(['', '', 'all', 'edge', 'site-1']);
    const isChecked = migration.strategy !== 'Recreate' && /[aceg]$/.test(name);
    const verify = isChecked ? { verify: [{ name: 'answers', http: { path: '/' } }] } : {};
    const routeSpec = this.knows('records') ? { routeSpec: { hostname: recordOf(name) } } : {};
    const container = { envFrom: [{ secretRef: { name: `secret-${name}` } }] };
    const made = capp({
      namespace: NAMESPACE,
      name,
      container,
      spec: {
        site,
        state: 'enabled',
        scaleMetric: 'concurrency',
        migration: { ...migration, ...verify },
        ...routeSpec,
      },
    });
    this.writeSecret(name, (before) => before ?? 1);
    this.server.put<Capp>(CAPP, { namespace: NAMESPACE, name }, (before) => before ?? made);
    this.tell(`${name} is made`, { site, migration });
  }

  /** Null: there is none. */
  writeSecret(name: string, change: (before: number | null) => number | null): void {
    const key = { namespace: NAMESPACE, name: `secret-${name}` };
    this.server.put<Secret & { metadata: { name: string } }>(SECRET, key, (before) => {
      const next = change(before === null ? null : Number(before.data?.['count']?.slice(CANARY.length)));
      return next === null
        ? null
        : { metadata: { ...before?.metadata, ...key }, data: { count: `${CANARY}${next}` } };
    });
  }

  /** As when its process dies. */
  endBridge(): void {
    this.#endBridge();
  }

  restartBridge(): void {
    this.#endBridge();
    this.#endBridge = startBridge(this);
  }

  restartHubWorker(): void {
    this.#hubWorker.end();
    this.#hubWorker = startHubWorker(this);
  }

  /** An agent says what it has: rings for what looks different from what the hub has published. */
  inventory(cluster: string, entries: ReturnType<Site['entries']>): void {
    this.clock.after(this.between(10, 2_000), () => {
      void this.#hubWorker.hub
        .compare(cluster, { entries, after: null, upTo: null })
        .then(({ differing }) => {
          for (const { namespace, name } of differing)
            this.temporal.send(cappWorkflowId(namespace, name), 'ring', [rungFor('site')]);
        });
    });
  }

  ringFromSite(key: string): void {
    const [namespace = '', name = ''] = key.split('/');
    const ring = (): void =>
      void this.temporal.send(cappWorkflowId(namespace, name), 'ring', [rungFor('site')]);
    this.clock.after(this.between(5, 500), ring);
    if (this.slips(0.05)) this.clock.after(this.between(5, 10_000), ring);
  }

  #askAgent(
    run: Pick<Run, 'id'>,
    { name: kind, cluster, given }: Extract<Command, { do: 'agent' }>,
    done: Done,
  ): Cancel {
    const [ref, question] = given as [CappRef, Question];
    const heard = (answer: Answer | null, silent: boolean): void =>
      done(silent ? { error: silence(kind) } : { value: answer });
    if (this.lies?.tells(cluster) === true) return this.lies.ask({ kind, given }, done);
    const site = this.site(cluster);
    if (site !== undefined && kind === 'verify')
      return this.#check(site, `${ref.namespace}/${ref.name}`, question.stamp, done);
    if (site === undefined || kind === 'measure' || kind === 'verify')
      return this.clock.after(60_000, () => heard(null, true));
    this.tell(`    ${run.id} asks ${cluster}: ${kind}`);
    return site.agent.ask({ kind, key: `${ref.namespace}/${ref.name}`, question }, heard);
  }

  /** Most apps do what is asked of them, and all do in the end. Nobody answers on a site that is away. */
  #check(site: Site, key: string, stamp: string, done: Done): Cancel {
    return this.clock.after(this.between(500, 30_000), () => {
      if (!site.isAnswering()) return done({ error: silence('verify') });
      const standing = site.standing.get(key);
      if (standing?.stamp !== stamp) return done({ value: null });
      const isGood = standing.finding?.verdict === 'Ready' && (this.calm || this.random.chance(0.8));
      const counts = { successful: isGood ? 3 : 0, failed: isGood ? 0 : 1, inconclusive: 0, errors: 0 };
      this.tell(`${site.name} has checked ${key}: ${isGood ? 'passed' : 'failed'}`);
      return done({ value: { figures: [{ name: 'answers', ...counts, last: [] }] } });
    });
  }

  #ended(run: Run, end: End): void {
    this.tell(`${run.id} ends`, end.is);
    if (end.is === 'stuck') this.rules.stuck(run, end.error);
    if (end.is === 'failed') this.rules.stuck(run, end.error);
  }
}
