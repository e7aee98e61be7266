// Which sites a state may bring into a Capp's status. What the status names is shipped to, led to and kept,
// so the status takes nothing from a workflow's state that Kubernetes does not give a reason for.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { State } from '../../../workflows/capp/state.ts';
import type { Kube } from '../../../kube/client.ts';
import { isLeaving } from '../place/remembered.ts';
import { isAskedFor, sitesIn, warrantFor, warrantInTime, type WarrantOptions } from '../place/warrant.ts';
import { claimOf, isOursByName, namedWorks, statusSite, type KnownClaims } from '../claim.ts';
import { findWork } from '../works.ts';

export type PublishedSiteOptions = WarrantOptions & { readonly caches: Pick<KnownClaims, 'works'> };
export type LiveSiteOptions = PublishedSiteOptions & { readonly kube: Kube };

/**
 * The state without sites and a pin that nothing allows: what the status says of them stays. `warranted` is a
 * cluster to which the Capp was shipped just now. Users are sent to no site without a work of the Capp's
 * exact name. Writes nothing. Throws ApiError, and what `behind` gives while a cache is older than the rings
 * ask.
 */
export async function publishable(
  options: LiveSiteOptions,
  capp: Capp,
  state: State,
  { warranted, behind }: { readonly warranted: string | null; readonly behind: () => Error },
): Promise<State> {
  const works = cachedWorks(options, state);
  const refused = new Set<string>();
  for (const cluster of sitesNamed(state)) {
    if (cluster === warranted || isTold(capp, state, cluster)) continue;
    const isServing = cluster === state.serving;
    const hasWork = works(cluster) || (isServing && (await hasLiveWork(options, state, cluster)));
    const found =
      isServing && !hasWork
        ? null
        : await warrantInTime(options, { capp, cluster, hasWork }, state.minimumVersions, behind);
    if (found === null) refused.add(cluster);
  }
  const told = refused.size === 0 ? state : without(state, capp, refused);
  return isPinAllowed(capp, told) ? told : { ...told, pin: null };
}

/** Whether all of it is allowed by what the caches have now. */
export function isPublishable(options: PublishedSiteOptions, capp: Capp, state: State): boolean {
  const works = cachedWorks(options, state);
  const isAllowed = (cluster: string): boolean =>
    isTold(capp, state, cluster) ||
    ((cluster !== state.serving || works(cluster)) &&
      warrantFor(options, capp, cluster, works(cluster)) !== null);
  return sitesNamed(state).every(isAllowed) && isPinAllowed(capp, state);
}

/** The status says it already. That a copy comes to a site does not say that it is there. */
function isTold(capp: Capp, { serving }: State, cluster: string): boolean {
  return cluster === serving ? statusSite(capp) === cluster : sitesIn(capp).includes(cluster);
}

/** Works that can be no other Capp's, and stay. */
function cachedWorks({ caches }: PublishedSiteOptions, { capp }: State): (cluster: string) => boolean {
  const claim = claimOf(caches, capp);
  const works = namedWorks(caches, claim).filter((work) => !isLeaving(work) && isOursByName(work, claim));
  return (cluster) => works.some(({ metadata }) => metadata.namespace === cluster);
}

async function hasLiveWork(
  { kube, caches }: LiveSiteOptions,
  { capp }: State,
  cluster: string,
): Promise<boolean> {
  const claim = claimOf(caches, capp);
  const work = await findWork(kube, claim, cluster);
  return work !== null && !isLeaving(work) && isOursByName(work, claim);
}

function sitesNamed({ serving, move }: State): readonly string[] {
  const named = new Set([serving, move?.to ?? null, move?.from ?? null]);
  return [...named].filter((cluster) => cluster !== null);
}

/**
 * A person asked for it: the hub has written that down once, or the request stands on the Capp, or the move
 * is under way to there.
 */
function isPinAllowed(capp: Capp, { pin, move }: State): boolean {
  return pin === null || capp.status?.migration?.pin === pin || isAskedFor(capp, pin) || move?.to === pin;
}

function without(state: State, capp: Capp, refused: ReadonlySet<string>): State {
  const { serving, move } = state;
  const isBad = (cluster: string | null): boolean => cluster !== null && refused.has(cluster);
  const isMoving = move !== null && !isBad(move.to) && !isBad(move.from);
  return {
    ...state,
    serving: isBad(serving) ? (sitesIn(capp)[0] ?? null) : serving,
    move: isMoving ? move : null,
  };
}
