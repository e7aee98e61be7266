// Which changes on the hub ring a workflow. A needless ring costs one look; a missing ring loses an edit.
import {
  causesOfCapp,
  isNewsOfCluster,
  isReady,
  siteOf,
  urgencyOfWork,
  waitsForWork,
} from '../../../../bridge/changes/causes.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { FINALIZER, ROLLOUT } from '../../../../crds/labels.ts';
import type { ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { aCapp } from '../../../support/builders/capps.ts';

const capp = aCapp({ labels: { team: 'one' }, annotations: { note: 'one' } });
const withMeta = (metadata: Partial<Capp['metadata']>): Capp => ({
  ...capp,
  metadata: { ...capp.metadata, ...metadata },
});

test.each<[string, string, Capp | null, Capp]>([
  ['a new Capp', 'spec', null, capp],
  ['an edit', 'spec', capp, withMeta({ generation: 2 })],
  ['a label', 'meta', capp, withMeta({ labels: { team: 'two' } })],
  ['an annotation', 'meta', capp, withMeta({ annotations: { note: 'one', 'rcs.dana.io/paused': 'true' } })],
  ['the removal of an annotation', 'meta', capp, withMeta({ annotations: {} })],
  ['a deletion', 'meta', capp, withMeta({ deletionTimestamp: '2026-03-01T12:00:00Z' })],
  [
    'the removal of our finalizer while it is not being deleted',
    'meta',
    withMeta({ finalizers: [FINALIZER] }),
    capp,
  ],
  ['the addition of our finalizer', '', capp, withMeta({ finalizers: [FINALIZER] })],
  ["the addition of another controller's finalizer", '', capp, withMeta({ finalizers: ['theirs'] })],
  [
    'the removal of our finalizer during its deletion',
    '',
    withMeta({ finalizers: [FINALIZER], deletionTimestamp: 'x' }),
    withMeta({ deletionTimestamp: 'x' }),
  ],
  [
    'another spec.site',
    'spec decision',
    capp,
    { ...withMeta({ generation: 2 }), spec: { ...capp.spec, site: 'site-2' } },
  ],
  [
    'another spec.requires',
    'spec decision',
    capp,
    { ...withMeta({ generation: 2 }), spec: { ...capp.spec, requires: {} } },
  ],
  [
    'a move request',
    'request',
    capp,
    withMeta({ annotations: { ...capp.metadata.annotations, 'rcs.dana.io/migrate': 'site-2#1' } }),
  ],
  [
    'the removal of a move request',
    '',
    withMeta({ annotations: { ...capp.metadata.annotations, 'rcs.dana.io/migrate': '#1' } }),
    capp,
  ],
  [
    'the placement annotation that the hub worker writes',
    '',
    capp,
    withMeta({ annotations: { note: 'one', 'rcs.dana.io/has-placement': 'site-1' } }),
  ],
  [
    'the annotation by which the webhook records the requester',
    '',
    capp,
    withMeta({ annotations: { note: 'one', 'rcs.dana.io/paused-by': 'alice' } }),
  ],
  [
    'an annotation of a deployment tool',
    '',
    capp,
    withMeta({ annotations: { note: 'one', 'argocd.argoproj.io/tracking-id': 'x' } }),
  ],
  ['a status', '', capp, { ...capp, status: { observedGeneration: 1 } }],
  ['another resourceVersion', '', capp, withMeta({ resourceVersion: '7' })],
])('for a Capp, %s rings with the causes "%s"', (_name, cause, before, after) => {
  expect(causesOfCapp(before, after).join(' ')).toBe(cause);
});

const work = (metadata: Partial<KubeObject['metadata']> = {}): KubeObject => ({
  metadata: { name: 'mw-create-apps-app', generation: 1, annotations: { [ROLLOUT]: 'stamp-1' }, ...metadata },
});

test.each<[string, string, KubeObject | null, KubeObject]>([
  ['a work that the hub worker created', 'never', null, work()],
  [
    'a work that the hub worker changed',
    'never',
    work(),
    work({ generation: 2, annotations: { [ROLLOUT]: 'stamp-2' } }),
  ],
  ['a work that another client changed', 'now', work(), work({ generation: 2 })],
  ['a work from which another client removed our annotations', 'soon', work(), work({ annotations: {} })],
  [
    'a work with another digest of its dependencies',
    'later',
    work(),
    work({ annotations: { [ROLLOUT]: 'stamp-1', 'rcs.dana.io/dependencies': 'x' } }),
  ],
  ['a work whose deletion begins', 'now', work(), work({ deletionTimestamp: '2026-03-01T12:00:00Z' })],
  ['a status', 'later', work(), work({ resourceVersion: '7' })],
])('%s is looked at: %s', (_name, urgency, before, after) => {
  expect(urgencyOfWork(before, after)).toBe(urgency);
});

const cluster = (accepted: boolean, metadata: Partial<ManagedCluster['metadata']> = {}): ManagedCluster => ({
  metadata: { name: 'site-1', ...metadata },
  spec: { hubAcceptsClient: accepted },
});

test.each<[string, boolean, ManagedCluster | null, ManagedCluster]>([
  ['a new cluster', true, null, cluster(true)],
  ['the acceptance of a cluster', true, cluster(false), cluster(true)],
  [
    'a move to another clusterset',
    true,
    cluster(true),
    cluster(true, { labels: { 'cluster.open-cluster-management.io/clusterset': 'red' } }),
  ],
  ['the start of a deletion', true, cluster(true), cluster(true, { deletionTimestamp: 'x' })],
  [
    'a taint',
    true,
    cluster(true),
    { ...cluster(true), spec: { hubAcceptsClient: true, taints: [{ key: 'k', effect: 'NoSelect' }] } },
  ],
  [
    'the loss of condition Available',
    true,
    {
      ...cluster(true),
      status: { conditions: [{ type: 'ManagedClusterConditionAvailable', status: 'True' }] },
    },
    cluster(true),
  ],
  ['a heartbeat', false, cluster(true), { ...cluster(true), status: { conditions: [] } }],
])('for a ManagedCluster, %s calls for rings: %s', (_name, isNews, before, after) => {
  expect(isNewsOfCluster(before, after)).toBe(isNews);
});

const ready = (status: 'True' | 'False', observedGeneration: number): Capp => ({
  ...capp,
  status: {
    applicationLinks: { site: 'site-1' },
    conditions: [
      {
        type: 'Ready',
        status,
        reason: 'Ready',
        message: '',
        lastTransitionTime: '2026-03-01T12:00:00Z',
        observedGeneration,
      },
    ],
  },
});

test.each<[string, boolean, Capp]>([
  ['has condition Ready True for its generation', true, ready('True', 1)],
  ['has condition Ready True for an earlier generation', false, ready('True', 0)],
  ['has condition Ready False', false, ready('False', 1)],
  ['has no conditions', false, capp],
])('a Capp that %s counts as Ready: %s', (_name, is, one) => {
  expect(isReady(one)).toBe(is);
});

test('a status change of its works rings a Capp that is not Ready and one that moves, and no other', () => {
  const is = (migrating: 'True' | 'False'): Capp => {
    const one = ready('True', 1);
    const condition = {
      type: 'Migrating',
      status: migrating,
      reason: 'Moving',
      message: '',
      lastTransitionTime: '2026-03-01T12:00:00Z',
    };
    return { ...one, status: { ...one.status, conditions: [...(one.status?.conditions ?? []), condition] } };
  };
  expect([ready('False', 1), is('True'), is('False')].map(waitsForWork)).toEqual([true, true, false]);
});

test('the site of a Capp is read from its status, and is null before the Capp was placed', () => {
  expect([siteOf(capp), siteOf(ready('True', 1))]).toEqual([null, 'site-1']);
});
