// What must hold of copies at every instant: the last healthy one is not taken away by us, `Recreate` does
// not run twice, and nothing goes to a site that nobody named.
import type { Capp } from '../../../../crds/capp/capp.ts';
import { ABANDON, CAPP_UID, FORCE } from '../../../../crds/labels.ts';
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { PlacementDecision } from '../../../../crds/ocm/placements.ts';
import type { Write } from '../api/objects.ts';
import { WAITING } from '../world/faults.ts';
import { decidedBy, worksOn } from '../world/ocm.ts';
import { HUB, keyOfName } from '../world/names.ts';
import type { CappRef } from '../../../../workflows/capp/state.ts';
import { fail } from './breach.ts';
import { isEmpty, keyIn } from '../site/brought.ts';
import type { Site } from '../site/site.ts';
import type { World } from '../world/world.ts';

/**
 * What an agent has said of a copy counts for so long after it has become untrue, in milliseconds: the word
 * travels, and the deed follows.
 */
const WORD_MS = 30_000;
/** So long may a removal with `Recreate` be done after it was begun. */
const GROUNDS_MS = 60_000;
/** A decision that was withdrawn may still be acted on for so long. */
const DECIDED_MS = 120_000;

export class CopyRules {
  writes = 0;
  readonly #world: World;
  /** By Capp: the sites that people have named for it. */
  readonly #named = new Map<string, Set<string>>();
  /** By cluster, when a placement last held it. */
  readonly #decided = new Map<string, number>();
  /** Where a Capp was rightly sent before. */
  readonly #sent = new Set<string>();
  /** By Capp, since when its strategy is `Recreate`. */
  readonly #recreates = new Map<string, number>();
  /** By Capp and site, when a removal with `Recreate` was begun last. */
  readonly #leaves = new Map<string, number>();
  /** By Capp: somebody has said that a copy counts for nothing, or has taken works away. */
  readonly #words = new Set<string>();

