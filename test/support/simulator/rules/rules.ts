// What must hold whatever happens, told from the world and not from what a workflow believes.
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import { nextStep, type NextStep } from '../../../../workflows/capp/next/next-step.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import { fail } from './breach.ts';
import type { Run } from '../engine/run.ts';
import { CopyRules } from './copies.ts';
import { switchesRightly } from './hostnames.ts';
import { MoveRules } from './moves.ts';
import { PromiseRules } from './promises.ts';
import { RecordRules } from './records.ts';
import type { World } from '../world/world.ts';

/** How many steps may be taken without time passing. */
const PATIENCE = 60;
/** A life that takes this many steps goes round in circles. */
const LONGEST = 20_000;

export class Rules {
  readonly #world: World;
  readonly #copies: CopyRules;
  readonly #moves: MoveRules;
  readonly #promises: PromiseRules;
  readonly #records: RecordRules;
  readonly #stepsNow = new Map<string, { at: number; count: number }>();
  readonly #hasRetired = new Set<string>();
  readonly #checked = new Map<string, State>();
  steps = 0;

  constructor(world: World) {
    this.#world = world;
    this.#copies = new CopyRules(world);
    this.#promises = new PromiseRules(world);
    this.#records = new RecordRules(world);
    this.#moves = new MoveRules(world, this.#copies);
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
    this.#moves.forget();
  }

  /** What a run has begun in this turn counts. */
  counted(run: Run): void {
    this.#moves.counted(run);
  }

  /** The turn is lost, or what was to be done next is left to the next run. */
  lost(run: Run): void {
    this.#moves.lost(run);
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

  #steps(state: State, step: NextStep, now: number): void {
    const { uid } = state.capp;
    const world = this.#world;
    if (step.do === 'rest') this.#rests(state, step.until, now);
    if (step.do === 'begin') this.#moves.begins(state, now);
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
    if (step.do === 'arrive') this.#moves.arrives(state, now);
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
}
