// What must hold whatever happens, told from the world and not from what a workflow believes.
import type { Capp } from '../../../../crds/capp/capp.ts';
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import { nextStep, type Step } from '../../../../workflows/capp/next/next-step.ts';
import type { LeaveReason } from '../../../../workflows/types/leave-reasons.ts';
import type { Leave, Request } from '../../../../workflows/types/moves.ts';
import { cappWorkflowId } from '../../../../workflows/names.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import { fail } from './breach.ts';
import { clusterOf, factsOf } from '../world/ocm.ts';
import type { Run } from '../engine/run.ts';
import { CopyRules } from './copies.ts';
import { switchesRightly } from './hostnames.ts';
import { PromiseRules } from './promises.ts';
import { RecordRules } from './records.ts';
import type { World } from '../world/world.ts';

/** What a choice has seen may be this old, in milliseconds. */
const NEWS_MS = 30_000;
/** Since when a user must have said something for it to count. */
const SAID_MS = 120_000;
const COOLDOWN_MS = 600_000;
/** Reasons for which a Capp moves without need. */
const VOLUNTARY: ReadonlySet<LeaveReason> = new Set(['Tainted', 'NotSelected', 'Unfit', 'Failback']);
/** How many steps may be taken without time passing. */
const PATIENCE = 60;
/** A life that takes this many steps goes round in circles. */
const LONGEST = 20_000;

export class Rules {
  readonly #world: World;
  readonly #copies: CopyRules;
  readonly #promises: PromiseRules;
  readonly #records: RecordRules;
  readonly #lastMoved = new Map<string, number>();
  readonly #begun = new Map<string, number>();
  readonly #stepsNow = new Map<string, { at: number; count: number }>();
  readonly #hasRetired = new Set<string>();
  readonly #checked = new Map<string, State>();
  readonly #policies = new Map<string, { at: number; policy: string; site: string }[]>();
  readonly #unfit = new Map<string, number>();
  /** By run, how to forget what it has begun in this turn. */
  readonly #undo = new Map<string, (() => void)[]>();
  steps = 0;

  constructor(world: World) {
    this.#world = world;
    this.#copies = new CopyRules(world);
    this.#promises = new PromiseRules(world);
    this.#records = new RecordRules(world);
    world.server.onWrite(({ plural, after }) => {
      if (plural === 'capps' && after !== null) this.#noted(after as unknown as Capp);
      this.#fitness();
    });
  }

  /** What the hub worker has written. */
  get writes(): number {
    return this.#copies.writes;
  }

  /** A person has named a site for a Capp. */
  named(name: string, site: string): void {
    this.#copies.named(name, site);
  }

  /** Something speaks for it that no site can say. */
  mayBeOn(name: string, site: string): boolean {
    return this.#copies.mayBeOn(name, site);
  }

  /** Temporal was wiped: what was done and not yet written down may be done again. */
  forget(): void {
    this.#begun.clear();
    this.#lastMoved.clear();
    for (const name of this.#world.capps) {
      const capp = this.#world.read(name);
      const { result, endedAt } = capp?.status?.migration?.lastMove ?? {};
      if (result === 'Moved' && endedAt !== undefined)
        this.#lastMoved.set(capp?.metadata.uid ?? '', Date.parse(endedAt));
    }
  }

  /** What a run has begun in this turn counts. */
  counted({ id }: Run): void {
    this.#undo.delete(id);
  }

