// Whether the cluster that a person has chosen is a hub: only a site is called one, and only where that is
// sure.
import { elsewhere, isSite } from '../../../../cli/hub/connection/elsewhere.ts';
import { listCapps } from '../../../../cli/hub/objects/capps.ts';
import type { ConnectedHub } from '../../../../cli/hub/connection/hub.ts';
import type { Kube } from '../../../../kube/client.ts';
import { ApiError } from '../../../../kube/failure.ts';

const KINDS = {
  Capp: ['rcs.dana.io/v1alpha1', 'capps'],
  ManagedCluster: ['cluster.open-cluster-management.io/v1', 'managedclusters'],
  AppliedManifestWork: ['work.open-cluster-management.io/v1', 'appliedmanifestworks'],
} as const;

/** A cluster without any object that serves these kinds; null: its discovery answers 500. */
function clusterWith(...kinds: readonly (keyof typeof KINDS)[] | [null]): ConnectedHub {
  const raw = async (_method: string, path: string): Promise<unknown> => {
    if (kinds[0] === null) throw new ApiError({ method: 'GET', path, code: 500, reason: 'InternalError' });
    const resources = kinds.flatMap((kind) => {
      const [group, name] = KINDS[kind as keyof typeof KINDS];
      return path === `/apis/${group}` ? [{ name }] : [];
    });
    return { resources };
  };
  const kube = { raw, get: async () => null, list: async () => ({ items: [] }) } as unknown as Kube;
  return { kube, context: 'here', server: 'https://hub', namespace: 'apps', as: null };
}

test.each<[string, ConnectedHub, RegExp | null]>([
  ['a hub', clusterWith('Capp', 'ManagedCluster'), null],
  ['a hub that is its own site', clusterWith('Capp', 'ManagedCluster', 'AppliedManifestWork'), null],
  ['a cluster whose discovery fails', clusterWith(null), null],
  ['a site', clusterWith('Capp', 'AppliedManifestWork'), /context here\) is a site: .+ Choose the hub/],
  ['a hub without OCM', clusterWith('Capp'), /does not know ManagedClusters\. .+ or install Open Cluster/],
  ['any other cluster', clusterWith('ManagedCluster'), /does not know Capps\. Choose the hub/],
])('where nothing is found, of %s it is said what it is', async (_title, hub, sentence) => {
  const failure = await elsewhere(hub);
  if (sentence === null) expect(failure).toBeNull();
  else expect(failure?.message).toMatch(sentence);
});

test('an empty list is explained by the wrong cluster, if it is one', async () => {
  const site = clusterWith('Capp', 'AppliedManifestWork');
  await expect(listCapps(site, null)).rejects.toThrow('is a site');
  const hub = clusterWith('Capp', 'ManagedCluster');
  expect(await listCapps(hub, null)).toEqual([]);
});

test('the doctor looks at a hub that lacks kinds, and at one that is its own site, but not at a site', async () => {
  expect(await isSite(clusterWith('Capp'))).toBe(false);
  expect(await isSite(clusterWith('ManagedCluster', 'AppliedManifestWork'))).toBe(false);
  expect(await isSite(clusterWith('Capp', 'AppliedManifestWork'))).toBe(true);
});
