// A CappSet in two stages over three sites, and what the page is told of it.
import { rolloutModel } from '../../../cli/dashboard/view/rollout/rollouts.ts';
import { SET_REVISION } from '../../../crds/labels.ts';
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import type { CappSet } from '../../../crds/set/cappset.ts';
import { aCondition, at, facts, ready } from './facts.ts';

export const NEW = 'a'.repeat(32);
export const OLD = 'b'.repeat(32);
export const counts = { ready: 0, underWay: 0, failed: 0, offline: 0 };

export const STRATEGY = {
  soakSeconds: 60,
  stages: [
    { name: 'canary', sites: { matchLabels: { tier: 'canary' } }, soakSeconds: 600 },
    { name: 'rest', approval: 'Required' },
  ],
};

export function aSet(reason: string, status: object = {}, strategy: object = STRATEGY): CappSet {
  return {
    apiVersion: 'rcs.dana.io/v1alpha1',
    kind: 'CappSet',
    metadata: { name: 'shop', namespace: 'apps', uid: 'set-1', generation: 1 },
    spec: {
      sites: { clusters: ['a', 'b', 'c'] },
      strategy,
    },
    status: {
      observedGeneration: 1,
      sites: 3,
      readySites: '1/3',
      revision: NEW,
      stages: [
        { ...counts, name: 'canary', sites: 1, ready: 1, state: 'Passed' },
        { ...counts, name: 'rest', sites: 2, state: 'Waiting' },
      ],
      rollout: { revision: NEW, settled: OLD },
      conditions: [aCondition('Progressing', 'False', reason, 'Stage rest waits')],
      ...status,
    },
  } as unknown as CappSet;
}

export function child(site: string, revision: string) {
  const capp = ready(`shop-${site}`, site);
  const ownerReferences = [
    { apiVersion: 'rcs.dana.io/v1alpha1', kind: 'CappSet', name: 'shop', uid: 'set-1', controller: true },
  ];
  const annotations = { [SET_REVISION]: `${revision}/hash/${at(0)}` };
  return {
    ...capp,
    metadata: { ...capp.metadata, ownerReferences, annotations },
    spec: { ...capp.spec, site },
  };
}

export const cluster = (name: string, tier: string, available = 'True') =>
  ({
    metadata: { name, labels: { tier } },
    status: { conditions: [{ type: 'ManagedClusterConditionAvailable', status: available }] },
  }) as unknown as ManagedCluster;

export const clusters = [cluster('a', 'canary'), cluster('b', 'prod'), cluster('c', 'prod', 'Unknown')];
export const capps = [child('a', NEW), child('b', OLD), child('c', OLD)];
export const model = (set: CappSet, some = {}) =>
  rolloutModel({ is: 'CappSet', object: set }, facts({ capps, clusters, ...some }));
