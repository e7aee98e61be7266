// Asks OCM which sites a Placement would select: by a Placement that nobody refers to and that is taken away
// again.
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { PLAN } from '../../../crds/labels.ts';
import {
  clustersOn,
  PLACEMENT,
  PLACEMENT_DECISION,
  PLACEMENT_LABEL,
  type Placement,
  type PlacementDecision,
} from '../../../crds/ocm/placements.ts';
import { isForbidden } from '../../../kube/failure.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { CommandFailure } from '../../exit.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import { follow } from '../follow/follow.ts';
import { createObject } from '../write/write.ts';

/** How long OCM's scheduler may take, in milliseconds. */
const WITHIN_MS = 60_000;
/** Between two looks at the pages of its decisions, and how many looks there are. */
const PAGES = { everyMs: 250, looks: 40 } as const;
/** A trial that is older was left by a command that somebody killed. */
const LEFT_MS = 300_000;

const TRIAL = { [PLAN]: 'trial' } as const;

/**
 * The names of the clusters that OCM selects, sorted. However it ends, the trial is deleted; what a killed
 * command left is deleted by the next one. Throws CommandFailure where OCM does not decide or says that the
 * Placement is misconfigured, and ApiError for what the hub refuses.
 */
export async function selectedByTrial(
  hub: ConnectedHub,
  { metadata: { namespace = '' }, spec }: Placement,
  signal: AbortSignal,
): Promise<string[]> {
  await removeLeft(hub, namespace);
  const name = `capp-plan-${randomBytes(4).toString('hex')}`;
  const trial = { metadata: { namespace, name, labels: TRIAL }, spec } as KubeObject;
  const made = await createObject(hub, PLACEMENT, trial, { dryRun: null, instead: 'Ask again.' });
  const { uid = '' } = made.metadata;
  try {
    return await decided(hub, { namespace, name }, signal);
  } finally {
    await hub.kube.remove(PLACEMENT, { namespace, name }, { uid });
  }
}

async function removeLeft({ kube }: ConnectedHub, namespace: string): Promise<void> {
  const options = { namespace, labelSelector: `${PLAN}=${TRIAL[PLAN]}`, metadataOnly: true } as const;
  const { items } = await kube.list<KubeObject>(PLACEMENT, options);
  for (const { metadata } of items.filter((one) => isLeft(one, Date.now()))) {
    const { name, uid = '' } = metadata;
    await kube.remove(PLACEMENT, { namespace, name }, { uid }).catch((error: unknown) => {
      if (!isForbidden(error)) throw error;
    });
  }
}

/** A younger one may be somebody's who waits for OCM just now. */
export function isLeft({ metadata: { creationTimestamp = '' } }: KubeObject, now: number): boolean {
  return now - Date.parse(creationTimestamp) >= LEFT_MS;
}

interface Key {
  readonly namespace: string;
  readonly name: string;
}

async function decided(hub: ConnectedHub, key: Key, signal: AbortSignal): Promise<string[]> {
  const found = await follow(hub, { resource: PLACEMENT, ...key }, countIn, { withinMs: WITHIN_MS, signal });
  if (found === null && signal.aborted)
    throw new CommandFailure('interrupted', 'Interrupted. Nothing was changed.');
  if (found === null)
    throw new CommandFailure(
      'notSo',
      'OCM did not decide within a minute. See whether its placement controller runs: kubectl capp doctor.',
    );
  for (let look = 1; look <= PAGES.looks; look += 1) {
    const clusters = await pagesOf(hub, key);
    if (clusters.length === found.count) return clusters;
    await pause(PAGES.everyMs);
  }
  throw new CommandFailure('notSo', "OCM's decisions do not add up to what it says. Ask for the plan again.");
}

/** Undefined until OCM has looked at it. Throws CommandFailure when OCM cannot read it, or it is gone. */
function countIn(object: KubeObject | null): { readonly count: number } | undefined {
  if (object === null)
    throw new CommandFailure('failed', 'Somebody deleted the trial before OCM had decided. Ask again.');
  const { conditions = [], numberOfSelectedClusters = 0 } = (object as Placement).status ?? {};
  const wrong = conditions.find(({ type, status }) => type === 'PlacementMisconfigured' && status === 'True');
  if (wrong !== undefined)
    throw new CommandFailure(
      'usage',
      `OCM cannot select by this Placement: ${wrong.message ?? wrong.reason ?? 'it is misconfigured'}.`,
    );
  const isDecided = conditions.some(({ type }) => type === 'PlacementSatisfied');
  return isDecided ? { count: numberOfSelectedClusters } : undefined;
}

async function pagesOf({ kube }: ConnectedHub, { namespace, name }: Key): Promise<string[]> {
  const labelSelector = `${PLACEMENT_LABEL}=${name}`;
  const { items } = await kube.list<PlacementDecision & KubeObject>(PLACEMENT_DECISION, {
    namespace,
    labelSelector,
  });
  return clustersOn(items);
}
