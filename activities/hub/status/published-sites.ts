// Which sites a state may bring into a Capp's status. What the status names is shipped to, led to and kept,
// so the status takes nothing from a workflow's state that Kubernetes does not give a reason for.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { State } from '../../../workflows/capp/state.ts';
import { sitesIn, warrantFor, warrantInTime, type WarrantOptions } from '../place/warrant.ts';
import { claimOf, namedWorks, type KnownClaims } from '../claim.ts';

export type SiteOptions = WarrantOptions & { readonly caches: Pick<KnownClaims, 'works'> };

/**
 * The state without sites and a pin that nothing allows: what the status says of them stays. `warranted` is a
 * cluster to which the Capp was shipped just now. Writes nothing. Throws what `behind` gives while a cache is
 * older than the rings ask.
 */
export async function publishable(
  options: SiteOptions,
  capp: Capp,
  state: State,
  { warranted, behind }: { readonly warranted: string | null; readonly behind: () => Error },
): Promise<State> {
  const hasWork = worksOf(options, state);
  const refused = new Set<string>();
  for (const cluster of sitesNamed(state)) {
    if (cluster === warranted) continue;
    const standing = { capp, cluster, hasWork: hasWork(cluster) };
    const found = await warrantInTime(options, standing, state.minimumVersions, behind);
    if (found === null && !isPinned(capp, cluster)) refused.add(cluster);
  }
  return refused.size === 0 ? state : without(state, capp, refused);
}

/** Whether all of it is allowed by what the caches have now. */
export function isPublishable(options: SiteOptions, capp: Capp, state: State): boolean {
  const hasWork = worksOf(options, state);
  return sitesNamed(state).every(
    (cluster) => warrantFor(options, capp, cluster, hasWork(cluster)) !== null || isPinned(capp, cluster),
  );
}

function worksOf({ caches }: SiteOptions, { capp }: State): (cluster: string) => boolean {
  const works = namedWorks(caches, claimOf(caches, capp));
  return (cluster) => works.some(({ metadata }) => metadata.namespace === cluster);
}

function sitesNamed({ serving, move, pin }: State): readonly string[] {
  const named = new Set([serving, move?.to ?? null, move?.from ?? null, pin]);
  return [...named].filter((cluster) => cluster !== null);
}

/** A person asked for it once, and the hub has written that down. */
function isPinned({ status }: Capp, cluster: string): boolean {
  return status?.migration?.pin === cluster;
}

function without(state: State, capp: Capp, refused: ReadonlySet<string>): State {
  const { serving, pin, move } = state;
  const isBad = (cluster: string | null): boolean => cluster !== null && refused.has(cluster);
  const isMoving = move !== null && !isBad(move.to) && !isBad(move.from);
  return {
    ...state,
    serving: isBad(serving) ? (sitesIn(capp)[0] ?? null) : serving,
    pin: isBad(pin) ? null : pin,
    move: isMoving ? move : null,
  };
}
