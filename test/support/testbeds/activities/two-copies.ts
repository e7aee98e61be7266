// A hub with two managed clusters and a Capp with a work on both, for activity tests of removals.
import { AVAILABLE, MANAGED_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import type { CappRef } from '../../../../workflows/capp/state.ts';
import type { Grounds } from '../../../../workflows/types/removals.ts';
import { aPlacing } from '../../builders/states.ts';
import { APPS, startHub, type HubForTests } from '../hub/hub.ts';

export const SITES = ['site-1', 'site-2'] as const;

export async function startHubOfTwo(): Promise<HubForTests> {
  const stage = await startHub();
  const { apiVersion, kind } = MANAGED_CLUSTER;
  for (const name of SITES)
    await stage.kube.create(MANAGED_CLUSTER, { apiVersion, kind, metadata: { name } });
  return stage;
}

/** Sets whether the cluster is available, and whether it ever joined. */
export async function sayStands(
  { kube }: HubForTests,
  name: string,
  status: 'True' | 'Unknown',
  joined = true,
): Promise<void> {
  const facts = { reason: 'Test', message: '', lastTransitionTime: '2026-03-01T12:00:00Z' };
  const conditions = [
    ...(joined ? [{ type: 'ManagedClusterJoined', status: 'True', ...facts }] : []),
    { type: AVAILABLE, status, ...facts },
  ];
  const key = { namespace: null, name };
  await kube.patch(MANAGED_CLUSTER, key, { status: { conditions } }, { subresource: 'status' });
}

/** A Capp with a work on both sites, and the grounds for its removal from site-1. */
export async function onBothOf(
  stage: HubForTests,
  name: string,
  isTaken = true,
): Promise<{ ref: CappRef; grounds: Grounds }> {
  const ref = await stage.make({ name });
  await stage.hub.apply(ref, 'site-1', aPlacing(ref, 'site-1'), null);
  const applied = await stage.hub.apply(ref, 'site-2', aPlacing(ref, 'site-2'), null);
  const stamp = applied.outcome === 'Applied' ? applied.stamp : '';
  if (isTaken) for (const cluster of SITES) await stage.taken(ref, cluster);
  return { ref, grounds: { staying: { cluster: 'site-2', stamp }, until: Date.now() + 60_000 } };
}

export const workOf = (name: string, namespace: string) => ({ namespace, name: `mw-create-${APPS}-${name}` });

/** The Capp's work is there, and is not being deleted. */
export async function isThereFor(stage: HubForTests, ref: CappRef, cluster: string): Promise<boolean> {
  const work = await stage.work(ref, cluster);
  return work !== null && work.metadata.deletionTimestamp === undefined;
}
