// What a set knows of the checks of its Capps, and how it has them made: by an annotation of the Capp, which
// is no new generation of it and rolls nothing out. Pure, but for `orderChecks`.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { VERIFY } from '../../../crds/labels.ts';
import { travelling, type VerifyCheck } from '../../../crds/verification/check.ts';
import { keyOf, orderOf, orderText } from '../../../crds/verification/order.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { longestOf } from '../../../workflows/types/verification.ts';
import type { SeenVerification, VerifyAsk } from '../../../workflows/stages/types.ts';
import { isAhead } from '../rollout/ahead.ts';
import { HUB_TIMES } from '../times.ts';

const LONGEST_SAYING = 512;

/**
 * Undefined where nothing was asked of the Capp as it is now; an order of a time that is yet to come is none,
 * and none was given before the Capp was written (`writtenAt`). Its status counts for exactly the key, the
 * generation and the site that were asked about.
 */
export function verificationOf(
  child: Capp,
  { writtenAt, now }: { readonly writtenAt: number; readonly now: number },
): SeenVerification | undefined {
  const order = orderOf(child.metadata);
  if (order === null || order.generation !== child.metadata.generation) return undefined;
  if (isAhead(order.at, now)) return undefined;
  const { revision, round, checks, at } = order;
  const { verification, failedVerification } = child.status ?? {};
  const isOfKey = (one: typeof verification) => one?.key === keyOf(order);
  // A failure stands until users have left the site, however the checks of a move go elsewhere.
  const said = [failedVerification, verification].find(isOfKey);
  const isAbout =
    said?.generation === order.generation && (child.spec.site === undefined || said.site === child.spec.site);
  const longest = 2 * longestOf({ checks: travelling(checks) });
  return {
    revision,
    round,
    checks: JSON.stringify(checks),
    until: Math.max(at, writtenAt) + longest + HUB_TIMES.verdictSpare.ms,
    result: isAbout ? { verdict: said.verdict, at: Date.parse(said.at), says: saysOf(child) } : null,
  };
}

function saysOf({ status }: Capp): string {
  const said = status?.conditions?.find(({ type }) => type === 'Verified')?.message ?? '';
  return said.slice(0, LONGEST_SAYING);
}

/** Why the checks of a Capp keep it from counting, for people; null if they do not. */
export function unverified({
  status,
  metadata,
}: Capp): { readonly reason: string; readonly message: string } | null {
  const said = status?.conditions?.find(({ type }) => type === 'Verified');
  const isAbout = said?.observedGeneration === metadata.generation;
  const isBad = said?.reason === 'ChecksFailed' || said?.reason === 'ChecksInconclusive';
  return isAbout && isBad ? { reason: said.reason, message: said.message } : null;
}

/**
 * Returns the resourceVersion of the Capp. A repeat gives the same order, at a later time. Throws ApiError,
 * and a Conflict where another Capp has the name by now.
 */
export async function orderChecks(
  kube: Kube,
  { metadata }: Capp,
  { revision, round, checks }: VerifyAsk,
  now: number,
): Promise<string | null> {
  const { namespace = '', name, uid = '', generation = 0 } = metadata;
  const parsed = JSON.parse(checks) as VerifyCheck[];
  const order = orderText({ revision, round, generation, at: now, checks: parsed });
  const patch = { metadata: { uid, annotations: { [VERIFY]: order } } };
  const written = await kube.patch<KubeObject>(CAPP, { namespace, name }, patch);
  return written.metadata.resourceVersion ?? null;
}