  constructor(world: World) {
    this.#world = world;
    world.server.onWrite((write) => this.#wrote(write));
  }

  named(name: string, site: string): void {
    const known = this.#named.get(name) ?? new Set<string>();
    this.#named.set(name, known.add(site));
  }

  afterEvent(): void {
    const { now } = this.#world.clock;
    for (const site of this.#world.sites)
      for (const { key, stamp } of site.standing.values())
        if (site.isServing(key)) site.healthyAt.set(stamp, now);
    if (!WAITING.has('Recreate runs once'))
      for (const [name, since] of this.#recreates) this.#runsOnce(name, since);
  }

  #wrote({ plural, by, before, after }: Write): void {
    if (by === HUB) this.writes += 1;
    if (plural === 'capps') this.#said(before as unknown as Capp | null, after as unknown as Capp | null);
    if (plural === 'placementdecisions') this.#decides(before);
    if (plural !== 'manifestworks') return;
    const isGoing = after === null || after.metadata.deletionTimestamp !== undefined;
    if (by !== HUB) return this.#foreign(before as ManifestWork | null, isGoing);
    if (after !== null) this.#ships(before as ManifestWork | null, after as ManifestWork);
    if (before !== null && before.metadata.deletionTimestamp === undefined && isGoing)
      this.#removes(before as ManifestWork);
  }

  #said(before: Capp | null, after: Capp | null): void {
    const name = (after ?? before)?.metadata.name ?? '';
    const isOther = before !== null && before.metadata.uid !== after?.metadata.uid;
    if (isOther) this.#words.delete(name);
    if (isOther || after?.spec.migration?.strategy !== 'Recreate') this.#recreates.delete(name);
    if (after !== null) this.#wishes(name, after);
  }

  #wishes(name: string, after: Capp): void {
    const { site = '', migration } = after.spec;
    if (this.#world.names.includes(site)) this.named(name, site);
    if ([FORCE, ABANDON].some((word) => after.metadata.annotations?.[word] !== undefined))
      this.#words.add(name);
    if (migration?.strategy === 'Recreate' && !this.#recreates.has(name))
      this.#recreates.set(name, this.#world.clock.now);
  }

  /** What was decided until now, or is from now on. */
  #decides(before: PlacementDecision | null): void {
    const was = new Set((before?.status?.decisions ?? []).map(({ clusterName }) => clusterName));
    for (const name of this.#world.names)
      if (was.has(name) || this.#isDecided(name)) this.#decided.set(name, this.#world.clock.now);
  }

  /** What others do to a work, no rule of ours can make good. */
  #foreign(work: ManifestWork | null, isGoing: boolean): void {
    const [, name = ''] = (work === null ? null : keyIn(work))?.split('/') ?? [];
    if (isGoing && work?.metadata.deletionTimestamp === undefined) this.#words.add(name);
  }

  #isDecided(cluster: string): boolean {
    return ['all', 'edge'].some((placement) => decidedBy(this.#world, placement).includes(cluster));
  }

  /** A work carries Secrets: it goes where a placement has decided or a person has said, and nowhere else. */
  #ships(before: ManifestWork | null, work: ManifestWork): void {
    const key = keyIn(work) ?? '';
    const [, name = ''] = key.split('/');
    const cluster = work.metadata.namespace ?? '';
    // A work that only lets a copy be removed brings nothing of the Capp.
    if (isEmpty(work)) return;
    // A namesake takes over what is there; one that carried another Capp is not there for this one.
    if (before !== null && keyIn(before) === key)
      this.#sent.add(`${this.#world.read(name)?.metadata.uid} ${cluster}`);
    else this.sends(name, cluster);
  }

  /** What was so when a move to a cluster began counts until it ends. */
  sends(name: string, cluster: string): void {
    if (!this.mayBeOn(name, cluster))
      fail(this.#world, `security: ${name} goes to ${cluster}, which nobody named for it`, null);
    this.#sent.add(this.#placeOf(name, cluster));
  }

  /** A placement has decided for it, a person has named it, or the Capp was rightly sent there before. */
  mayBeOn(name: string, cluster: string): boolean {
    const { now } = this.#world.clock;
    const decided = this.#isDecided(cluster) ? now : (this.#decided.get(cluster) ?? 0);
    const isNamed = this.#named.get(name)?.has(cluster) === true;
    return now - decided < DECIDED_MS || isNamed || this.#sent.has(this.#placeOf(name, cluster));
  }

  #placeOf(name: string, cluster: string): string {
    return `${this.#world.read(name)?.metadata.uid} ${cluster}`;
  }

  /**
   * Invariant 1: what a copy is, is what its site shows. Of one that is cut off, what its agent last said may
   * be honoured.
   */
  #removes(work: ManifestWork): void {
    const key = keyIn(work) ?? '';
    const [, name = ''] = key.split('/');
    const capp = this.#world.read(name);
    const isGone =
      capp === null ||
      capp.metadata.deletionTimestamp !== undefined ||
      work.metadata.labels?.[CAPP_UID] !== capp.metadata.uid;
    const site = this.#world.site(work.metadata.namespace ?? '');
    const isHealthy = site?.isServing(key) === true && site.standing.get(key)?.workUid === work.metadata.uid;
    if (isGone || !isHealthy || this.#isOwnWord(name, capp, site)) return;
    if (this.#world.sites.some((other) => other !== site && this.#stays(other, key))) return;
    fail(
      this.#world,
      `1: the last healthy copy of ${name} is removed, on ${site.name}`,
      this.#world.stateOf(name),
    );
  }

  /** A workflow is about to remove the only copy, as `Recreate` has it. */
  recreates({ uid }: CappRef, from: string): void {
    this.#leaves.set(`${uid} ${from}`, this.#world.clock.now);
  }

  /**
   * `Recreate` is the user's word that the old copy goes first; a person may also force. A removal that was
   * begun on that ground counts for as long as the ground does, although Temporal was wiped since and nobody
   * remembers the move: the activity has looked at the Capp itself.
   */
  #isOwnWord(name: string, { spec, metadata }: Capp, site: Site): boolean {
    // What a site says of itself it may lose by.
    if (this.#world.lies?.site === site.name) return true;
    const move = this.#world.stateOf(name)?.move;
    const isRecreated = spec.migration?.strategy === 'Recreate';
    if (move?.from === site.name && move.strategy === 'Recreate') return isRecreated || move.request !== null;
    const begun = this.#leaves.get(`${metadata.uid} ${site.name}`) ?? -Infinity;
    if (isRecreated && this.#world.clock.now - begun < GROUNDS_MS) return true;
    return metadata.annotations?.[FORCE] !== undefined;
  }

  #stays(site: Site, key: string): boolean {
    const standing = site.standing.get(key);
    if (this.#world.lies?.site === site.name) return this.#isShipped(site.name, key);
    const work = worksOn(this.#world, site.name).find(({ metadata }) => metadata.uid === standing?.workUid);
    if (standing === undefined || work === undefined || work.metadata.deletionTimestamp !== undefined)
      return false;
    const isCutOff = !site.up || !site.agentUp;
    const servedAt = site.healthyAt.get(standing.stamp) ?? -Infinity;
    return (
      site.isServing(key) ||
      (isCutOff && standing.finding.healthy) ||
      this.#world.clock.now - servedAt < WORD_MS
    );
  }

  /** Of a site that lies nobody can know more. It must have been rightly sent there. */
  #isShipped(cluster: string, key: string): boolean {
    return worksOn(this.#world, cluster).some(
      (work) => keyIn(work) === key && work.metadata.deletionTimestamp === undefined && !isEmpty(work),
    );
  }

  #runsOnce(name: string, since: number): void {
    const capp = this.#world.read(name);
    if (capp === null || capp.metadata.deletionTimestamp !== undefined || this.#words.has(name)) return;
    const running = this.#world.sites.filter((site) =>
      this.#runs(site, name, capp.metadata.uid ?? '', since),
    );
    if (running.length < 2) return;
    fail(
      this.#world,
      `1: ${name} is to be recreated and runs on ${running.map((site) => site.name).join(' and ')}`,
      this.#world.stateOf(name),
    );
  }

  #runs(site: Site, name: string, uid: string, since: number): boolean {
    const standing = site.standing.get(keyOfName(name));
    return standing?.uid === uid && standing.since >= since;
  }
}
