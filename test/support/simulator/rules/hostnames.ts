// Users are not sent to a site without route and certificate while the old one has both, serves and can be
// reached.
import { clusterOf, factsOf } from '../world/ocm.ts';
import { keyOfName } from '../world/names.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import type { Site } from '../site/site.ts';
import type { World } from '../world/world.ts';
import { fail } from './breach.ts';

/** What is true of the new site for so long, in milliseconds, is known: it is asked about all the time. */
const NEWS_MS = 30_000;
/** What is true of the old site for so long is known, even if a ring was lost. */
const OLD_NEWS_MS = 1_200_000;

/** To be called when users are sent to the new copy of a move. */
export function switchesRightly(world: World, { capp, move }: State): void {
  if (move === null || move.strategy === 'Recreate' || move.request?.force === true) return;
  const [from, to] = [world.site(move.from), world.site(move.to)];
  if ([from, to].some((site) => site !== undefined && site.name === world.lies?.site)) return;
  const key = keyOfName(capp.name);
  if (from === undefined || to === undefined || !isHeard(world, from, key)) return;
  if (certified(world, to, key, false) > NEWS_MS && certified(world, from, key, true) > OLD_NEWS_MS)
    fail(world, '7: users are sent to a site without a certificate, from one that has it', { capp, move });
}

/** It is known to serve. */
function isHeard(world: World, site: Site, key: string): boolean {
  const cluster = clusterOf(world, site.name);
  const isThere = cluster !== null && factsOf(cluster).available;
  return isThere && site.isAnswering() && site.isServing(key);
}

/** For how many milliseconds there has been a certificate, or none. */
function certified(world: World, site: Site, key: string, isThere: boolean): number {
  const standing = site.standing.get(key);
  const { finding, certifiedSince } = standing ?? {};
  if (certifiedSince === undefined || (finding?.hostname === undefined) !== isThere) return 0;
  return world.clock.now - certifiedSince;
}
