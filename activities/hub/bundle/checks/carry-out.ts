// Has sites run the Jobs that a plan asks for, notes what has come of them, and removes the Jobs afterwards.
import type { Bundle } from '../../../../crds/bundle/bundle.ts';
import { VERIFY } from '../../../../crds/labels.ts';
import { isCheckOf } from '../../../../crds/ocm/check-work.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import { keyOf, keyText, type KubeObject } from '../../../../kube/resource.ts';
import type { VerifyAsk } from '../../../../workflows/stages/types.ts';
import type { HubCaches } from '../../caches.ts';
import { removeWork } from '../../retire/removal.ts';
import type { RemovedCopies } from '../../rollout/kind.ts';
import { tellable } from '../../rollout/refusals.ts';
import { removeEach, writeEach } from '../../rollout/writes.ts';
import type { Refusal } from '../manifests/manifests.ts';
import type { Terms } from '../manifests/render.ts';
import type { BundleMember } from '../members.ts';
import { letGo } from '../retire.ts';
import { shipAll, type Errand, type ShippedBundle } from '../ship.ts';
import type { BundleLook } from '../sight.ts';
import {
  askedBy,
  askedOf,
  besideOf,
  isSameAsked,
  textOf,
  type JobVerdict,
} from '../../../../crds/verification/asked-of-jobs.ts';
import { endedChecks } from './ended.ts';
import { renderChecks } from './render.ts';
import type { CheckGround } from './seen.ts';

export interface CheckErrand extends Pick<Errand, 'kube' | 'bundle' | 'isStill'> {
  readonly terms: Terms;
  readonly look: Pick<BundleLook, 'plan' | 'members' | 'memory'>;
  readonly checking: Pick<CheckGround, 'jobsOn'>;
}

/** Of the Bundle's own copies nothing is to be written there: what comes of the Jobs rings. */
const ASKED: ShippedBundle = { is: 'waits', refusal: null };

/**
 * Writes the works with the Jobs that the plan asks for, at most `most`, and notes verdicts. A repeat writes
 * nothing. What the API server does not take now, for whatever reason, is tried again as a copy is, until the
 * deadline of the strategy; what only people can mend is a failure of the check. Both say why. Throws what is
 * no ApiError.
 */
export async function orderChecks(
  errand: CheckErrand,
  most: number,
  now: number,
): Promise<ReadonlyMap<string, ShippedBundle>> {
  const { kube, bundle, isStill, terms, look, checking } = errand;
  await noteVerdicts(kube, look.members.flatMap(unnotedOf));
  const asks = tellable(look.plan.verify ?? [], { refused: look.memory.refused, most });
  const rendered = asks.map((ask) => ({ ask, work: renderChecks(bundle, terms, ask, now) }));
  const works = rendered.flatMap(({ work }) => ('reason' in work ? [] : [work]));
  const owner = { namespace: bundle.metadata.namespace ?? '', name: bundle.metadata.name };
  const shipped = await shipAll(
    {
      kube,
      bundle,
      isStill,
      hasHeir: () => false,
      isOwn: (live) => isCheckOf(live, owner),
      isNewer: (live) => isAskedLater(live, asks, errand),
    },
    works,
  );
  const refused = rendered.flatMap(({ ask, work }) => {
    const one = shipped.get(ask.cluster);
    const why =
      'reason' in work
        ? work.message
        : one?.is === 'refused' && isFinal(one.refusal)
          ? one.refusal.message
          : null;
    const member = look.members.find(({ site }) => site.cluster === ask.cluster);
    if (why === null || member === undefined) return [];
    return [{ member, verdict: unsent(ask, why, besideOf(checking.jobsOn(ask.cluster)), now) }];
  });
  await noteVerdicts(kube, refused);
  return new Map(asks.map(({ cluster }) => [cluster, orderedAs(cluster, shipped.get(cluster))]));
}

/**
 * The Jobs are about a later try of the same question, of which this turn, which is late, has not known. What
 * it has known, it may replace. A site can write the annotation: one that nobody can have asked is none.
 */
function isAskedLater(
  work: ManifestWork,
  asks: readonly VerifyAsk[],
  { look: { members }, checking }: CheckErrand,
): boolean {
  const cluster = work.metadata.namespace ?? '';
  const is = askedOf(work);
  const ask = asks.find((one) => one.cluster === cluster);
  if (is === null || ask === undefined) return false;
  const { revision, checks } = askedBy(ask);
  if (is.revision !== revision || is.checks !== checks) return false;
  const { target } = members.find(({ site }) => site.cluster === cluster) ?? {};
  const known = [target?.verification?.round, askedOf(checking.jobsOn(cluster))?.round];
  return isLaterRound(is.round, ask.round, Date.now()) && !known.includes(is.round);
}

