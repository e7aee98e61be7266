// What must hold whatever happens, told from the world and not from what the workflow believes. A breach is an Error that says which rule.
import { conditionsOf } from '../../../workflows/decide/conditions.ts';
import { isHeldBack } from '../../../workflows/decide/copies.ts';
import { groundsOf } from '../../../workflows/decide/removal.ts';
import type { Step } from '../../../workflows/decide/next-step.ts';
import type { Leave, LeaveReason, Request } from '../../../workflows/moves.ts';
import type { State } from '../../../workflows/state.ts';
import type { Site } from './site.ts';
import type { World } from './world.ts';

/** What the workflow has heard may be this old, in milliseconds. */
const NEWS_MS = 120_000;
/** Reasons for which a Capp moves without need. */
const VOLUNTARY: ReadonlySet<LeaveReason> = new Set(['Tainted', 'NotSelected', 'Failback']);
/** How many steps may be taken without time passing. */
const PATIENCE = 60;
/** A life that takes this many steps goes round in circles. */
const LONGEST = 6_000;

export class Rules {
  readonly #world: World;
  #checked: State | null = null;
  #lastMoved: { at: number; uid: string } | null = null;
  readonly #begun = new Map<string, number>();
  #stepsNow = { at: 0, count: 0 };
  #hasRetired = false;
  steps = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Temporal was wiped: what was done and not yet written down may be done again. */
  forget(): void {
    this.#begun.clear();
    const capp = this.#world.hub.get('Capp');
    const { result, endedAt = '' } = capp?.status?.migration?.lastMove ?? {};
    this.#lastMoved = result === 'Moved' ? { at: Date.parse(endedAt), uid: capp?.metadata.uid ?? '' } : null;
  }

  beforeStep(state: State, step: Step): void {
    const { now } = this.#world.clock;
    this.steps += 1;
    this.#stepsNow = this.#stepsNow.at === now ? { at: now, count: this.#stepsNow.count + 1 } : { at: now, count: 1 };
    if (this.#stepsNow.count > PATIENCE || this.steps > LONGEST) fail(`6: it goes round in circles`, { step, state });
    if (step.do === 'rest') this.#rests(state, step.until);
    if (step.do === 'remove') this.#removes(state, step.clusters);
    if (step.do === 'begin') this.#begins(state);
    if (step.do === 'retire' && !state.retiring) fail('1: it retires a Capp that is not to go', state);
    this.#hasRetired = state.retiring && (this.#hasRetired || step.do === 'retire');
    if (step.do === 'rest' && state.retiring && !this.#hasRetired && step.until === null) fail('3: it does not begin to retire', state);
    if (step.do === 'arrive') this.#lastMoved = { at: now, uid: state.capp.uid };
  }

  afterEvent(state: State): void {
    if (state === this.#checked) return;
    this.#checked = state;
    const wanted = Object.values(state.copies).filter((copy) => copy.wanted).length;
    if (wanted > 2 || (wanted > 1 && state.move === null)) fail(`2: ${wanted} copies are wanted`, state);
    for (const [cluster, { stamp, finding }] of Object.entries(state.copies)) {
      const isSaid = finding === null || this.#world.site(cluster)?.said.has(`${stamp} ${JSON.stringify(finding)}`);
      if (isSaid !== true) fail(`4: ${cluster} never said so of ${stamp}`, finding);
    }
    if (state.leave !== null && state.leave.from !== state.serving) fail('5: it would leave a site that it is not on', state.leave);
  }

  #rests(state: State, until: number | null): void {
    const { now } = this.#world.clock;
    if (until !== null && until <= now) fail('3: it rests until a time that has passed', until);
    const unsaid = conditionsOf(state, now).filter(({ reason, message }) => reason === '' || message === '');
    if (unsaid.length > 0) fail('3: it rests without a reason', unsaid);
  }

  /** Invariant 1. */
  #removes(state: State, clusters: readonly string[]): void {
    const { clock } = this.#world;
    const works = this.#world.hub.get('ManifestWork');
    const staying = groundsOf(state, clusters, clock.now).staying?.cluster ?? null;
    // Then nothing is removed at all.
    if (staying !== null && works[staying]?.leaving !== false) return;
    const isStaying = (cluster: string): boolean => works[cluster]?.leaving === false && !clusters.includes(cluster);
    const isServing = (site: Site): boolean => site.isServing() || clock.now - site.healthyAt <= NEWS_MS;
    const other = this.#world.sites.some((site) => isStaying(site.name) && isServing(site));
    for (const cluster of clusters) {
      if (works[cluster]?.leaving !== false || this.#world.site(cluster)?.isServing() !== true) continue;
      const isOwnWord = state.move?.strategy === 'Recreate' && state.move.from === cluster && !isHeldBack(state);
      if (!other && !isOwnWord) fail(`1: it removes the last healthy copy, on ${cluster}`, state);
    }
  }

  #begins(state: State): void {
    const { leave, avoid } = state;
    if (leave === null || leave.to === null) return fail('5: it moves to nowhere', leave);
    const { now } = this.#world.clock;
    const unfit = this.#world.unfit.get(leave.to);
    if (unfit !== undefined && now - unfit > NEWS_MS / 4) fail(`5: it moves to ${leave.to}, no site for it for ${now - unfit} ms`, leave);
    if ((avoid[leave.to] ?? 0) > now && leave.reason !== 'Asked') fail(`5: it moves to ${leave.to}, which it should avoid`, leave);
    if (VOLUNTARY.has(leave.reason)) this.#goesByItself(state, leave);
    if (leave.request !== null) this.#answers(state.capp.uid, leave.request);
  }

  /** Invariant 5, and what a user has said of moves. */
  #goesByItself({ lastMove, capp }: State, leave: Leave): void {
    const { now } = this.#world.clock;
    if (this.#world.policySince('Manual', now - NEWS_MS)) fail('5: it moves although its policy is Manual', leave);
    if (this.#world.pinnedSince(leave.from, now - NEWS_MS)) fail('5: it moves although spec.site names its site', leave);
    const isEarly = this.#lastMoved?.uid === capp.uid && now < this.#lastMoved.at + this.#world.cooldownMs - 1_000;
    if (isEarly) fail('5: it moves within its cool-down', { leave, lastMove });
  }

  #answers(uid: string, { source, id }: Request): void {
    const key = `${uid} ${source} ${id}`;
    const times = (this.#begun.get(key) ?? 0) + 1;
    this.#begun.set(key, times);
    if (times > 1 && (source === 'migrate' || source === 'force')) fail(`5: request ${key} is done twice`, id);
  }
}

export class Breach extends Error {}

export function fail(rule: string, what: unknown): never {
  throw new Breach(`${rule}: ${JSON.stringify(what)}`);
}
