// A compromised site writes what it likes on the works in its namespace, with the rights of its work agent,
// on a real API server: that gets it no other Capp, and removes none.
import { hubChoose } from '../../../activities/hub/place/choose.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { SECRET } from '../../../crds/kubernetes/core.ts';
import { CAPP_KEY, FINALIZER } from '../../../crds/labels.ts';
import { MANAGED_CLUSTER, MANIFEST_WORK, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { workName } from '../../../crds/ocm/work-identity.ts';
import type { Kube } from '../../../kube/client.ts';
import type { FoundWork } from '../../../workflows/types/removals.ts';
import type { CappRef } from '../../../workflows/capp/state.ts';
import { capp } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { APPS, startHub, type HubForTests } from '../../support/testbeds/hub/hub.ts';
import { labelsFor } from '../../support/builders/works.ts';
import { aPlacing } from '../../support/builders/states.ts';

const ROLE = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
};
const BINDING = { ...ROLE, kind: 'RoleBinding', plural: 'rolebindings', namespaced: true };

/**
 * What OCM lets a work agent do (ocm:
 * pkg/registration/hub/manifests/rbac/managedcluster-work-clusterrole.yaml).
 */
const OF_WORK_AGENTS = [
  {
    apiGroups: ['work.open-cluster-management.io'],
    resources: ['manifestworks'],
    verbs: ['get', 'list', 'watch', 'update', 'patch'],
  },
  {
    apiGroups: ['work.open-cluster-management.io'],
    resources: ['manifestworks/status'],
    verbs: ['patch', 'update'],
  },
];

let stage: HubForTests;
let thief: Kube;
beforeAll(async () => {
  stage = await startHub();
  const metadata = { name: 'work-agents' };
  await stage.kube.create(ROLE, { metadata, rules: OF_WORK_AGENTS } as never);
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'work-agents' };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'agent-of-site-2' }];
  await stage.kube.create(BINDING, {
    metadata: { ...metadata, namespace: 'site-2' },
    roleRef,
    subjects,
  } as never);
  thief = await stage.as('agent-of-site-2');
  for (const name of ['site-1', 'site-2']) {
    await stage.kube.create(MANAGED_CLUSTER, {
      metadata: { name },
      spec: { hubAcceptsClient: true },
    } as never);
  }
  const spec = { placements: ['default'], pinning: 'Any' };
  await stage.kube.create(RCS_CONFIG, {
    apiVersion: RCS_CONFIG.apiVersion,
    kind: RCS_CONFIG.kind,
    metadata: RCS_CONFIG_KEY,
    spec,
  } as never);
  await eventually(() => stage.caches.configs.get(RCS_CONFIG_KEY));
  await stage.kube.create(SECRET, {
    metadata: { namespace: APPS, name: 'jewels' },
    data: { value: btoa('canary-c1') },
  } as never);
}, 300_000);
afterAll(async () => {
  await thief?.close();
  await stage?.stop();
});

const workAt = (cluster: string, name: string) =>
  stage.kube.get<ManifestWork>(MANIFEST_WORK, { namespace: cluster, name });

/** A Capp on the compromised site. */
async function loot(
  name: string,
  namespace = APPS,
): Promise<{ ref: CappRef; key: { namespace: string; name: string } }> {
  const { metadata } = await stage.kube.create(CAPP, capp({ namespace, name, spec: { site: 'site-2' } }));
  const ref = { namespace, name, uid: metadata.uid ?? '' };
  await stage.hub.apply(ref, 'site-2', aPlacing(ref, 'site-2'), null);
  return { ref, key: { namespace: 'site-2', name: workName(namespace, name) } };
}

async function victim(name: string): Promise<CappRef> {
  return stage.make({
    name,
    spec: { site: 'site-1' },
    container: { envFrom: [{ secretRef: { name: 'jewels' } }] },
  });
}

/** The compromised site makes a work claim another Capp in labels, annotations and manifests. */
async function forge(
  key: { namespace: string; name: string },
  { namespace, name, uid }: CappRef,
): Promise<void> {
  await thief.patch(MANIFEST_WORK, key, { metadata: labelsFor(namespace, name, uid) });
  const shipped = await thief.get<ManifestWork>(MANIFEST_WORK, key);
  const manifests = (shipped?.spec?.workload.manifests ?? []).map((one) =>
    one.kind === 'Capp' ? { ...one, metadata: { ...one.metadata, namespace, name } } : one,
  );
  await thief.patch(MANIFEST_WORK, key, { spec: { workload: { manifests } } });
  await eventually(() =>
    stage.caches.works.get(key)?.metadata.labels?.[CAPP_KEY] === labelsFor(namespace, name).labels[CAPP_KEY]
      ? true
      : undefined,
  );
}

async function choiceFor(ref: CappRef, works: readonly FoundWork[] = []) {
  const chooser = hubChoose({
    kube: stage.kube,
    caches: stage.caches,
    hubUid: 'hub',
    config: RCS_CONFIG_KEY,
  });
  return eventually(async () => {
    const choice = await chooser.choose(ref, {
      minimumVersions: {},
      present: null,
      avoid: {},
      works,
      history: null,
    });
    return choice.outcome === 'Absent' ? undefined : choice;
  });
}

