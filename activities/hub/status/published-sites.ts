// Which sites a state may bring into a Capp's status. What the status names is shipped to, led to and kept,
// so the status takes nothing from a workflow's state that Kubernetes does not give a reason for.
import { isDeepStrictEqual } from 'node:util';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { State } from '../../../workflows/capp/state.ts';
import type { Kube } from '../../../kube/client.ts';
import { decidedNow, isWarranted } from '../place/decided-now.ts';
import { mustNotRunTwice } from '../place/move-rules.ts';
import { isLeaving } from '../place/remembered.ts';
import { answersTold } from '../place/requests.ts';
import {
  isAskedFor,
  isComing,
  isOnCapp,
  sitesIn,
  warrantFor,
  type WarrantOptions,
} from '../place/warrant.ts';
import { claimOf, isOursByName, namedWorks, statusSite, type KnownClaims } from '../claim.ts';
import { findWork } from '../works.ts';

export type PublishedSiteOptions = WarrantOptions & { readonly caches: Pick<KnownClaims, 'works'> };
export type LiveSiteOptions = PublishedSiteOptions & { readonly kube: Kube };

interface Vouched {
  /** A cluster that was found to be allowed for the Capp just now, by whoever publishes; null if none was. */
  readonly warranted: string | null;
  readonly behind: () => Error;
}

/** The Capp as it was read, and what is to be told of it. */
interface Asking extends Vouched {
  readonly options: LiveSiteOptions;
  readonly capp: Capp;
  readonly state: State;
}

/**
 * The state without sites, answers and a pin that nothing allows: what the status says of them stays. Users
 * are sent to no site without a work of the Capp's exact name, and it comes to none, unless it must leave the
 * other one first. Writes nothing. Throws ApiError, and what `behind` gives while a cache is older than the
 * rings ask, or names a decision that is no longer there.
 */
export async function publishable(
  options: LiveSiteOptions,
  capp: Capp,
  state: State,
  vouched: Vouched,
): Promise<State> {
  const asking = { options, capp, state, ...vouched };
  const { serving } = state;
  const isLed = serving === null || (await mayBeLedTo(asking, serving));
  // Why a site was chosen is no reason why the Capp is on another, or on none.
  const led = isLed ? state : { ...state, serving: statusSite(capp), placing: null };
  const passing = passingIn(led);
  const isMoving = passing === null || (await mayPass(asking, passing));
  const told = isMoving ? led : { ...led, move: null };
  const answered = { ...told, annotated: answersTold(capp, state, told) };
  return isPinAllowed(capp, answered) ? answered : { ...answered, pin: null };
}

/** Whether all of it is allowed by what the Capp itself says, as the caches have it. */
export function isPublishable(options: PublishedSiteOptions, capp: Capp, state: State): boolean {
  const works = cachedWorks(options, state);
  const isKnown = (cluster: string): boolean =>
    works(cluster) && isOnCapp(warrantFor(options, capp, cluster, true));
  const { serving, annotated } = state;
  const passing = passingIn(state);
  const isLed = serving === null || statusSite(capp) === serving || isKnown(serving);
  const isMoving = passing === null || sitesIn(capp).includes(passing) || isKnown(passing);
  const isAnswered = isDeepStrictEqual(answersTold(capp, state, state), annotated);
  return isLed && isMoving && isAnswered && isPinAllowed(capp, state);
}

/** That a copy comes to a site does not say that it is there. */
async function mayBeLedTo(asking: Asking, cluster: string): Promise<boolean> {
  const { options, capp, state, warranted } = asking;
  if (cluster === warranted || statusSite(capp) === cluster) return true;
  return (await hasWorkOf(options, state, cluster)) && mayBeOn(asking, cluster, true);
}

/**
 * With `Recreate` the old copy goes only after the status says where the Capp comes to, where nothing is
 * then.
 */
async function mayPass(asking: Asking, cluster: string): Promise<boolean> {
  const { options, capp, state, warranted } = asking;
  if (cluster === warranted || sitesIn(capp).includes(cluster)) return true;
  const hasWork = await hasWorkOf(options, state, cluster);
  const isFirst = state.move?.to === cluster && mustNotRunTwice(capp);
  return (hasWork || isFirst) && mayBeOn(asking, cluster, hasWork);
}

function mayBeOn(
  { options, capp, state, behind }: Asking,
  cluster: string,
  hasWork: boolean,
): Promise<boolean> {
  const isDecided = (one: Capp): Promise<boolean> => decidedNow(options, one, cluster);
  const by = { isDecided, late: behind };
  return isWarranted(options, { capp, cluster, hasWork }, state.minimumVersions, by);
}

/** From the cache, or else read live. */
async function hasWorkOf(options: LiveSiteOptions, state: State, cluster: string): Promise<boolean> {
  return cachedWorks(options, state)(cluster) || (await hasLiveWork(options, state, cluster));
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

/** The site beside the serving one that the status would name. */
function passingIn({ serving, move, copies }: State): string | null {
  if (move === null) return null;
  if (move.to !== serving) return move.to;
  return copies[move.from] === undefined ? null : move.from;
}

/**
 * A person asked for it: the hub has written that down once, or the request stands on the Capp unanswered, or
 * the status says already that the move is under way to there.
 */
function isPinAllowed(capp: Capp, { pin }: State): boolean {
  return pin === null || capp.status?.migration?.pin === pin || isAskedFor(capp, pin) || isComing(capp, pin);
}
