// Choosing a site from caches of a real API server: whatever is missing is named as the reason, and a cache
// that lags gives no answer.
import { hubCaches, type HubCaches } from '../../../../activities/hub/caches.ts';
import { hubChoose } from '../../../../activities/hub/place/choose.ts';
import { hubApply } from '../../../../activities/hub/ship/apply.ts';
import { hubCompare } from '../../../../activities/hub/site/compare.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import { MANAGED_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import {
  CLUSTER_SET_LABEL,
  MANAGED_CLUSTER_SET,
  MANAGED_CLUSTER_SET_BINDING,
  PLACEMENT,
  PLACEMENT_DECISION,
  PLACEMENT_LABEL,
} from '../../../../crds/ocm/placements.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { allSynced, stopAll } from '../../../../kube/watch/cache.ts';
import type { Hub } from '../../../../workflows/ports/hub.ts';
import type { Choice } from '../../../../workflows/ports/choice.ts';
import { initialState, type CappRef } from '../../../../workflows/capp/state.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { aCopy } from '../../../support/builders/states.ts';

let stage: HubForTests;
let caches: HubCaches;
let chooser: Pick<Hub, 'choose'>;
beforeAll(async () => {
  stage = await startHub();
  caches = hubCaches(stage.kube, () => undefined);
  await allSynced(caches);
  chooser = hubChoose({ kube: stage.kube, caches, hubUid: 'hub-uid', config: RCS_CONFIG_KEY });
}, 300_000);
afterAll(async () => {
  await stopAll(caches);
  await stage.stop();
});

const NOTHING_KNOWN = { minimumVersions: {}, present: null, avoid: {}, works: [], history: null };
const make = (resource: { apiVersion: string; kind: string }, metadata: object, rest: object = {}) =>
  ({ apiVersion: resource.apiVersion, kind: resource.kind, metadata, ...rest }) as never;

/** Chooses until the caches show what the test has created. */
function untilOutcome(ref: CappRef, wanted: object): Promise<Choice> {
  return eventually(async () => {
    const choice = await chooser.choose(ref, NOTHING_KNOWN);
    expect(choice).toMatchObject(wanted);
    return choice;
  });
}

test('each missing object has its own reason, until a cluster can be chosen', async () => {
  const ref = await stage.make({ name: 'patient' });
  await untilOutcome(ref, { outcome: 'None', reason: 'NoConfig' });
  await stage.kube.create(
    RCS_CONFIG,
    make(RCS_CONFIG, RCS_CONFIG_KEY, {
      spec: { placements: ['first', 'second'], placementsNamespace: 'placements' },
    }),
  );
  await untilOutcome(ref, { outcome: 'None', reason: 'NoPlacement' });
  await stage.kube.create(PLACEMENT, make(PLACEMENT, { namespace: 'placements', name: 'second' }));
  await untilOutcome(ref, { outcome: 'None', reason: 'NoDecision' });
  for (const page of [1, 2]) {
    const labels = { [PLACEMENT_LABEL]: 'second' };
    const decision = make(PLACEMENT_DECISION, {
      namespace: 'placements',
      name: `second-decision-${page}`,
      labels,
    });
    await stage.kube.create(PLACEMENT_DECISION, decision);
    const status = { decisions: [{ clusterName: page === 1 ? 'hub-itself' : 'site-1', reason: '' }] };
    await stage.kube.patch(
      PLACEMENT_DECISION,
      { namespace: 'placements', name: `second-decision-${page}` },
      { status },
      { subresource: 'status' },
    );
  }
  await untilOutcome(ref, { outcome: 'None', reason: 'NoCandidate' });
  const claims = { status: { clusterClaims: [{ name: 'id.k8s.io', value: 'hub-uid' }] } };
  await stage.kube.create(
    MANAGED_CLUSTER,
    make(MANAGED_CLUSTER, { name: 'hub-itself' }, { spec: { hubAcceptsClient: true } }),
  );
  await stage.kube.patch(MANAGED_CLUSTER, { namespace: null, name: 'hub-itself' }, claims, {
    subresource: 'status',
  });
  await stage.kube.create(
    MANAGED_CLUSTER,
    make(MANAGED_CLUSTER, { name: 'site-1' }, { spec: { hubAcceptsClient: false } }),
  );
  await untilOutcome(ref, {
    outcome: 'None',
    record: { excluded: [{ reason: 'Hub' }, { reason: 'NotAccepted' }] },
  });
  await stage.kube.patch(
    MANAGED_CLUSTER,
    { namespace: null, name: 'site-1' },
    { spec: { hubAcceptsClient: true } },
  );
  await untilOutcome(ref, {
    outcome: 'Chosen',
    cluster: 'site-1',
    pinned: false,
    record: { placement: 'second' },
  });
});

