// The world of the simulator: the hub, its sites, OCM's placing, the bridge, Temporal with its workflows, and
// a few Capps.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import type { Hub } from '../../../../workflows/ports/hub.ts';
import type { KubeRequest } from '../../../../kube/http/transport.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import { cappWorkflowId } from '../../../../workflows/names.ts';
import type { Random } from '../../builders/random.ts';
import { NOW } from '../../builders/states.ts';
import { ApiServer } from '../api/api-server.ts';
import type { Breach } from '../rules/breach.ts';
import type { Clockwork } from '../engine/clockwork.ts';
import { createCapp } from './capps.ts';
import { WAITING, type Fault } from './faults.ts';
import type { End } from '../engine/exchange.ts';
import { Dns } from './dns.ts';
import { settleOcm } from './ocm.ts';
import { startBridge, startHubWorker, type HubWorker } from './parts.ts';
import { NAMESPACE } from './names.ts';
import { Placing } from './placing.ts';
import { Rules } from '../rules/rules.ts';
import { Tally } from '../rules/tally.ts';
import { FleetLife } from '../fleet/fleet.ts';
import { LIVED } from '../fleet/kinds.ts';
import { hold } from '../fleet/rules.ts';
import { NARROW, shapeOf } from '../fleet/shape.ts';
import { lyingSite, type Lies } from '../lies/lies.ts';
import type { Run } from '../engine/run.ts';
import { Site } from '../site/site.ts';
import { Temporal, type Around } from '../engine/temporal.ts';
import type { FleetKind } from '../../../../workflows/fleet/port.ts';
import type { Trial } from './trial.ts';
import { askAgent } from './way-to-sites.ts';

/** Of fleets on few sites, so many have Capps of others beside them, each of which costs as much. */
const WITH_CAPPS = 0.25;

export interface Meter {
  /** The hub's activities, each of which says which it is. */
  activities(hub: Hub): Hub;
  asked(request: KubeRequest): void;
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
  /** In a quiet world: the Capps that its story makes. */
  readonly capps?: readonly string[];
  /** In a quiet world: of which kind its story makes an object. */
  readonly fleetOf?: FleetKind | undefined;
  /** Lets a write go wrong. */
  readonly trial?: Trial | undefined;
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
  /** There is, or may be, a CappSet or a Bundle. */
  readonly hasFleets: boolean;
  readonly trial: Trial | undefined;
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
    capps,
    fleetOf,
    trial,
    temporal = (around) => new Temporal(around),
  }: Beginning) {
    this.clock = clock;
    this.random = dice;
    this.story = story;
    this.meter = meter;
    this.trial = trial;
    this.hasFleets = fleet !== null || fleetOf !== undefined;
    this.calm = isQuiet;
    this.flaps = this.random.chance(0.3);
    this.#lags = this.random.chance(0.2);
    this.#roughness = this.random.pick([0.2, 1, 1, 3]);
    this.#faults = new Set(
      faults.filter((fault) => !WAITING.has(fault) && (isQuiet || this.random.chance(0.5))),
    );
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
    if (fleetOf !== undefined) hold(this, LIVED[fleetOf]);
    this.#hubWorker = startHubWorker(this);
    this.#endBridge = startBridge(this);
    const isEmpty = isQuiet || this.placing.isWide || (fleet !== null && !fleet.chance(WITH_CAPPS));
    const born = ['a', 'b', 'c'].slice(0, isEmpty ? 0 : this.random.pick([1, 2, 2, 3]));
    this.capps = capps ?? born;
    for (const name of born) this.clock.after(this.between(500, 20_000), () => createCapp(this, name));
    this.lies = lies === null ? null : lyingSite(this, lies, () => this.hub);
  }

  #around(counted: Beginning['counted']): Around {
    return {
      clock: this.clock,
      hub: () => this.hub,
      askAgent: (run, command, done) => askAgent(this, run, command, done),
      between: (least, most) => this.between(least, most),
      slips: (probability) => this.slips(probability),
      random: () => this.random.next(),
      tell: (line, what) => this.tell(line, what),
      shown: (run) => this.rules.beforeStep(run),
      loses: (run) => this.trial?.loses(this, run.id) === true,
      counted: (run, turn, end) => {
        this.rules.counted(run);
        this.trial?.counted(this, run.id);
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

  /** The activities of the hub worker that runs now. */
  get hub(): Hub {
    return this.#hubWorker.hub;
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

  #ended(run: Run, end: End): void {
    this.tell(`${run.id} ends`, end.is);
    if (end.is === 'stuck') this.rules.stuck(run, end.error);
    if (end.is === 'failed') this.rules.stuck(run, end.error);
  }
}