  /**
   * It has not begun anything in this turn: the turn is lost, or what was to be done next is left to the next
   * run.
   */
  lost({ id }: Run): void {
    for (const undo of this.#undo.get(id) ?? []) undo();
    this.#undo.delete(id);
    this.#checked.clear();
  }

  stuck({ id }: Run, error: Error): void {
    fail(this.#world, `3: ${id} cannot go on`, error.stack ?? error.message);
  }

  beforeStep(run: Run): void {
    if (run.type !== 'capp') return;
    const state = run.query('view') as State;
    const { now } = this.#world.clock;
    const step = nextStep(state, Math.floor(now));
    this.#world.tell(`  ${state.capp.name}`, step);
    this.steps += 1;
    const before = this.#stepsNow.get(run.id);
    const count = before?.at === now ? before.count + 1 : 1;
    this.#stepsNow.set(run.id, { at: now, count });
    if (count > PATIENCE || this.steps > LONGEST)
      fail(this.#world, `6: ${run.id} goes round in circles`, { step, state });
    this.#world.tally.note(`the next step is ${step.do}`);
    this.#steps(state, step, Math.floor(now));
    if (step.do === 'switch') switchesRightly(this.#world, state);
  }

  #steps(state: State, step: Step, now: number): void {
    const { uid } = state.capp;
    const world = this.#world;
    if (step.do === 'rest') this.#rests(state, step.until, now);
    if (step.do === 'begin') this.#begins(state, now);
    if (
      step.do === 'remove' &&
      state.move?.strategy === 'Recreate' &&
      step.clusters.includes(state.move.from)
    )
      this.#copies.recreates(state.capp, state.move.from);
    if (step.do === 'retire' && !state.retiring) fail(world, '1: it retires a Capp that is not to go', state);
    if (step.do === 'retire') this.#hasRetired.add(uid);
    else if (!state.retiring) this.#hasRetired.delete(uid);
    if (step.do === 'rest' && state.retiring && step.until === null && !this.#hasRetired.has(uid))
      fail(world, '3: it does not begin to retire', state);
    if (step.do === 'arrive') this.#arrives(state, now);
  }

  afterEvent(): void {
    this.#copies.afterEvent();
    this.#promises.afterEvent();
    this.#records.afterEvent();
    for (const name of this.#world.capps) {
      const state = this.#world.stateOf(name);
      if (state === null || state === this.#checked.get(name)) continue;
      this.#checked.set(name, state);
      this.#believes(state);
    }
  }

  /** At rest nothing is written. */
  quiet(before: number): void {
    if (this.writes !== before)
      fail(this.#world, `6: at rest there were ${this.writes - before} writes`, null);
  }

  #believes(state: State): void {
    const wanted = Object.values(state.copies).filter((copy) => copy.wanted).length;
    if (wanted > 2 || (wanted > 1 && state.move === null))
      fail(this.#world, `2: ${wanted} copies are wanted`, state);
    for (const [cluster, { stamp, finding }] of Object.entries(state.copies)) {
      const isSaid = finding === null || this.#isSaid(cluster, stamp ?? '', JSON.stringify(finding));
      if (!isSaid) fail(this.#world, `4: ${cluster} never said so of ${stamp}`, finding);
    }
    if (state.leave !== null && state.leave.from !== state.serving)
      fail(this.#world, '5: it would leave a site that it is not on', state.leave);
  }

  /** Who lies counts as having said what it says. */
  #isSaid(cluster: string, stamp: string, finding: string): boolean {
    const { lies } = this.#world;
    const isTrue = this.#world.site(cluster)?.said.has(`${stamp} ${finding}`) === true;
    return isTrue || (lies?.site === cluster && lies.hasSaid(stamp, finding));
  }

  #rests(state: State, until: number | null, now: number): void {
    if (until !== null && until <= now) fail(this.#world, '3: it rests until a time that has passed', until);
    const unsaid = conditionsOf(state, now).filter(({ reason, message }) => reason === '' || message === '');
    if (unsaid.length > 0) fail(this.#world, '3: it rests without a reason', unsaid);
  }

  #begins(state: State, now: number): void {
    const { leave, avoid } = state;
    const world = this.#world;
    if (leave === null || leave.to === null) return fail(world, '5: it moves to nowhere', leave);
    const unfit = this.#unfit.get(leave.to);
    if (unfit !== undefined && now - unfit > NEWS_MS)
      fail(world, `5: it moves to ${leave.to}, no site for it for ${now - unfit} ms`, leave);
    if ((avoid[leave.to] ?? 0) > now && leave.reason !== 'Asked')
      fail(world, `5: it moves to ${leave.to}, which it should avoid`, leave);
    this.#copies.sends(state.capp.name, leave.to);
    if (VOLUNTARY.has(leave.reason)) this.#goesByItself(state, leave, now);
    if (leave.request !== null) this.#answers(state.capp, leave.request);
  }

  /** Invariant 5, and what a user has said of moves. */
  #goesByItself({ lastMove, capp }: State, leave: Leave, now: number): void {
    const world = this.#world;
    if (this.#said(capp.name, now - SAID_MS, ({ policy }) => policy === 'Manual'))
      fail(world, '5: it moves although its policy is Manual', leave);
    if (this.#said(capp.name, now - SAID_MS, ({ site }) => site === leave.from))
      fail(world, '5: it moves although spec.site names its site', leave);
    const movedAt = this.#lastMoved.get(capp.uid);
    if (movedAt !== undefined && now < movedAt + COOLDOWN_MS - 1_000)
      fail(world, '5: it moves within its cool-down', { leave, lastMove });
  }

  #answers(ref: State['capp'], { source, id }: Request): void {
    const key = `${ref.uid} ${source} ${id}`;
    const times = (this.#begun.get(key) ?? 0) + 1;
    this.#begun.set(key, times);
    this.#inTurn(ref, () => void this.#begun.set(key, times - 1));
    if (times > 1 && (source === 'migrate' || source === 'force'))
      fail(this.#world, `5: request ${key} is done twice`, id);
  }

  #arrives({ capp }: State, now: number): void {
    const before = this.#lastMoved.get(capp.uid);
    this.#lastMoved.set(capp.uid, now);
    this.#inTurn(
      capp,
      () =>
        void (before === undefined
          ? this.#lastMoved.delete(capp.uid)
          : this.#lastMoved.set(capp.uid, before)),
    );
  }

  #inTurn({ namespace, name }: State['capp'], undo: () => void): void {
    const id = cappWorkflowId(namespace, name);
    this.#undo.set(id, [undo, ...(this.#undo.get(id) ?? [])]);
  }

  #noted({ metadata: { name }, spec: { site = '', migration } }: Capp): void {
    const known = this.#policies.get(name) ?? [];
    const policy = migration?.policy ?? '';
    if (known.at(-1)?.policy === policy && known.at(-1)?.site === site) return;
    this.#policies.set(name, [...known, { at: this.#world.clock.now, policy, site }]);
  }

  #said(name: string, since: number, is: (one: { policy: string; site: string }) => boolean): boolean {
    const known = this.#policies.get(name) ?? [];
    const first = known.findLastIndex(({ at }) => at <= since);
    return first >= 0 && known.slice(first).every(is);
  }

  /** Since when a cluster is no site for anybody. */
  #fitness(): void {
    for (const { name } of this.#world.sites) {
      const cluster = clusterOf(this.#world, name);
      const isFit =
        cluster !== null && cluster.metadata.deletionTimestamp === undefined && factsOf(cluster).accepted;
      if (isFit) this.#unfit.delete(name);
      else if (!this.#unfit.has(name)) this.#unfit.set(name, this.#world.clock.now);
    }
  }
}