test('a Capp may name a site whose clusterset is bound for a placement, or any site with pinning Any', async () => {
  await stage.kube.create(
    MANAGED_CLUSTER,
    make(MANAGED_CLUSTER, { name: 'by-name' }, { spec: { hubAcceptsClient: true } }),
  );
  const ref = await stage.make({ name: 'named', spec: { site: 'by-name' } });
  await untilOutcome(ref, { outcome: 'None', reason: 'PinRefused' });
  const history = {
    placedFor: '',
    pin: null,
    home: null,
    copies: [],
    annotated: { migrate: null, force: null },
  };
  const request = { source: 'migrate', id: '1', to: 'by-name', by: 'you', why: '', force: false } as const;
  const other = await stage.make({ name: 'elsewhere' });
  const asking = () =>
    chooser.choose(other, { ...NOTHING_KNOWN, present: 'site-1', history: { ...history, request } });
  await eventually(async () => {
    expect(await asking()).toMatchObject({ handled: { outcome: 'Refused', reason: 'PinRefused' } });
    return true;
  });
  await stage.kube.create(MANAGED_CLUSTER_SET, make(MANAGED_CLUSTER_SET, { name: 'red' }));
  const binding = make(
    MANAGED_CLUSTER_SET_BINDING,
    { namespace: 'placements', name: 'red' },
    { spec: { clusterSet: 'red' } },
  );
  await stage.kube.create(MANAGED_CLUSTER_SET_BINDING, binding);
  const labels = (set: string | null) => ({ metadata: { labels: { [CLUSTER_SET_LABEL]: set } } });
  await stage.kube.patch(MANAGED_CLUSTER, { namespace: null, name: 'by-name' }, labels('red'));
  await untilOutcome(ref, { outcome: 'Chosen', cluster: 'by-name', pinned: true });
  expect(await asking()).toMatchObject({ outcome: 'Leaves', to: 'by-name' });
  await stage.kube.patch(MANAGED_CLUSTER, { namespace: null, name: 'by-name' }, labels(null));
  await untilOutcome(ref, { outcome: 'None', reason: 'PinRefused' });
  await stage.kube.patch(RCS_CONFIG, RCS_CONFIG_KEY, { spec: { pinning: 'Any' } });
  await untilOutcome(ref, { outcome: 'Chosen', cluster: 'by-name', pinned: true });
  await stage.kube.patch(RCS_CONFIG, RCS_CONFIG_KEY, { spec: { pinning: null } });
});

test('a choice answers Behind while a cache has not reached the minimum resource versions of the ring', async () => {
  const ref = await stage.make({ name: 'behind' });
  await untilOutcome(ref, { outcome: 'Chosen' });
  const { resourceVersion = '' } = (await stage.read(ref)).metadata;
  expect(
    await chooser.choose(ref, { ...NOTHING_KNOWN, minimumVersions: { Capp: `${resourceVersion}0` } }),
  ).toEqual({ outcome: 'Behind' });
  expect(
    await chooser.choose(ref, {
      ...NOTHING_KNOWN,
      minimumVersions: { Capp: resourceVersion, Secret: `${resourceVersion}0` },
    }),
  ).toMatchObject({
    outcome: 'Chosen',
  });
});

test('a choice answers Absent for a Capp that does not exist', async () => {
  expect(await chooser.choose({ namespace: 'apps', name: 'nobody', uid: 'u' }, NOTHING_KNOWN)).toEqual({
    outcome: 'Absent',
  });
});

test('a choice answers Absent when only a Capp of that name with another uid exists', async () => {
  const ref = await stage.make({ name: 'namesake' });
  await untilOutcome(ref, { outcome: 'Chosen' });
  expect(await chooser.choose({ ...ref, uid: 'of-the-one-before' }, NOTHING_KNOWN)).toEqual({
    outcome: 'Absent',
  });
});

test('a Capp stays on the site where it already has a work', async () => {
  const ref = await stage.make({ name: 'settled', spec: { site: 'second' } });
  const state = {
    ...initialState(ref),
    serving: 'site-1',
    copies: { 'site-1': aCopy({ stamp: null, finding: null }) },
  };
  const shipping = hubApply({ ...stage, caches, hubUid: 'hub-uid', config: RCS_CONFIG_KEY });
  expect(await shipping.apply(ref, 'site-1', state, null)).toMatchObject({ outcome: 'Applied' });
  await untilOutcome(ref, {
    outcome: 'Chosen',
    record: { reason: 'Stays' },
    works: [{ cluster: 'site-1', leaving: false }],
  });
});

test('an audit reports only Capps of that site whose status or uid differs', async () => {
  const ref = await stage.make({ name: 'audited' });
  await stage.kube.patch(
    CAPP,
    ref,
    { status: { applicationLinks: { site: 'site-1' }, migration: { statusHash: 'known' } } },
    { subresource: 'status' },
  );
  const entry = { namespace: ref.namespace, name: ref.name, uid: ref.uid, stamp: `${ref.uid}/1/hash/one` };
  const compare = async (cluster: string, given: object) => {
    const entries = [{ ...entry, statusHash: 'new', ...given }];
    return (await hubCompare(caches).compare(cluster, { entries, after: null, upTo: null })).differing.length;
  };
  await eventually(async () => ((await compare('site-1', {})) === 1 ? true : undefined));
  expect(await compare('site-1', { statusHash: 'known' })).toBe(0);
  const time = '2026-01-01T00:00:00Z';
  const silent = [
    { type: 'Available', status: 'Unknown', reason: 'AgentSilent', message: '', lastTransitionTime: time },
  ];
  await stage.kube.patch(CAPP, ref, { status: { conditions: silent } }, { subresource: 'status' });
  await eventually(async () => ((await compare('site-1', { statusHash: 'known' })) === 1 ? true : undefined));
  await stage.kube.patch(CAPP, ref, { status: { conditions: null } }, { subresource: 'status' });
  await eventually(async () => ((await compare('site-1', { statusHash: 'known' })) === 0 ? true : undefined));
  expect(await compare('site-2', {})).toBe(0);
  // Another uid means that it is not the Capp that the hub has seen there.
  expect(await compare('site-1', { statusHash: 'known', uid: 'another' })).toBe(1);
});