test('a work agent may change the works of its site, but may neither create nor delete works', async () => {
  const { key } = await loot('rights');
  await expect(
    thief.create(MANIFEST_WORK, { metadata: { namespace: 'site-2', name: 'mw-create-apps-x' } }),
  ).rejects.toThrow();
  await expect(thief.remove(MANIFEST_WORK, key)).rejects.toThrow();
  await expect(
    thief.patch(MANIFEST_WORK, { ...key, namespace: 'site-1' }, { metadata: { labels: { a: 'b' } } }),
  ).rejects.toThrow();
});

test('a work that claims another Capp does not attract that Capp or its Secrets', async () => {
  const [ref, { key }] = [await victim('victim'), await loot('decoy')];
  await forge(key, ref);
  const choice = await choiceFor(ref);
  expect(choice).toMatchObject({ outcome: 'Chosen', cluster: 'site-1', works: [] });
  await stage.hub.apply(ref, 'site-1', aPlacing(ref), null);
  expect(JSON.stringify(await workAt('site-1', workName(APPS, 'victim')))).toContain(btoa('canary-c1'));
  const { items } = await thief.list<ManifestWork>(MANIFEST_WORK, { namespace: 'site-2' });
  expect(JSON.stringify(items)).not.toContain(btoa('canary-c1'));
});

test('a Capp can be deleted while a forged work claims it, and the forged work is not deleted', async () => {
  const [ref, { key }] = [await victim('short-lived'), await loot('mine')];
  await stage.hub.apply(ref, 'site-1', aPlacing(ref), null);
  await forge(key, ref);
  expect(
    await stage.hub.remove(ref, ['site-2'], { staying: { cluster: 'site-1', stamp: '' }, until: Infinity }),
  ).toEqual({ leaving: [] });
  await stage.kube.remove(CAPP, ref);
  await stage.hub.retire(ref);
  expect(await stage.hub.retire(ref)).toEqual({ outcome: 'Retired' });
  expect(await stage.kube.get(CAPP, ref)).toBeNull();
  expect((await stage.kube.get(MANIFEST_WORK, key))?.metadata.deletionTimestamp).toBeUndefined();
});

test('what a site changed in its own work is restored by the next apply', async () => {
  const [other, { ref, key }] = [await victim('named'), await loot('marked')];
  const before = await workAt('site-2', key.name);
  await forge(key, other);
  await stage.hub.apply(ref, 'site-2', aPlacing(ref, 'site-2'), null);
  const after = await workAt('site-2', key.name);
  expect(after?.metadata.uid).toBe(before?.metadata.uid);
  expect(after?.metadata.labels).toEqual(before?.metadata.labels);
  expect(after?.spec).toEqual(before?.spec);
});

test('a work without labels and annotations is found and deleted with its Capp', async () => {
  const { ref, key } = await loot('bare');
  await thief.patch(MANIFEST_WORK, key, { metadata: { labels: null, annotations: null } });
  await stage.kube.remove(CAPP, ref);
  await stage.hub.retire(ref);
  expect(await stage.hub.retire(ref)).toEqual({ outcome: 'Retired' });
  expect(await stage.kube.get(MANIFEST_WORK, key)).toBeNull();
});

describe('of two Capps whose namespaces and names make the same work name', () => {
  const NEIGHBOUR = `${APPS}-run`;
  let near: { ref: CappRef; key: { namespace: string; name: string } };
  beforeAll(async () => {
    await stage.kube.create(
      { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false },
      { metadata: { name: NEIGHBOUR } },
    );
    near = await loot('together', NEIGHBOUR);
  });

  test('the one does not go to the site of the other’s work, whatever that claims', async () => {
    const ref = await victim('run-together');
    await forge(near.key, ref);
    expect(await choiceFor(ref)).toMatchObject({ outcome: 'Chosen', cluster: 'site-1', works: [] });
    await stage.hub.apply(ref, 'site-1', aPlacing(ref), null);
    expect(
      await stage.hub.remove(ref, ['site-2'], { staying: { cluster: 'site-1', stamp: '' }, until: Infinity }),
    ).toEqual({
      leaving: [],
    });
    await stage.kube.remove(CAPP, ref);
    await stage.hub.retire(ref);
    expect(await stage.hub.retire(ref)).toEqual({ outcome: 'Retired' });
    expect((await stage.kube.get(MANIFEST_WORK, near.key))?.metadata.deletionTimestamp).toBeUndefined();
  });

  test('one that is created when the other is gone does not go to the site where that has left its work', async () => {
    await stage.kube.patch(CAPP, near.ref, { metadata: { finalizers: null } });
    await stage.kube.remove(CAPP, near.ref);
    const ref = await victim('run-together');
    await forge(near.key, ref);
    await eventually(() => (stage.caches.capps.get(near.ref) === undefined ? true : undefined));
    expect(await choiceFor(ref)).toMatchObject({ outcome: 'Chosen', cluster: 'site-1' });
    const { works } = await stage.hub.find(ref, null);
    expect(await choiceFor(ref, works)).toMatchObject({ outcome: 'Chosen', cluster: 'site-1' });
    expect((await stage.read(ref)).metadata.finalizers ?? []).not.toContain(FINALIZER);
  });
});
