// Which works with Jobs are to go, and why the others stay. Pure.
import type { KubeObject } from '../../../../kube/resource.ts';
import { isSettled } from '../../../../workflows/stages/gates.ts';
import type { BundleLook } from '../sight.ts';
import { askedOf, isSameAsked, notedOn } from '../../../../crds/verification/asked-of-jobs.ts';

/**
 * Jobs that have passed go at once. Others stay while the rollout that asked for them goes on, so that a
 * person can read why one has failed. Those that the plan asks for now are written in place of the former.
 */
export function endedChecks(
  { plan, members, memory: { rollout } }: Pick<BundleLook, 'plan' | 'members' | 'memory'>,
  works: readonly KubeObject[],
): KubeObject[] {
  const isOver = isSettled(rollout) || rollout.direction === 'Back' || rollout.aborted;
  const on = new Map(members.map((member) => [member.site.cluster, member]));
  const isAskedNow = new Set((plan.verify ?? []).map(({ cluster }) => cluster));
  return works.filter((work) => {
    const { namespace: cluster = '', deletionTimestamp } = work.metadata;
    if (deletionTimestamp !== undefined || isAskedNow.has(cluster)) return false;
    const asked = askedOf(work);
    const member = on.get(cluster);
    if (isOver || asked === null || member === undefined) return true;
    if (member.target.revision !== rollout.revision || asked.revision !== rollout.revision) return true;
    const noted = notedOn(member.work);
    return noted !== null && isSameAsked(noted, asked) && noted.verdict === 'Passed';
  });
}
