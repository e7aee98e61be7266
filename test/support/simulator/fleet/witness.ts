// What has been so of a fleet, and when: told from the API server and the sites alone, and not from what the
// hub worker believes.
import { isMember, type ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import type { Stored, Write } from '../api/objects.ts';
import { clusterOf, decidedBy, factsOf, isGoing } from '../world/ocm.ts';
import type { World } from '../world/world.ts';
import { copiesOf, copyIn, isRunning, readFleet, type Copy, type Fleet, type Lived } from './lived.ts';

/** What was so counts for so long after it has become untrue: the word travels, and the deed follows. */
export const WORD_MS = 60_000;
/** What was begun is done within this. */
export const DEED_MS = 25_000;

interface Ready {
  readonly revision: string;
  readonly since: number;
  /** When it was so last. */
  until: number;
}

export class Witness {
  readonly world: World;
  readonly lived: Lived;
  /** By site. */
  readonly #ready = new Map<string, Ready>();
  /** By site, when its copy was last Ready and ran the app. */
  readonly #ran = new Map<string, number>();
  /** By site, when its copy last said that waiting does not help. */
  readonly #failed = new Map<string, number>();
  /** Sites on whose copy somebody else has written last. */
  readonly #touched = new Set<string>();
  /** By site, when it was last not selected. */
  readonly #unselected = new Map<string, number>();
  /** By site, when it was last selected. */
  readonly #selected = new Map<string, number>();
  /** By site, when the hub last heard that it is there, or that it is not. */
  readonly #turned = new Map<string, number>();
  /** By site, when it was last no member of the hub. */
  readonly #outside = new Map<string, number>();
  #last: ReadonlySet<string> = new Set();
  #joinedAt = -Infinity;
  readonly #proven = new Set<string>();

  constructor(world: World, lived: Lived) {
    this.world = world;
    this.lived = lived;
  }

  get now(): number {
    return this.world.clock.now;
  }

  heard({ plural, by, before, after }: Write): void {
    if (plural === 'managedclusters') this.#turns(before, after);
    if (plural === this.lived.copies.plural) this.#copy({ by, before, after });
    if (plural === 'placementdecisions' || plural === this.lived.resource.plural) this.#select();
  }

  #turns(before: Stored | null, after: Stored | null): void {
    const site = (after ?? before)?.metadata.name ?? '';
    this.#turned.set(site, this.now);
    if (!isIn(before) || !isIn(after)) this.#outside.set(site, this.now);
    if (!isIn(before) && isIn(after)) this.#joinedAt = this.now;
  }

  #edits(site: string, by: Write['by']): void {
    if (by === 'others') this.#touched.add(site);
    else this.#touched.delete(site);
  }

  #copy({ by, before, after }: Pick<Write, 'by' | 'before' | 'after'>): void {
    const fleet = this.fleet();
    const object = after ?? before;
    const copy = fleet === null || object === null ? null : copyIn(this.lived, object, fleet);
    if (copy === null) return;
    const revision = copy.written?.revision ?? '';
    this.#sees(before);
    this.#sees(after);
    if (before?.metadata.generation !== after?.metadata.generation) this.#edits(copy.site, by);
    const known = this.#ready.get(copy.site);
    if (after === null || !copy.isReady) return this.#ends(copy.site);
    this.#proven.add(revision);
    if (known?.revision === revision && this.#isStill(known)) return;
    this.#ready.set(copy.site, { revision, since: this.#readySince(copy), until: Infinity });
  }

  #sees(object: Stored | null): void {
    const fleet = this.fleet();
    const copy = fleet === null || object === null ? null : copyIn(this.lived, object, fleet);
    if (copy?.isFailed === true) this.#failed.set(copy.site, this.now);
    if (copy !== null && isRunning(copy)) this.#ran.set(copy.site, this.now);
  }

  /**
   * As its status says: that was true before it could be written, but not for longer than it takes to do so.
   */
  #readySince({ object, written }: Copy): number {
    const { conditions = [] } = (object['status'] ?? {}) as Fleet['status'] & object;
    const said = conditions.find(({ type }) => type === 'Ready')?.lastTransitionTime;
    const least = Math.max(this.now - DEED_MS, written?.at ?? -Infinity);
    return said === undefined ? this.now : Math.min(this.now, Math.max(least, Date.parse(said)));
  }

  #isStill({ until }: Ready): boolean {
    return until === Infinity;
  }

  #ends(site: string): void {
    const known = this.#ready.get(site);
    if (known?.until === Infinity) known.until = this.now;
  }

  #select(): void {
    const selected = new Set(this.selected());
    if ([...selected].some((name) => !this.#last.has(name))) this.#joinedAt = this.now;
    for (const name of [...selected, ...this.#last]) this.#selected.set(name, this.now);
    this.#last = selected;
    for (const name of this.world.names) if (!selected.has(name)) this.#unselected.set(name, this.now);
  }

  fleet(): Fleet | null {
    return readFleet(this.world, this.lived);
  }

  copies(): Copy[] {
    return copiesOf(this.world, this.lived);
  }

  selected(): readonly string[] {
    const { spec } = this.fleet() ?? {};
    return spec?.sites?.clusters ?? decidedBy(this.world, spec?.placement ?? '');
  }

  isSelected(site: string): boolean {
    return this.selected().includes(site);
  }

  /** Those that are, or were a moment ago. */
  selectedOfLate(): readonly string[] {
    const late = [...this.#selected].filter(([, at]) => this.now - at < WORD_MS).map(([name]) => name);
    return [...new Set([...this.selected(), ...late])];
  }

  /** A moment ago, or now. */
  wasUnselected(site: string): boolean {
    return !this.isSelected(site) || this.now - (this.#unselected.get(site) ?? -Infinity) < WORD_MS;
  }

  /** Ready with this revision for at least so long, now or a moment ago; of any revision if it is null. */
  wasReady(site: string, revision: string | null = null, forMs = 0): boolean {
    const known = this.#ready.get(site);
    if (known === undefined || (revision !== null && known.revision !== revision)) return false;
    const until = Math.min(known.until, this.now);
    return this.now - until < WORD_MS && until - known.since >= forMs - WORD_MS / 12;
  }

  /** A copy that is Ready and runs the app is there, or was a moment ago. */
  wasRunning(site: string): boolean {
    const isSo = this.copies().some((copy) => copy.site === site && isRunning(copy));
    return isSo || this.now - (this.#ran.get(site) ?? -Infinity) < WORD_MS;
  }

  /** Now or a moment ago; what a person has written on counts as failed. */
  wasFailed(site: string): boolean {
    const isSo = this.copies().some((copy) => copy.site === site && copy.isFailed);
    return isSo || this.#touched.has(site) || this.now - (this.#failed.get(site) ?? -Infinity) < WORD_MS;
  }

  /** Some copy was Ready with it. */
  isProven(revision: string): boolean {
    return this.#proven.has(revision);
  }

  /** The hub knows by now that it can be reached, and that it may go there. */
  isOpen(site: string): boolean {
    return this.#isKnown(site, true) && this.world.site(site)?.up === true;
  }

  /** The hub has accepted it, and knows that by now. */
  isInside(site: string): boolean {
    return isIn(clusterOf(this.world, site)) && this.now - (this.#outside.get(site) ?? -Infinity) >= WORD_MS;
  }

  isMember(site: string): boolean {
    return isIn(clusterOf(this.world, site));
  }

  /**
   * The hub knows by now that nothing can be heard of the site, where a copy with this revision stands: it
   * may be why. People have taken it neither out by name nor from the hub.
   */
  isLostWith(site: string, revision: string): boolean {
    const has = this.copies().find((copy) => copy.site === site);
    if (has === undefined || has.isGoing || has.written?.revision !== revision) return false;
    const isNamed = this.fleet()?.spec.sites !== undefined;
    const isNews = [this.#turned, this.#unselected].some((at) => this.now - (at.get(site) ?? 0) < WORD_MS);
    if (isNews && !this.isSelected(site)) return false;
    return this.isSilent(site) && this.isInside(site) && (this.isSelected(site) || !isNamed);
  }

  /**
   * Nothing can be heard of a member of the hub, and the hub has known both for so long. Where there is no
   * member, people have seen to that, and no revision.
   */
  isSilent(site: string, forMs = WORD_MS): boolean {
    const cluster = clusterOf(this.world, site);
    const isNews = this.now - (this.#turned.get(site) ?? -Infinity) < forMs;
    return !isNews && cluster !== null && isIn(cluster) && !factsOf(cluster).available;
  }

  /**
   * Sites that were lost with this revision, and that nobody selects any more. Before the first settled
   * revision they keep the app from no site where it would be nowhere else: `into` gets it now.
   */
  lostWith(revision: string, into: string | null): readonly string[] {
    const stands = this.copies().some(
      ({ site }) => site !== into && this.isSelected(site) && this.isOpen(site),
    );
    if (!stands && this.fleet()?.status?.rollout?.settled === undefined) return [];
    const selected = new Set(this.selected());
    return this.world.names.filter((site) => !selected.has(site) && this.isLostWith(site, revision));
  }

  /** Since when no site was selected, or is a member of the hub, that was not before. */
  get joinedAt(): number {
    return this.#joinedAt;
  }

  /** The hub knows by now that it cannot be reached, and may go there. */
  isOffline(site: string): boolean {
    return this.#isKnown(site, false);
  }

  #isKnown(site: string, isAvailable: boolean): boolean {
    const cluster = clusterOf(this.world, site);
    if (cluster === null || isGoing(this.world, site)) return false;
    const { accepted, available } = factsOf(cluster);
    const isNews = this.now - (this.#turned.get(site) ?? -Infinity) < WORD_MS;
    return accepted && available === isAvailable && !isNews;
  }
}

function isIn(cluster: unknown): boolean {
  return cluster !== null && isMember(cluster as ManagedCluster);
}
