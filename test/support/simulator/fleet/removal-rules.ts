// What must hold whenever the hub removes a copy of a fleet that lives: its site is not selected, no more go
// within ten minutes than may go unasked or than a person has allowed of exactly these, and the last Ready
// copy stays.
import { heldSetOf } from '../../../../activities/hub/rollout/memory.ts';
import { digestOf } from '../../../../crds/digest.ts';
import { APPROVE_REMOVAL } from '../../../../crds/labels.ts';
import type { Placement } from '../../../../crds/ocm/placements.ts';
import { isOrphaning } from '../../../../kube/finalizer.ts';
import type { Write } from '../api/objects.ts';
import { fail } from '../rules/breach.ts';
import { isRunning, type Copy, type Fleet } from './lived.ts';
import { DEED_MS, WORD_MS, type Witness } from './witness.ts';

const COUNTED_MS = 600_000;
/** A cluster that is lost is in the caches of the hub worker by then. */
const KNOWN_MS = 5_000;

/** What lets copies go. */
interface Grant {
  /** Of these sites alone; null: of any. */
  readonly sites: ReadonlySet<string> | null;
  left: number;
  until: number;
}

export class RemovalRules {
  readonly #witness: Witness;
  /** Sites that were to go together, by the digest that a person names. */
  readonly #sets = new Map<string, readonly string[]>();
  #grants: Grant[] = [];
  /** How many more may go because `numberOfClusters` was lowered. */
  #lowered: Grant = nothing();
  /** `numberOfClusters` of each Placement, by its name. */
  readonly #numbers = new Map<string, number | undefined>();
  /** When copies went that needed no permission. */
  #unasked: number[] = [];
  /** How many copies there were, by time. */
  #counts: { readonly at: number; readonly count: number }[] = [];
  #keepsSince: number | null = null;
  /** Sites that were to be left when that was last noted. */
  #left: readonly string[] = [];
  /** When somebody else last took a copy away. */
  #foreignAt = -Infinity;

  constructor(witness: Witness) {
    this.#witness = witness;
  }

  heard({ plural, before, after }: Write): void {
    const { lived } = this.#witness;
    if (plural === 'placements') this.#numbered(before, after);
    if (plural === 'placementdecisions' || [lived.copies.plural, lived.resource.plural].includes(plural))
      this.#noteLeaving();
  }

  /** Hears of it before `heard` does. */
  changed(before: Fleet | null, after: Fleet | null): void {
    const { now } = this.#witness;
    if (before?.metadata.uid !== after?.metadata.uid) this.#forget();
    if (before !== null && placeOf(before) !== placeOf(after)) this.#swapped(before);
    const asked = after?.metadata.annotations?.[APPROVE_REMOVAL];
    if (asked !== undefined && asked !== before?.metadata.annotations?.[APPROVE_REMOVAL]) this.#allow(asked);
    if (after?.spec.whenUnselected !== 'Keep') this.#keepsSince = null;
    else this.#keepsSince ??= now;
  }

