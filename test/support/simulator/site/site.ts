// A site of the simulator: its work agent applies and cleans up late or not at all, its apps become Ready or
// fail, its agent tells or is silent.
import { MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { InventoryEntry } from '../../../../workflows/types/ring.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import type { Finding } from '../../../../workflows/types/copy.ts';
import { Agent } from './agent.ts';
import { broughtBy, entryOf, isStanding, keyIn, type SiteCopy } from './brought.ts';
import { Certificates } from './certificates.ts';
import { findingOf } from './findings.ts';
import { OtherHubs } from './other-hubs.ts';
import { PlainWorks } from './plain-works.ts';
import type { World } from '../world/world.ts';

export type Mood = 'good' | 'slow' | 'failing';

type Work = ManifestWork & KubeObject;

const CLEANUP = 'cluster.open-cluster-management.io/manifest-work-cleanup';
/** OCM's work agent takes away what no work explains any more after so long. */
const EVICTION_MS = 3_600_000;

export class Site {
  up = true;
  agentUp = true;
  pulls = true;
  mood: Mood = 'good';
  /** By `<namespace>/<name>`. */
  readonly standing = new Map<string, SiteCopy>();
  /** All that its agent could truthfully have said. */
  readonly said = new Set<string>();
  /** By stamp, when a copy on it last answered requests. */
  readonly healthyAt = new Map<string, number>();
  readonly agent: Agent;
  readonly certificates: Certificates;
  readonly plain: PlainWorks;
  readonly others = new OtherHubs();
  readonly name: string;
  readonly #world: World;
  #polledAt: number;

  constructor(name: string, world: World) {
    this.name = name;
    this.#world = world;
    this.agent = new Agent(this, world);
    this.certificates = new Certificates(world, this.standing, (key, copy) => this.#say(key, copy));
    this.plain = new PlainWorks(this, world);
    this.#polledAt = world.clock.now;
  }

  /** The work agent looks at a work in a while. */
  nudge(work: string): void {
    this.#world.clock.after(this.#world.between(50, this.mood === 'slow' ? 120_000 : 4_000), () =>
      this.#sync(work),
    );
  }

  turn(part: 'up' | 'agentUp' | 'pulls', on: boolean): void {
    this.isAnswering();
    this[part] = on;
    this.triesAgain();
    if (on) this.#evict();
    for (const { key, stamp } of this.standing.values()) if (on && part === 'up') this.#rollOut(key, stamp);
    if (on && part === 'up') this.plain.goOn();
    this.agent.turned(part === 'agentUp' && on);
  }

  feel(mood: Mood): void {
    this.mood = mood;
    this.plain.goOn();
    for (const { key, stamp } of this.standing.values()) this.#rollOut(key, stamp);
  }

  /** What the site shows of a copy changes by itself. */
  shows(key: string, finding: Finding): void {
    const standing = this.standing.get(key);
    if (standing !== undefined) this.#say(key, { ...standing, finding });
  }

  /** Somebody deletes a copy there, and its work stays. */
  loses(key: string): void {
    this.#say(key, null);
  }

  /** As its work agent does by itself now and then. */
  triesAgain(): void {
    for (const { metadata } of this.#works()) this.nudge(metadata.name);
  }

  /** The cluster is gone, and what ran there is no copy of ours any more. */
  clear(): void {
    this.plain.clear();
    for (const key of this.standing.keys()) this.#say(key, null);
  }

  isAnswering(): boolean {
    const isIt = this.up && this.agentUp;
    if (isIt) this.#polledAt = this.#world.clock.now;
    return isIt;
  }

  polledAt(): number {
    this.isAnswering();
    return this.#polledAt;
  }

  isServing(key: string): boolean {
    return this.up && this.standing.get(key)?.finding.healthy === true;
  }

  entries(): InventoryEntry[] {
    return [...this.standing.values()].map(entryOf);
  }

  #works(): Work[] {
    return (this.#world.server.all(MANIFEST_WORK) as Work[]).filter(
      ({ metadata }) => metadata.namespace === this.name,
    );
  }

  #sync(name: string): void {
    const work = this.#read(name);
    if (!this.up || !this.pulls) return;
    if (work === null) return this.#evict();
    if (work.metadata.deletionTimestamp !== undefined) return this.#cleanUp(work);
    if (work.metadata.finalizers?.includes(CLEANUP) === true) return this.#apply(work);
    // What it has read it may bring to the site before its finalizer stands on the hub.
    if (this.#world.knows('strays') && this.#world.random.chance(0.3)) {
      this.#apply(work);
      this.#world.clock.after(this.#world.between(10, 1_500), () => this.#hold(name));
      return;
    }
    this.#hold(name);
    this.#world.clock.after(this.#world.between(10, 500), () => this.#sync(name));
  }

  #read(name: string): Work | null {
    return this.#world.server.read(MANIFEST_WORK, { namespace: this.name, name }) as Work | null;
  }

  #hold(name: string): void {
    this.#change(name, (work) => ({
      ...work,
      metadata: { ...work.metadata, finalizers: [...(work.metadata.finalizers ?? []), CLEANUP] },
    }));
  }

  #change(name: string, change: (work: Work) => object): void {
    this.#world.server.put<Work>(
      MANIFEST_WORK,
      { namespace: this.name, name },
      (work) =>
        work === null ||
        (work.metadata.deletionTimestamp !== undefined &&
          work.metadata.finalizers?.includes(CLEANUP) !== true)
          ? work
          : (change(work) as typeof work),
      'site',
    );
  }

  #cleanUp(work: Work): void {
    this.plain.cleanUp(work);
    const key = keyIn(work);
    if (key !== null && this.standing.get(key)?.workUid === work.metadata.uid) {
      if (this.others.refusesDeletions) return;
      this.#say(key, null);
    }
    this.#change(work.metadata.name, (one) => ({ ...one, metadata: { ...one.metadata, finalizers: [] } }));
  }

  /** In a while, if no work has come for it by then. */
  #evict(): void {
    this.#world.clock.after(EVICTION_MS, () => {
      const explained = new Set(this.#works().map(({ metadata }) => metadata.uid));
      this.plain.evict(explained);
      for (const { key, workUid } of this.standing.values())
        if (!explained.has(workUid)) this.#say(key, null);
    });
  }

  #apply(work: Work): void {
    if (this.plain.apply(work)) return;
    const brought = broughtBy(work, this.#world.clock.now);
    const key = keyIn(work) ?? '';
    const isThere = isStanding(this.standing.get(key), brought);
    // What is there already is written no more, and so not refused.
    if (!isThere && this.others.refuses(key)) return this.#refuse(work, key);
    this.#report(work.metadata);
    if (brought !== null && !isThere) this.#bring(brought);
  }

  #bring(brought: Omit<SiteCopy, 'finding'>): void {
    const before = this.standing.get(brought.key);
    const isSame = before?.stamp === brought.stamp;
    const finding = isSame
      ? before.finding
      : findingOf('Progressing', 'Deploying', before?.finding.healthy === true);
    this.#say(brought.key, { ...brought, since: before?.since ?? brought.since, finding });
    if (!isSame) this.#rollOut(brought.key, brought.stamp);
  }

  /** As a work agent does of each work, of one that brings nothing of a Capp, too. */
  #report({ generation, name }: Work['metadata']): void {
    const applied = {
      type: 'Applied',
      status: 'True',
      reason: 'AppliedManifestWorkComplete',
      observedGeneration: generation,
    };
    this.#change(name, (one) => ({ ...one, status: { conditions: [applied] } }));
  }

  /** OCM tries again each minute, and says the same. */
  #refuse(work: Work, key: string): void {
    const status = this.others.statusOf(work, key);
    this.#change(work.metadata.name, (one) => ({ ...one, status }));
  }

  /** The app becomes what its site makes of it. */
  #rollOut(key: string, stamp: string): void {
    const range = { good: [500, 20_000], slow: [30_000, 900_000], failing: [500, 60_000] } as const;
    const [least, most] = range[this.mood];
    this.#world.clock.after(this.#world.between(least, most), () => {
      const standing = this.standing.get(key);
      if (standing?.stamp !== stamp || !this.up) return;
      const stillServes = standing.finding.healthy && this.#world.random.chance(0.5);
      const finding =
        this.mood === 'failing' || standing.isBroken
          ? findingOf('Failed', 'RolloutFailed', stillServes)
          : findingOf('Ready', 'Ready', true);
      this.#say(key, { ...standing, finding });
      if (finding.verdict === 'Ready') this.certificates.askFor(key);
    });
  }

  #say(key: string, standing: SiteCopy | null): void {
    const before = this.standing.get(key) ?? null;
    if (standing === null) this.standing.delete(key);
    else this.standing.set(key, standing);
    if (standing !== null) this.said.add(`${standing.stamp} ${JSON.stringify(standing.finding)}`);
    if (before?.stamp === standing?.stamp && before?.finding.statusHash === standing?.finding.statusHash)
      return;
    this.#world.tell(
      `${this.name} has ${key} ${standing === null ? 'no more' : `${standing.finding.verdict} ${standing.stamp}`}`,
    );
    this.agent.changed(key, standing, before !== null);
  }
}
