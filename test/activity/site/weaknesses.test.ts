// Weaknesses of container-app-operator that its users know, on a real API server: none of them is here.
// docs/parity.md lists them all.
import { CAPP } from '../../../crds/capp/capp.ts';
import {
  KNATIVE_REVISION,
  KNATIVE_SERVICE,
  NFS_PVC,
  type KnativeService,
  type NfsPvc,
} from '../../../crds/kubernetes/knative.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { is } from '../../support/builders/site/knative.ts';
import { serveBare } from '../../support/servers/api/definitions.ts';
import { at, siteTestbed } from '../../support/testbeds/site/site.ts';

const testbed = siteTestbed();
beforeAll(async () => {
  for (const kind of [KNATIVE_SERVICE, KNATIVE_REVISION, NFS_PVC]) await serveBare(testbed.kube, kind);
}, 300_000);

const nfs = (...names: readonly string[]) => ({
  volumesSpec: {
    nfsVolumes: names.map((name) => ({ name, server: 's', path: '/p', capacity: { storage: '1Gi' } })),
  },
});
const live = <T extends KubeObject>(kind: Resource, name: string) => testbed.kube.get<T>(kind, at(name));
const there = <T extends KubeObject>(kind: Resource, name: string) =>
  eventually(async () => (await live<T>(kind, name)) ?? undefined);
const gone = (kind: Resource, name: string) =>
  eventually(async () => ((await live(kind, name)) === null ? true : undefined));

/** Plays Knative: the same revision all the time. */
async function knativeSays(name: string, ready: 'True' | 'False' | 'Unknown'): Promise<void> {
  const { metadata } = await there<KnativeService>(KNATIVE_SERVICE, name);
  const status = {
    observedGeneration: metadata.generation,
    latestCreatedRevisionName: `${name}-00001`,
    latestReadyRevisionName: `${name}-00001`,
    conditions: [is('ConfigurationsReady', 'True'), is('RoutesReady', ready), is('Ready', ready)],
  };
  await testbed.kube.patch(KNATIVE_SERVICE, at(name), { status }, { subresource: 'status' });
}

test('W-2 Ready follows the Service also while its revision stays the same', async () => {
  await testbed.make('follows');
  await knativeSays('follows', 'Unknown');
  await testbed.says('follows', 'Ready', 'Deploying');
  await knativeSays('follows', 'True');
  await testbed.says('follows', 'Ready', 'Ready');
  await knativeSays('follows', 'False');
  await testbed.says('follows', 'Ready', 'RolloutFailed');
});

test('W-3 a volume that somebody deletes or that gets bound is noticed', async () => {
  await testbed.make('mounts', nfs('mounted'));
  const { metadata } = await there<NfsPvc>(NFS_PVC, 'mounted');
  const bound = { status: { pvPhase: 'Bound', pvcPhase: 'Bound' } };
  await testbed.kube.patch(NFS_PVC, at('mounted'), bound, { subresource: 'status' });
  await testbed.says('mounts', 'VolumesReady', 'Bound');
  await testbed.kube.remove(NFS_PVC, at('mounted'));
  const again = await eventually(async () => {
    const found = await live<NfsPvc>(NFS_PVC, 'mounted');
    return found === null || found.metadata.uid === metadata.uid ? undefined : found;
  });
  expect(again.metadata.labels).toMatchObject({ 'rcs.dana.io/parent-capp': 'mounts' });
});

test("W-8 a Capp that is being deleted and held by somebody else's finalizer is left alone", async () => {
  await testbed.make('held');
  const { metadata } = await there(KNATIVE_SERVICE, 'held');
  await testbed.kube.patch(CAPP, at('held'), { metadata: { finalizers: ['example.com/theirs'] } });
  await testbed.kube.remove(CAPP, at('held'));
  await eventually(async () =>
    (await testbed.live('held')).metadata.deletionTimestamp === undefined ? undefined : true,
  );
  await testbed.kube.remove(KNATIVE_SERVICE, at('held'), { uid: metadata.uid ?? '' });
  await testbed.operator.idle();
  expect((await testbed.live('held')).metadata.finalizers).toEqual(['example.com/theirs']);
  expect(await live(KNATIVE_SERVICE, 'held')).toBeNull();
  await testbed.kube.patch(CAPP, at('held'), { metadata: { finalizers: null } });
});

test('W-12 of two volumes the one that is no longer named goes, and the other stays', async () => {
  await testbed.make('two', nfs('kept', 'dropped'));
  const { metadata } = await there(NFS_PVC, 'kept');
  await there(NFS_PVC, 'dropped');
  await testbed.edit('two', nfs('kept'));
  await gone(NFS_PVC, 'dropped');
  expect((await live(NFS_PVC, 'kept'))?.metadata.uid).toBe(metadata.uid);
});

test('W-13 the second Capp that names a volume is told so, and the first keeps it', async () => {
  await testbed.make('first', nfs('shared'));
  const before = await there(NFS_PVC, 'shared');
  await testbed.make('second', nfs('shared'));
  const { status } = await testbed.says('second', 'VolumesReady', 'NameTaken');
  expect(status?.conditions?.find(({ type }) => type === 'VolumesReady')?.message).toContain('shared');
  expect(await live(NFS_PVC, 'shared')).toEqual(before);
});

test('W-29 what nobody has answered for yet is not Ready', async () => {
  await testbed.make('fresh', nfs('unseen'));
  await testbed.says('fresh', 'Ready', 'Deploying');
  const capp = await testbed.says('fresh', 'VolumesReady', 'NotBound');
  const statuses = capp.status?.conditions?.filter(({ type }) => type !== 'Serving') ?? [];
  expect(statuses.map(({ status }) => status)).not.toContain('True');
});

test('W-40 W-41 labels and the owner of an object are put back', async () => {
  const { metadata } = await testbed.make('marked');
  await there(KNATIVE_SERVICE, 'marked');
  await testbed.operator.idle();
  const labels = { 'rcs.dana.io/parent-capp': null };
  await testbed.kube.patch(KNATIVE_SERVICE, at('marked'), { metadata: { labels } });
  await eventually(async () => {
    const found = (await live(KNATIVE_SERVICE, 'marked'))?.metadata;
    return found?.labels?.['rcs.dana.io/parent-capp'] === 'marked' ? true : undefined;
  });
  expect((await live(KNATIVE_SERVICE, 'marked'))?.metadata.ownerReferences?.[0]?.uid).toBe(metadata.uid);
});

test('W-58 Services of others in the namespace cause no look at any Capp', async () => {
  await testbed.make('calm');
  await there(KNATIVE_SERVICE, 'calm');
  await testbed.operator.idle();
  const before = await testbed.atRest(() => testbed.live('calm'));
  const { apiVersion, kind } = KNATIVE_SERVICE;
  await testbed.kube.create(KNATIVE_SERVICE, { apiVersion, kind, metadata: at('of-somebody') });
  await testbed.kube.patch(KNATIVE_SERVICE, at('of-somebody'), { metadata: { labels: { a: 'b' } } });
  await testbed.operator.idle();
  expect(await testbed.live('calm')).toEqual(before);
  expect((await live(KNATIVE_SERVICE, 'of-somebody'))?.metadata.ownerReferences).toBeUndefined();
});
