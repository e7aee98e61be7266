// What must hold of a Capp that leaves because it is unhealthy: told from what the hub and the sites show,
// and not from what its workflow remembers.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { SITE_REASONS } from '../../../../crds/capp/conditions.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import type { Leave } from '../../../../workflows/types/moves.ts';
import { clusterOf, factsOf } from '../world/ocm.ts';
import { keyOfName } from '../world/names.ts';
import type { World } from '../world/world.ts';
import { fail } from './breach.ts';

/** What a choice has seen may be this old, in milliseconds. */
const NEWS_MS = 30_000;
const TOGETHER_MS = 600_000;
const QUARTER = 0.25;
const FEWEST = 3;
const DAY_MS = 86_400_000;

/** Where one generation of a Capp has been because it was unhealthy. */
interface Tries {
  readonly generation: number;
  readonly sites: readonly string[];
  readonly moves: number;
  readonly at: number;
}

export class HealingRules {
  readonly #world: World;
  /** By uid. */
  readonly #tries = new Map<string, Tries>();
  /** Since when a cluster is no healthy one. */
  readonly #sick = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
    world.server.onWrite(({ plural }) => {
      if (plural === 'managedclusters') this.#looked();
    });
  }

  /** Temporal was wiped: what the status does not say yet may be done again. */
  forget(): void {
    this.#tries.clear();
    for (const name of this.#world.capps) {
      const capp = this.#world.read(name);
      const { generation, from, to, moves } = capp?.status?.migration?.healing ?? {};
      if (generation === undefined || from === undefined || to === undefined || moves === undefined) continue;
      const at = this.#world.clock.now;
      this.#tries.set(capp?.metadata.uid ?? '', { generation, sites: [from, to], moves, at });
    }
  }

  /** A move begins. Returns how to forget that. */
  begins(state: State, leave: Leave, now: number): () => void {
    const { uid } = state.capp;
    const before = this.#tries.get(uid);
    if (leave.reason === 'Unhealthy') this.#leaves(state, leave, now);
    else if (leave.reason === 'SiteEdited' || (leave.reason === 'Asked' && leave.request?.source !== 'drain'))
      this.#tries.delete(uid);
    return () => void (before === undefined ? this.#tries.delete(uid) : this.#tries.set(uid, before));
  }

  #leaves(state: State, { from, to }: Leave, now: number): void {
    const world = this.#world;
    world.tally.note('a Capp leaves because it is unhealthy');
    this.#goesToTwoSites(state, [from, to ?? ''], now);
    const sickSince = this.#sick.get(to ?? '');
    if (sickSince !== undefined && now - sickSince > NEWS_MS)
      fail(world, `9: it goes to ${to}, which has not been healthy for ${now - sickSince} ms`, state);
    const { ill, of } = this.#fleet(state.capp.uid, now);
    if (ill >= FEWEST && ill > of * QUARTER)
      fail(world, `9: it leaves while ${ill} of ${of} Capps have turned unhealthy`, state);
    if (world.lies?.site !== from) this.#wasReady(state, from);
    if (world.read(state.capp.name)?.spec.migration?.unhealthy === undefined && state.due.length === 0)
      fail(world, '9: it leaves although it does not ask for that', state);
  }

  #goesToTwoSites({ capp, generation }: State, sites: readonly string[], now: number): void {
    const known = this.#tries.get(capp.uid);
    const before = known?.generation === generation && now - known.at < DAY_MS ? known : null;
    const moves = (before?.moves ?? 0) + 1;
    if (moves > 2) fail(this.#world, `9: it leaves for the ${moves}th time`, { sites, before });
    if (before !== null && sites.some((site) => !before.sites.includes(site)))
      fail(this.#world, `9: a third site: ${[...before.sites, ...sites].join()}`, before);
    this.#tries.set(capp.uid, { generation, sites: before?.sites ?? sites, moves, at: now });
  }

  /** By what the API server has had for a while: it turned unhealthy within ten minutes. */
  #fleet(uid: string, now: number): { readonly ill: number; readonly of: number } {
    const others = (this.#world.server.all(CAPP) as Capp[]).filter(({ metadata }) => metadata.uid !== uid);
    const isIll = (capp: Capp): boolean => {
      const since = turnedAt(capp);
      return since !== null && since >= now - TOGETHER_MS && since <= now - NEWS_MS;
    };
    const isKnown = (capp: Capp): boolean => turnedAt(capp) !== null || ready(capp)?.status === 'True';
    return { ill: others.filter(isIll).length + 1, of: others.filter(isKnown).length + 1 };
  }

  /** Its site has called exactly this stamp Ready, at least once. */
  #wasReady({ capp, copies }: State, from: string): void {
    const site = this.#world.site(from);
    const stamp = copies[from]?.stamp ?? '';
    const said = [...(site?.said ?? [])].some((one) => one.startsWith(`${stamp} {"verdict":"Ready"`));
    if (!said) fail(this.#world, `9: it leaves ${from}, where ${stamp} never was Ready`, capp);
    const standing = site?.standing.get(keyOfName(capp.name));
    const wellSince = site?.healthyAt.get(stamp);
    this.#world.tell(`  ${capp.name} leaves ${from}`, { is: standing?.finding.verdict, wellSince });
  }

  #looked(): void {
    for (const { name } of this.#world.sites) {
      const cluster = clusterOf(this.#world, name);
      const facts = cluster === null ? null : factsOf(cluster);
      const isGoing = cluster?.metadata.deletionTimestamp !== undefined;
      const isHealthy = facts !== null && !isGoing && facts.accepted && facts.available && !facts.tainted;
      if (isHealthy) this.#sick.delete(name);
      else if (!this.#sick.has(name)) this.#sick.set(name, this.#world.clock.now);
    }
  }
}

function ready({ status }: Capp) {
  return status?.conditions?.find(({ type }) => type === 'Ready');
}

function turnedAt(capp: Capp): number | null {
  const since = capp.status?.migration?.unhealthySince;
  if (since !== undefined) return Date.parse(since);
  const { status, reason = '', lastTransitionTime = '' } = ready(capp) ?? {};
  return status === 'False' && (SITE_REASONS as readonly string[]).includes(reason)
    ? Date.parse(lastTransitionTime)
    : null;
}
