// Which changes on the hub are worth a ring: too many cost a look each, one too few loses an edit.
import {
  causesOfCapp,
  isNewsOfCluster,
  isReady,
  siteOf,
  urgencyOfWork,
  waitsForWork,
} from '../../../bridge/changes/causes.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import { FINALIZER, ROLLOUT } from '../../../crds/labels.ts';
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { aCapp } from '../../support/builders/capps.ts';

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
  ['an annotation that goes', 'meta', capp, withMeta({ annotations: {} })],
  ['a deletion', 'meta', capp, withMeta({ deletionTimestamp: '2026-03-01T12:00:00Z' })],
  ['a finalizer that somebody took from a living Capp', 'meta', withMeta({ finalizers: [FINALIZER] }), capp],
  ['our own finalizer', '', capp, withMeta({ finalizers: [FINALIZER] })],
  ["somebody else's finalizer", '', capp, withMeta({ finalizers: ['theirs'] })],
  [
    'a finalizer that goes as it should',
    '',
    withMeta({ finalizers: [FINALIZER], deletionTimestamp: 'x' }),
    withMeta({ deletionTimestamp: 'x' }),
  ],
  [
    'another site asked for',
    'spec decision',
    capp,
    { ...withMeta({ generation: 2 }), spec: { ...capp.spec, site: 'site-2' } },
  ],
  [
    'a wish to move',
    'request',
    capp,
    withMeta({ annotations: { ...capp.metadata.annotations, 'rcs.dana.io/migrate': 'site-2#1' } }),
  ],
  [
    'a wish that is taken back',
    '',
    withMeta({ annotations: { ...capp.metadata.annotations, 'rcs.dana.io/migrate': '#1' } }),
    capp,
  ],
  [
    'the site that we note in it',
    '',
    capp,
    withMeta({ annotations: { note: 'one', 'rcs.dana.io/has-placement': 'site-1' } }),
  ],
  [
    'who asked, which the webhook notes',
    '',
    capp,
    withMeta({ annotations: { note: 'one', 'rcs.dana.io/paused-by': 'alice' } }),
  ],
  [
    "a tool's note of what it applied",
    '',
    capp,
    withMeta({ annotations: { note: 'one', 'argocd.argoproj.io/tracking-id': 'x' } }),
  ],
  ['a status', '', capp, { ...capp, status: { observedGeneration: 1 } }],
  ['another resourceVersion', '', capp, withMeta({ resourceVersion: '7' })],
])('%s of a Capp rings for %s', (_name, cause, before, after) => {
  expect(causesOfCapp(before, after).join(' ')).toBe(cause);
});

const work = (metadata: Partial<KubeObject['metadata']> = {}): KubeObject => ({
  metadata: { name: 'mw-create-apps-app', generation: 1, annotations: { [ROLLOUT]: 'stamp-1' }, ...metadata },
});

test.each<[string, string, KubeObject | null, KubeObject]>([
  ['a work that we made', 'never', null, work()],
  ['a work that we changed', 'never', work(), work({ generation: 2, annotations: { [ROLLOUT]: 'stamp-2' } })],
  ['a work that somebody else changed', 'now', work(), work({ generation: 2 })],
  ['a work whose marks somebody took', 'soon', work(), work({ annotations: {} })],
  [
    'a work that tells of other versions',
    'later',
    work(),
    work({ annotations: { [ROLLOUT]: 'stamp-1', 'rcs.dana.io/dependencies': 'x' } }),
  ],
  ['a deletion that begins', 'now', work(), work({ deletionTimestamp: '2026-03-01T12:00:00Z' })],
  ['a status', 'later', work(), work({ resourceVersion: '7' })],
])('%s is looked at %s', (_name, urgency, before, after) => {
  expect(urgencyOfWork(before, after)).toBe(urgency);
});

const cluster = (accepted: boolean, metadata: Partial<ManagedCluster['metadata']> = {}): ManagedCluster => ({
  metadata: { name: 'site-1', ...metadata },
  spec: { hubAcceptsClient: accepted },
});

test.each<[string, boolean, ManagedCluster | null, ManagedCluster]>([
  ['one that came', true, null, cluster(true)],
  ['one that was accepted', true, cluster(false), cluster(true)],
  [
    'one of another clusterset',
    true,
    cluster(true),
    cluster(true, { labels: { 'cluster.open-cluster-management.io/clusterset': 'red' } }),
  ],
  ['one that begins to go', true, cluster(true), cluster(true, { deletionTimestamp: 'x' })],
  [
    'a taint',
    true,
    cluster(true),
    { ...cluster(true), spec: { hubAcceptsClient: true, taints: [{ key: 'k', effect: 'NoSelect' }] } },
  ],
  [
    'a lost agent',
    true,
    {
      ...cluster(true),
      status: { conditions: [{ type: 'ManagedClusterConditionAvailable', status: 'True' }] },
    },
    cluster(true),
  ],
  ['a heartbeat', false, cluster(true), { ...cluster(true), status: { conditions: [] } }],
])('of clusters, %s is news: %s', (_name, isNews, before, after) => {
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
  ['says so of its generation', true, ready('True', 1)],
  ['said so of an earlier one', false, ready('True', 0)],
  ['says that it is not', false, ready('False', 1)],
  ['says nothing', false, capp],
])('a Capp that %s is Ready: %s', (_name, is, one) => {
  expect(isReady(one)).toBe(is);
});

test('what OCM says of its works matters to a Capp that is not Ready, and to one that moves', () => {
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

test('a Capp knows its site once it was placed', () => {
  expect([siteOf(capp), siteOf(ready('True', 1))]).toEqual([null, 'site-1']);
});
