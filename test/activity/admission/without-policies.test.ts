// An API server that holds no ValidatingAdmissionPolicies, as that of multicluster-controlplane: the webhook
// alone says who asked and where copies are, and while it does not answer nobody says otherwise.
import { BUNDLE, type Bundle } from '../../../crds/bundle/bundle.ts';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { DRAIN, type Drain } from '../../../crds/drain/drain.ts';
import {
  ABANDON,
  APPROVE,
  HAS_PLACEMENT,
  LAST_UPDATED_BY,
  MIGRATE,
  PAUSED,
  REQUESTED_BY,
  TAKEN_UP,
  requestedBy,
} from '../../../crds/labels.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import type { Kube } from '../../../kube/client.ts';
import type { Key, KubeObject, Resource } from '../../../kube/resource.ts';
import { capp } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { aConfigMap } from '../../support/builders/fleet/bundles.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';
import { HUB_USER, startWebhook, type WebhookForTests } from '../../support/servers/chart/webhook.ts';

const NS = 'apps';
const SITE = { namespace: null, name: 'site-1' };
const keyOf = (name: string): Key => ({ namespace: NS, name });

let stage: WebhookForTests;
let bob: Kube;
beforeAll(async () => {
  stage = await startWebhook([NS], Date.now(), { policies: false });
  bob = await stage.as('bob');
  const { apiVersion, kind } = MANAGED_CLUSTER;
  await stage.kube.create(MANAGED_CLUSTER, { apiVersion, kind, metadata: { name: SITE.name } } as never);
  await eventually(() =>
    stage.kube.create<Capp>(CAPP, capp({ namespace: NS, name: 'warm-up' })).catch(() => undefined),
  );
}, 300_000);
afterAll(() => stage?.stop());
afterEach(() => expect(stage.faults).toEqual([]));

const annotated = (annotations: object): object => ({ metadata: { annotations } });

async function after(user: Kube, of: Resource, key: Key, annotations: object): Promise<object> {
  const { metadata } = await user.patch<KubeObject>(of, key, annotated(annotations));
  return metadata.annotations ?? {};
}

const FORGED = [
  { [requestedBy(PAUSED)]: 'mallory' },
  { [PAUSED]: 'yes', [requestedBy(PAUSED)]: 'mallory' },
  { [MIGRATE]: 'site-2#1', [requestedBy(MIGRATE)]: 'mallory' },
  { [ABANDON]: 'site-1', [requestedBy(ABANDON)]: 'mallory' },
  { [LAST_UPDATED_BY]: 'mallory' },
  { [HAS_PLACEMENT]: 'site-9' },
  { [TAKEN_UP]: 'site-9' },
];

test.each([
  ['a Capp', false],
  ['a Capp that is being deleted', true],
])('of %s nobody forges who asked or where its copies are', async (_, isGoing) => {
  const key = keyOf(isGoing ? 'going' : 'there');
  await stage.kube.create(CAPP, capp({ namespace: NS, name: key.name }));
  const hub = await stage.as(HUB_USER);
  await after(hub, CAPP, key, { [HAS_PLACEMENT]: 'site-1' });
  if (isGoing) await stage.kube.remove(CAPP, key);
  const noneForged = async (): Promise<void> => {
    const found = await stage.kube.get<Capp>(CAPP, key);
    expect(JSON.stringify(found?.metadata.annotations)).not.toMatch(/mallory|site-9/);
    expect(found?.metadata.annotations).toMatchObject({ [HAS_PLACEMENT]: 'site-1' });
  };
  for (const one of FORGED) {
    await after(bob, CAPP, key, one).catch(() => undefined);
    await noneForged();
  }
  await stage.without(async () => {
    for (const one of FORGED) {
      await expect(after(bob, CAPP, key, one)).rejects.toMatchObject({ code: 500 });
      await noneForged();
    }
    // What names nobody goes on.
    await after(bob, CAPP, key, { other: 'x' });
    if (isGoing) await after(bob, CAPP, key, { [ABANDON]: 'site-1', [requestedBy(ABANDON)]: null });
    await after(hub, CAPP, key, { [TAKEN_UP]: 'site-2' });
  });
});

test.each([
  ['CappSet', CAPP_SET, () => aSet('shop', { placement: 'edge' })],
  [
    'Bundle',
    BUNDLE,
    (): unknown => ({
      apiVersion: BUNDLE.apiVersion,
      kind: BUNDLE.kind,
      metadata: { namespace: NS, name: 'shop' },
      spec: { placement: 'edge', manifests: [aConfigMap()] },
    }),
  ],
])('of a %s nobody forges who asked, also while it is being deleted', async (_kind, resource, made) => {
  const object = made() as Bundle;
  const hold = { ...object, metadata: { ...object.metadata, finalizers: ['test/hold'] } };
  await stage.kube.create(resource, hold as never);
  const key = keyOf('shop');
  const forged = [
    { [APPROVE]: 'all#r', [requestedBy(APPROVE)]: 'mallory' },
    { [requestedBy(APPROVE)]: 'mallory' },
    { [LAST_UPDATED_BY]: 'mallory' },
  ];
  const refused = async (): Promise<void> => {
    for (const one of forged) await after(bob, resource, key, one).catch(() => undefined);
    await stage.without(async () => {
      for (const one of forged)
        await expect(after(bob, resource, key, one)).rejects.toMatchObject({ code: 500 });
    });
    const found = await stage.kube.get<Bundle>(resource, key);
    expect(JSON.stringify(found?.metadata.annotations)).not.toContain('mallory');
  };
  await refused();
  await stage.kube.remove(resource, key);
  await refused();
});

test('of a Drain nobody forges who asked, also while it is being deleted', async () => {
  const { apiVersion, kind } = DRAIN;
  const metadata = { name: SITE.name, finalizers: ['test/hold'] };
  const made = await bob.create<Drain>(DRAIN, { apiVersion, kind, metadata, spec: {} } as never);
  expect(made.metadata.annotations).toMatchObject({ [REQUESTED_BY]: 'bob' });
  const alice = await stage.as('alice');
  const forged = [REQUESTED_BY, LAST_UPDATED_BY].map((name) => ({ [name]: 'mallory' }));
  const refused = async (): Promise<void> => {
    for (const one of [...forged, { [REQUESTED_BY]: null }])
      await after(alice, DRAIN, SITE, one).catch(() => undefined);
    await stage.without(async () => {
      for (const one of forged)
        await expect(after(alice, DRAIN, SITE, one)).rejects.toMatchObject({ code: 500 });
    });
    const found = await stage.kube.get<Drain>(DRAIN, SITE);
    expect(found?.metadata.annotations).toMatchObject({ [REQUESTED_BY]: 'bob' });
    expect(JSON.stringify(found?.metadata.annotations)).not.toContain('mallory');
  };
  await refused();
  await bob.remove(DRAIN, SITE);
  await refused();
});