  /** Another object has no past. */
  #forget(): void {
    this.#grants = [];
    this.#lowered = nothing();
    this.#unasked = [];
  }

  /** What was begun before the change may still be done. */
  #swapped({ spec }: Fleet): void {
    const until = this.#witness.now + DEED_MS;
    const { left } = spec.sites === undefined ? this.#lowered : { left: Infinity };
    this.#grants = [...this.#grants, { sites: new Set(this.#left), left, until }];
    this.#lowered = nothing();
  }

  #allow(asked: string): void {
    const [count = '', digest = ''] = asked.split('#');
    const sites = this.#sets.get(digest);
    if (sites === undefined) return;
    this.#grants.push({ sites: new Set(sites), left: Number(count), until: Infinity });
  }

  #numbered(before: Placement | null, after: Placement | null): void {
    const [was, is] = [before, after].map((one) => one?.spec?.numberOfClusters);
    const name = (after ?? before)?.metadata.name ?? '';
    this.#numbers.set(name, is);
    if (after?.metadata.name !== this.#witness.fleet()?.spec.placement) return;
    if (was === undefined || is === undefined) return;
    this.#lowered = { ...nothing(), left: Math.max(0, this.#lowered.left + was - is) };
  }

  /** Sites that are to be left, sorted. */
  #leaving(): string[] {
    const selected = new Set(this.#witness.selected());
    return this.#witness
      .copies()
      .filter(({ site, isGoing }) => !isGoing && !selected.has(site))
      .map(({ site }) => site)
      .toSorted();
  }

  #noteLeaving(): void {
    const { now } = this.#witness;
    const leaving = this.#leaving();
    this.#left = leaving;
    const memory = {
      uid: this.#witness.fleet()?.metadata.uid ?? '',
      leaving: { digest: digestOf(leaving.join(' '), 10), since: 0 },
    };
    if (leaving.length > 0) this.#sets.set(heldSetOf(memory), leaving);
    const { length: count } = this.#witness.copies();
    if (this.#counts.at(-1)?.count !== count) this.#counts.push({ at: now, count });
  }

  /** Somebody else takes a copy away. */
  taken(): void {
    this.#foreignAt = this.#witness.now;
  }

  removes(copy: Copy): void {
    const fleet = this.#witness.fleet();
    if (fleet === null) return;
    if (isOrphaning(fleet)) this.#breach('a copy goes that is to be orphaned', copy.site);
    if (fleet.metadata.deletionTimestamp !== undefined) return;
    if (!this.#witness.wasUnselected(copy.site))
      this.#breach('a copy goes from a site that is selected', copy);
    const keptFor = this.#keepsSince === null ? 0 : this.#witness.now - this.#keepsSince;
    if (keptFor > WORD_MS) this.#breach('a copy goes that is to be kept', copy.site);
    const isAllowed = this.#take(copy.site);
    if (!isAllowed) this.#isReplaced(copy);
    if (!isAllowed) this.#isNoEvidence(fleet, copy);
    if (isAllowed || fleet.spec.sites !== undefined || this.#takeLowered()) return;
    if (this.#isMove(fleet, copy)) return;
    this.#isFew(fleet);
  }

  /** A person has said so of this copy, and it counts once. */
  #take(site: string): boolean {
    const { now } = this.#witness;
    this.#grants = this.#grants.filter(({ left, until }) => left > 0 && now < until);
    const found = this.#grants.find(({ sites }) => sites === null || sites.has(site));
    if (found === undefined) return false;
    found.left -= 1;
    return true;
  }

  #takeLowered(): boolean {
    if (this.#lowered.left <= 0) return false;
    this.#lowered.left -= 1;
    return true;
  }

  /**
   * The Placement selects one site, the copy there is Ready, and no third one is there: those that are going
   * were counted when they went.
   */
  #isMove({ spec }: Fleet, { site }: Copy): boolean {
    const others = this.#witness.copies().filter((one) => one.site !== site && !one.isGoing);
    const [other] = others;
    if (this.#numbers.get(spec.placement ?? '') !== 1 || other === undefined || others.length > 1)
      return false;
    return other.isReady || this.#witness.wasReady(other.site);
  }

  /** Nobody misses a copy that runs nothing. */
  #isReplaced(copy: Copy): void {
    const { site } = copy;
    const others = this.#witness.copies().filter((one) => one.site !== site && !one.isGoing);
    const isOther = others.some((one) => this.#witness.wasRunning(one.site));
    const isForeign = this.#witness.now - this.#foreignAt < WORD_MS;
    if (isRunning(copy) && !isOther && !isForeign) this.#breach('the last Ready copy goes', site);
  }

  /**
   * What was lost with a revision that is under way, in a stage that has not passed, proves that it may be
   * why.
   */
  #isNoEvidence({ spec, status }: Fleet, { site, written }: Copy): void {
    const { revision, settled, direction, aborted, closed = [] } = status?.rollout ?? {};
    const isUnderWay = revision !== settled && direction === 'Forward' && aborted === false;
    if (!isUnderWay || closed.length > 0 || spec.sites !== undefined) return;
    if (written?.revision !== revision || !this.#witness.isSilent(site, KNOWN_MS)) return;
    this.#breach('a copy goes unasked that was lost with the revision under way', site);
  }

  #isFew(fleet: Fleet): void {
    const { now } = this.#witness;
    this.#unasked = [...this.#unasked.filter((at) => now < at + COUNTED_MS), now];
    const known = this.#counts.filter(({ at }, index) => {
      const next = this.#counts[index + 1]?.at ?? now;
      return at >= now - COUNTED_MS || next >= now - COUNTED_MS;
    });
    const most = Math.max(1, Math.floor(Math.max(0, ...known.map(({ count }) => count)) / 10));
    if (this.#unasked.length > most)
      this.#breach(`${this.#unasked.length} copies go within ten minutes, and ${most} may`, fleet.status);
  }

  #breach(rule: string, what: unknown): void {
    fail(this.#witness.world, `fleet: ${rule}`, what);
  }
}

function nothing(): Grant {
  return { sites: null, left: 0, until: Infinity };
}

function placeOf(fleet: Fleet | null): string {
  return JSON.stringify([fleet?.spec.sites, fleet?.spec.placement, fleet?.metadata.uid]);
}
