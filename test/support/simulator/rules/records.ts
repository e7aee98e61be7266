// Users are led to a copy that serves them: a record is never deleted under its Capp, and the copy to which
// DNS leads is not taken away while it serves and can be reached.
import type { Capp } from '../../../../crds/capp/capp.ts';
import { ABANDON, FORCE } from '../../../../crds/labels.ts';
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { Write } from '../api/objects.ts';
import { DNS, ingressOf, recordOf } from '../world/dns.ts';
import { HUB, keyOfName } from '../world/names.ts';
import { clusterOf, factsOf } from '../world/ocm.ts';
import { keyIn } from '../site/brought.ts';
import type { World } from '../world/world.ts';
import { fail } from './breach.ts';

/** A copy that has served on a site that can be reached for so long, in milliseconds, is known to serve. */
const NEWS_MS = 60_000;
const GONE = { accepted: false, available: false } as const;

export class RecordRules {
  readonly #world: World;
  /** By site and Capp: since when the copy serves and its site can be reached. */
  readonly #servingSince = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
    world.server.onWrite((write) => this.#wrote(write));
  }

  afterEvent(): void {
    if (!this.#world.knows('records')) return;
    for (const site of this.#world.sites)
      for (const name of this.#world.capps) {
        const at = `${site.name} ${name}`;
        const cluster = clusterOf(this.#world, site.name);
        const { accepted, available } =
          cluster === null || cluster.metadata.deletionTimestamp !== undefined ? GONE : factsOf(cluster);
        const isThere = accepted && available && site.isAnswering();
        if (!isThere || !site.isServing(keyOfName(name))) this.#servingSince.delete(at);
        else if (!this.#servingSince.has(at)) this.#servingSince.set(at, this.#world.clock.now);
      }
  }

  #wrote({ plural, by, before, after }: Write): void {
    if (by !== HUB || before === null) return;
    const isGoing = after === null || after.metadata.deletionTimestamp !== undefined;
    if (!isGoing || before.metadata.deletionTimestamp !== undefined) return;
    if (plural === 'cnamerecords' && this.#living(before.metadata.name.split('.')[0] ?? '') !== null)
      fail(this.#world, '8: a record is deleted under its Capp', before);
    if (plural === 'manifestworks') this.#removes(before as ManifestWork);
  }

  #removes(work: ManifestWork): void {
    const name = keyIn(work)?.split('/')[1] ?? '';
    const site = work.metadata.namespace ?? '';
    const capp = this.#living(name);
    const answer = this.#world.dns.answers.get(recordOf(name));
    if (capp === null || answer === undefined || !this.#isGood(site, name)) return;
    const { now } = this.#world.clock;
    const isWithin = now - answer.since < DNS.ttlSeconds * 1000;
    if (answer.target === ingressOf(site) || (isWithin && this.#ledBefore.get(name) === site))
      fail(this.#world, `8: the copy of ${name} on ${site} is removed while DNS leads users there`, {
        answer,
        state: this.#world.stateOf(name),
      });
  }

  /** By Capp: where DNS led before it led where it leads now. */
  get #ledBefore(): ReadonlyMap<string, string> {
    return this.#world.dns.ledBefore;
  }

  #living(name: string): Capp | null {
    const capp = this.#world.read(name);
    const { deletionTimestamp, annotations = {} } = capp?.metadata ?? {};
    const isOverridden = [FORCE, ABANDON].some((word) => annotations[word] !== undefined);
    const isRecreated = capp?.spec.migration?.strategy === 'Recreate';
    return capp === null || deletionTimestamp !== undefined || isOverridden || isRecreated ? null : capp;
  }

  #isGood(site: string, name: string): boolean {
    if (this.#world.lies?.site === site) return false;
    const since = this.#servingSince.get(`${site} ${name}`);
    return since !== undefined && this.#world.clock.now - since > NEWS_MS;
  }
}