/**
 * Rounds are `<begun>/<again>`, both in milliseconds since the epoch, or 0. None that lies after `now`: of
 * after the work was read, since another turn may have begun a try after this one began.
 */
function isLaterRound(one: string, other: string, now: number): boolean {
  const [begun = 0, again = 0] = one.split('/').map(Number);
  const [otherBegun = 0, otherAgain = 0] = other.split('/').map(Number);
  if (begun > now || again > now) return false;
  return begun > otherBegun || (begun === otherBegun && again > otherAgain);
}

function unsent(ask: VerifyAsk, why: string, beside: string, now: number): JobVerdict {
  const says = unsentTo(ask.cluster, why).slice(0, 512);
  return { ...askedBy(ask), verdict: 'Failed', at: now, says, beside };
}

function unsentTo(cluster: string, why: string): string {
  return `The Jobs of the checks cannot be sent to ${cluster}: ${why}`;
}

/** Policies, rights and namespaces may come a moment later: a refusal by them is tried again. */
function isFinal({ reason }: Refusal): boolean {
  return reason !== 'Refused' && reason !== 'UnknownSite';
}

/**
 * What became of an order; one that is noted as a failure is not tried again. The former Jobs may never go,
 * as where their site's work agent is away: that has the deadline too.
 */
function orderedAs(cluster: string, one: ShippedBundle | undefined): ShippedBundle {
  if (one?.is === 'unwritten') return one;
  if (one?.is === 'waits') return { is: 'unwritten', refusal: formerJobs(cluster) };
  if (one?.is !== 'refused' || isFinal(one.refusal)) return ASKED;
  const { reason, message } = one.refusal;
  const says = `${unsentTo(cluster, message)} It is tried again until the deadline of the strategy.`;
  return { is: 'unwritten', refusal: { reason, message: says } };
}

function formerJobs(cluster: string): Refusal {
  const message = `The former Jobs are still being deleted on ${cluster}, and the next ones wait for that until the deadline of the strategy. If they do not go, see whether the site's work agent runs, and what holds the Jobs there up: kubectl -n ${cluster} describe manifestworks on the hub names them.`;
  return { reason: 'StillLeaving', message };
}

interface Noted {
  readonly member: BundleMember;
  readonly verdict: JobVerdict;
}

function unnotedOf(member: BundleMember): Noted[] {
  const { unnoted = null } = member;
  return unnoted === null ? [] : [{ member, verdict: unnoted }];
}

/** By the version that was read: a verdict on an earlier question never replaces that on a later one. */
async function noteVerdicts(kube: Kube, noted: readonly Noted[]): Promise<void> {
  await writeEach(noted, async ({ member: { work }, verdict }) => {
    if (work === undefined) return;
    const { uid = '', resourceVersion = '' } = work.metadata;
    const annotations = { [VERIFY]: textOf(verdict) };
    await kube.patch(MANIFEST_WORK, keyOf(work), { metadata: { uid, resourceVersion, annotations } });
  });
}

/**
 * Removes works with Jobs that nobody needs any more. A work that asks for something else by now stays.
 * Throws ApiError when the API server does not answer: what was done is found by the next try.
 */
export async function removeEnded(
  kube: Kube,
  caches: Pick<HubCaches, 'works'>,
  bundle: Bundle,
  look: Parameters<typeof endedChecks>[0],
): Promise<RemovedCopies> {
  const works = checkWorksIn(caches, bundle);
  const ended = endedChecks(look, works);
  const removed = await removeEach(ended, siteOf, (work) => {
    const asked = askedOf(work);
    const isSame = (live: KubeObject): boolean => {
      const is = askedOf(live);
      return asked === null || is === null ? asked === is : isSameAsked(asked, is);
    };
    return removeWork(kube, work, { isAsSeen: isSame });
  });
  const going = works.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  await letGo(kube, bundle, [...going, ...ended]);
  return removed;
}

/** By their names, whatever labels they have. */
function checkWorksIn({ works }: Pick<HubCaches, 'works'>, bundle: Bundle): readonly KubeObject[] {
  return works.by(
    'checks',
    keyText({ namespace: bundle.metadata.namespace ?? '', name: bundle.metadata.name }),
  );
}

function siteOf({ metadata: { namespace = '' } }: KubeObject): string {
  return namespace;
}

/** With what is left of checks: of these only that they are tried again counts. */
export function withChecks(copies: RemovedCopies, checks: RemovedCopies): RemovedCopies {
  return { ...copies, pending: copies.pending + checks.pending + checks.unremoved.length };
}
