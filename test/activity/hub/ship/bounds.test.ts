// Limits on what a Capp may refer to, on a real API server: what exceeds them is refused with a message, and
// what runs already keeps running.
import { hubApply } from '../../../../activities/hub/ship/apply.ts';
import { cappKey } from '../../../../crds/ocm/work-identity.ts';
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import {
  CAPP_KEY,
  CAPP_NAME,
  CAPP_NAMESPACE,
  MANAGED_BY,
  MANAGED_BY_HUB,
  ROLLOUT,
} from '../../../../crds/labels.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { CappRef } from '../../../../workflows/capp/state.ts';
import { capp } from '../../../../testbed/capps.ts';
import { APPS, startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { aPlacing } from '../../../support/builders/states.ts';
import { warranted } from '../../../support/testbeds/hub/warranted.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
}, 300_000);
afterAll(() => stage?.stop());

/** Creates the work for the first generation as an earlier version did. */
async function shippedBefore({ namespace, name, uid }: CappRef): Promise<void> {
  const annotations = { [CAPP_NAMESPACE]: namespace, [CAPP_NAME]: name, [ROLLOUT]: `${uid}/1/hash/one` };
  await stage.kube.create<ManifestWork>(MANIFEST_WORK, {
    apiVersion: MANIFEST_WORK.apiVersion,
    kind: MANIFEST_WORK.kind,
    metadata: {
      namespace: 'site-1',
      name: `mw-create-${namespace}-${name}`,
      annotations,
      labels: { [CAPP_KEY]: cappKey(namespace, name), [MANAGED_BY]: MANAGED_BY_HUB },
    },
    spec: { workload: { manifests: [] } },
  });
}

test('Secrets of a Capp that is too large are read only until the limit is exceeded', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `bulk-${String(index).padStart(2, '0')}`);
  const canary = 'z'.repeat(600_000);
  const data = { value: btoa(canary) };
  for (const name of names)
    await stage.kube.create<Secret>(SECRET, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: APPS, name },
      data,
    });
  const reads: string[] = [];
  const kube: typeof stage.kube = {
    ...stage.kube,
    within: () => kube,
    get: (resource, key, options) => {
      if (resource.kind === 'Secret') reads.push(key.name);
      return stage.kube.get(resource, key, options);
    },
  };
  const ref = await stage.make({
    name: 'bulky',
    container: { envFrom: names.map((name) => ({ secretRef: { name } })) },
  });
  const { caches, events } = stage;
  const applied = await hubApply({ kube, ...warranted(caches), events, audit: stage.audit }).apply(
    ref,
    'site-1',
    aPlacing(ref),
    null,
  );
  expect(applied).toMatchObject({ outcome: 'Refused', reason: 'TooLarge' });
  const { message } = applied as { message: string };
  expect(reads.length).toBeLessThanOrEqual(4);
  expect(message).toMatch(
    /at least \d+ KiB, more than the 500 KiB .* The largest so far, with \d+ left unread, are Secret bulk-\d\d \(782 KiB\)/,
  );
  expect(message).not.toContain(btoa(canary).slice(0, 20));
  expect(await stage.work(ref)).toBeNull();
});

test('a Capp in a system namespace is refused, and one that runs there keeps running until it is edited', async () => {
  const namespace = 'kube-public';
  const { metadata } = await stage.kube.create<Capp>(CAPP, capp({ namespace, name: 'intruder' }));
  const ref = { namespace, name: 'intruder', uid: metadata.uid ?? '' };
  const { applied, state } = await stage.ship(ref);
  expect(applied).toMatchObject({
    outcome: 'Refused',
    reason: 'NamespaceReserved',
    message: expect.stringContaining('another namespace'),
  });
  expect(await stage.work(ref)).toBeNull();
  expect((await stage.read(ref)).metadata.finalizers ?? []).toEqual([]);
  await shippedBefore(ref);
  expect((await stage.ship(ref, state)).applied).toMatchObject({ outcome: 'Applied', created: false });
  const before = await stage.work(ref);
  await stage.kube.patch(CAPP, ref, { spec: { scaleMetric: 'cpu' } });
  expect((await stage.ship(ref, state)).applied).toMatchObject({
    outcome: 'Refused',
    reason: 'NamespaceReserved',
  });
  expect(await stage.work(ref)).toEqual(before);
  const elsewhere = await stage.hub.apply(ref, 'site-2', aPlacing(ref, 'site-2'), null);
  expect(elsewhere).toMatchObject({ outcome: 'Refused', reason: 'NamespaceReserved' });
});

test('a Capp in a namespace that the operator of the hub has reserved is refused', async () => {
  const ref = await stage.make({ name: 'tenant' });
  const { kube, caches, events } = stage;
  const applied = await hubApply({
    kube,
    ...warranted(caches),
    events,
    audit: stage.audit,
    reserved: ['ap*'],
  }).apply(ref, 'site-1', aPlacing(ref), null);
  expect(applied).toMatchObject({ outcome: 'Refused', reason: 'NamespaceReserved' });
});

test('a Capp with more than 64 references is refused, and one that runs with them keeps running until it is edited', async () => {
  const names = Array.from({ length: 65 }, (_, index) => `many-${index}`);
  const ref = await stage.make({
    name: 'many',
    container: { envFrom: names.map((name) => ({ secretRef: { name, optional: true } })) },
  });
  const { applied, state } = await stage.ship(ref);
  expect(applied).toMatchObject({ outcome: 'Refused', reason: 'TooManyReferences' });
  expect(JSON.stringify(applied)).toContain('refers to 65 ConfigMaps and Secrets, more than the 64 allowed');
  await shippedBefore(ref);
  expect((await stage.ship(ref, state)).applied).toMatchObject({ outcome: 'Applied', created: false });
  const before = await stage.work(ref);
  await stage.kube.patch(CAPP, ref, { spec: { state: 'disabled' } });
  expect((await stage.ship(ref, state)).applied).toMatchObject({
    outcome: 'Refused',
    reason: 'TooManyReferences',
  });
  expect(await stage.work(ref)).toEqual(before);
});
