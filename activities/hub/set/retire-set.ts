// The end of a set: its Capps are deleted first, each with its own workflow, and then the set's finalizer is removed.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Condition } from '../../../crds/capp/conditions.ts';
import { SET_FINALIZER } from '../../../crds/labels.ts';
import { CAPP_SET, type CappSet } from '../../../crds/set/cappset.ts';
import type { CappSetStatus } from '../../../crds/set/status.ts';
import { applyStatus } from '../../../kube/apply-status.ts';
import type { Kube } from '../../../kube/client.ts';
import { removeFinalizers } from '../../../kube/finalizer.ts';
import type { HubCaches } from '../caches.ts';
import { fewAtOnce } from '../drain/few-at-once.ts';
import { abandonedBy } from '../retire/abandon.ts';
import { isReachable } from '../retire/reach.ts';
import { unremovedOf, whyRefused, type RefusedRemoval } from '../rollout/unremoved.ts';
import { abandonChild, removeChild } from './write-child.ts';

/** Lost sites that the status names. */
const MOST_NAMED = 20;
/** Calls to the API server under way at once. */
const AT_ONCE = 10;

export interface Ending {
  readonly kube: Kube;
  readonly caches: Pick<HubCaches, 'clusters'>;
  readonly set: CappSet;
  /** Listed live: the finalizer goes only when there is none. */
  readonly children: readonly Capp[];
}

export interface Ended {
  /** No Capp of the set is left, and its finalizer is removed. */
  readonly isGone: boolean;
  /** Capps that the hub's API server does not let go. */
  readonly unremoved: readonly RefusedRemoval[];
}

/** Begins at most so many deletions. Safe to repeat: what is being deleted is left alone. */
export async function retireSet(
  { kube, caches, set, children }: Ending,
  most: number,
  now: number,
): Promise<Ended> {
  if (children.length === 0) {
    await removeFinalizers(kube, CAPP_SET, set, [SET_FINALIZER]);
    return { isGone: true, unremoved: [] };
  }
  const given = abandonedBy(set);
  const few = fewAtOnce(AT_ONCE);
  const isGoing = ({ metadata }: Capp): boolean => metadata.deletionTimestamp !== undefined;
  const going = children.filter(isGoing);
  const standing = children.filter((child) => !isGoing(child)).slice(0, most);
  await Promise.all(going.map((child) => few(() => abandonChild(kube, child, given))));
  const tried = await Promise.allSettled(standing.map((child) => few(() => removeChild(kube, child))));
  const unremoved = unremovedOf(standing.map(siteOf), tried);
  const status = endingStatus(set, { lost: lostOf(caches, children), unremoved, left: children.length }, now);
  if (status !== null)
    await applyStatus(kube, CAPP_SET, set, { status, fieldManager: 'cappstan-set-status' });
  return { isGone: false, unremoved };
}

function siteOf({ spec }: Capp): string {
  return spec.site ?? '';
}

function lostOf({ clusters }: Pick<HubCaches, 'clusters'>, children: readonly Capp[]): string[] {
  const isLost = (name: string): boolean => {
    const cluster = clusters.get({ namespace: null, name });
    return cluster === undefined || !isReachable(cluster);
  };
  return children
    .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
    .map(siteOf)
    .filter(isLost)
    .toSorted();
}

interface Left {
  readonly lost: readonly string[];
  readonly unremoved: readonly RefusedRemoval[];
  readonly left: number;
}

/** Null if it says that already. */
function endingStatus(set: CappSet, { lost, unremoved, left }: Left, now: number): CappSetStatus | null {
  const { conditions: before = [], ...status } = set.status ?? {};
  const named = lost.slice(0, MOST_NAMED).join(', ');
  const waits =
    lost.length === 0
      ? ''
      : ` Sites that cannot be reached: ${named}. They are waited for; annotation rcs.dana.io/abandon on the set gives the copies there up.`;
  const refused = whyRefused(unremoved);
  const stays = refused === null ? '' : ` ${unremoved.length} of them cannot be deleted: ${refused}`;
  const message = `The set is being deleted, and ${left} of its Capps are left.${waits}${stays}`;
  const reason = refused === null ? 'Deleting' : 'RemovalRefused';
  const say = (type: string, isSo: boolean): Condition => {
    const known = before.find((one) => one.type === type);
    const value = isSo ? 'True' : 'False';
    const lastTransitionTime =
      known?.status === value ? known.lastTransitionTime : new Date(now).toISOString();
    return { type, status: value, reason, message, lastTransitionTime };
  };
  const conditions = [
    say('Ready', false),
    say('Progressing', true),
    say('Stalled', lost.length > 0 || refused !== null),
  ];
  const isSaid = before.some(
    (one) => one.type === 'Ready' && one.reason === reason && one.message === message,
  );
  return isSaid ? null : { ...status, conditions };
}
