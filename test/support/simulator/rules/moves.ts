// What must hold of moves that begin: where to, how often, and what people have said of them.
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { LeaveReason } from '../../../../workflows/types/leave-reasons.ts';
import type { Leave, Request } from '../../../../workflows/types/moves.ts';
import { cappWorkflowId } from '../../../../workflows/names.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import type { Run } from '../engine/run.ts';
import { clusterOf, factsOf } from '../world/ocm.ts';
import type { World } from '../world/world.ts';
import { fail } from './breach.ts';
import type { CopyRules } from './copies.ts';
import { HealingRules } from './healing.ts';
import { OtherHubRules } from './other-hubs.ts';

/** What a choice has seen may be this old, in milliseconds. */
const NEWS_MS = 30_000;
/** Since when a user must have said something for it to count. */
const SAID_MS = 120_000;
const COOLDOWN_MS = 600_000;
/** Reasons for which a Capp moves without need. */
const VOLUNTARY: ReadonlySet<LeaveReason> = new Set([
  'Tainted',
  'NotSelected',
  'Unfit',
  'Unhealthy',
  'Failback',
]);

export class MoveRules {
  readonly #world: World;
  readonly #copies: CopyRules;
  readonly #healing: HealingRules;
  readonly #otherHubs: OtherHubRules;
  readonly #lastMoved = new Map<string, number>();
  readonly #begun = new Map<string, number>();
  readonly #policies = new Map<string, { at: number; policy: string; site: string }[]>();
  readonly #unfit = new Map<string, number>();
  /** By run, how to forget what it has begun in this turn. */
  readonly #undo = new Map<string, (() => void)[]>();

  constructor(world: World, copies: CopyRules) {
    this.#world = world;
    this.#copies = copies;
    this.#healing = new HealingRules(world);
    this.#otherHubs = new OtherHubRules(world);
    world.server.onWrite(({ plural, after }) => {
      if (plural === 'capps' && after !== null) this.#noted(after as unknown as Capp);
      this.#fitness();
    });
  }

  /** Temporal was wiped: what was done and not yet written down may be done again. */
  forget(): void {
    this.#healing.forget();
    this.#otherHubs.forget();
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
  }

  /** A move begins. */
  begins(state: State, now: number): void {
    const { leave, avoid } = state;
    const world = this.#world;
    if (leave === null || leave.to === null) return fail(world, '5: it moves to nowhere', leave);
    const unfit = this.#unfit.get(leave.to);
    if (unfit !== undefined && now - unfit > NEWS_MS)
      fail(world, `5: it moves to ${leave.to}, no site for it for ${now - unfit} ms`, leave);
    if ((avoid[leave.to] ?? 0) > now && leave.reason !== 'Asked')
      fail(world, `5: it moves to ${leave.to}, which it should avoid`, leave);
    this.#copies.sends(state.capp.name, leave.to);
    this.#inTurn(state.capp, this.#healing.begins(state, leave, now));
    this.#inTurn(state.capp, this.#otherHubs.begins(state, leave, now));
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

  /** A Capp has moved. */
  arrives({ capp }: State, now: number): void {
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
