// Deletion removes everything of a Capp, and nothing else.
import { CAPP } from '../../../crds/capp/capp.ts';
import { cappKey } from '../../../crds/ocm/work-identity.ts';
import { CONFIG_MAP, NAMESPACE, SECRET } from '../../../crds/kubernetes/core.ts';
import { CAPP_KEY } from '../../../crds/labels.ts';
import { KNATIVE_SERVICE } from '../../../crds/kubernetes/knative.ts';
import { MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import type { Key, Resource } from '../../../kube/resource.ts';
import {
  createCapp,
  listPlacement,
  newNamespace,
  siteOf,
  untilGone,
  untilReady,
} from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

let stack: TestbedStack;
beforeAll(async () => {
  stack = await openStack();
});
afterAll(() => stack.close());

test('a deleted Capp leaves nothing on hub and site, not even the namespace that was created for it', async () => {
  const namespace = await newNamespace(stack.hub, 'leaving');
  const key = { namespace, name: 'brief' };
  await stack.hub.create(SECRET, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name: 'own' },
    data: { a: btoa('b') },
  } as never);
  await createCapp(stack.hub, { ...key, container: { envFrom: [{ secretRef: { name: 'own' } }] } });
  const site = stack.site(siteOf(await untilReady(stack.hub, key)));
  await stack.hub.remove(CAPP, key);
  await untilGone(stack.hub, key);
  const { items } = await stack.hub.list(MANIFEST_WORK, {
    labelSelector: `${CAPP_KEY}=${cappKey(namespace, 'brief')}`,
  });
  expect(items).toEqual([]);
  expect(await site.get(CAPP, key)).toBeNull();
  await untilNone(site, KNATIVE_SERVICE, key);
  await untilNone(site, SECRET, { namespace, name: 'own' });
  await untilNone(site, NAMESPACE, { namespace: null, name: namespace });
  const handle = stack.temporal.workflow.getHandle(`capp/${namespace}/brief`);
  await eventually(async () => ((await handle.describe()).status.name === 'COMPLETED' ? true : undefined));
});

test('a namespace that existed before is kept, and so is one with objects of others', async () => {
  const [first = ''] = stack.sites;
  const site = stack.site(first);
  const mine = await newNamespace(stack.hub, 'theirs');
  await site.create(NAMESPACE, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: mine, labels: { 'rcs.dana.io/hub-capps': 'allowed' } },
  });
  const ours = await newNamespace(stack.hub, 'shared');
  for (const namespace of [mine, ours]) {
    const key = { namespace, name: 'guest' };
    await createCapp(stack.hub, { ...key, spec: { site: first } });
    await untilReady(stack.hub, key);
  }
  const note = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: ours, name: 'somebody-elses' } };
  await site.create(CONFIG_MAP, note);
  for (const namespace of [mine, ours]) {
    await stack.hub.remove(CAPP, { namespace, name: 'guest' });
    await untilGone(stack.hub, { namespace, name: 'guest' });
    await untilNone(site, KNATIVE_SERVICE, { namespace, name: 'guest' });
    const left = await site.get(NAMESPACE, { namespace: null, name: namespace });
    expect(left?.metadata.deletionTimestamp).toBeUndefined();
    expect(left).not.toBeNull();
  }
  expect(await site.get(CONFIG_MAP, { namespace: ours, name: 'somebody-elses' })).not.toBeNull();
});

test('a Capp that was never placed is deleted at once', async () => {
  const namespace = await newNamespace(stack.hub, 'unplaced');
  const key = { namespace, name: 'nowhere' };
  const unlist = await listPlacement(stack.hub, 'atlantis');
  await createCapp(stack.hub, { ...key, spec: { site: 'atlantis' } });
  await unlist();
  await stack.hub.remove(CAPP, key);
  await untilGone(stack.hub, key);
});

test('a Capp that is created again with the same name is a new one', async () => {
  const namespace = await newNamespace(stack.hub, 'again');
  const key = { namespace, name: 'phoenix' };
  await createCapp(stack.hub, key);
  const before = await untilReady(stack.hub, key);
  await stack.hub.remove(CAPP, key);
  await untilGone(stack.hub, key);
  await createCapp(stack.hub, key);
  const after = await untilReady(stack.hub, key);
  expect(after.metadata.uid).not.toBe(before.metadata.uid);
});

async function untilNone(kube: Kube, resource: Resource, key: Key): Promise<void> {
  await eventually(
    async () => {
      if ((await kube.get(resource, key)) !== null)
        throw new Error(`${resource.kind} ${key.name} still exists.`);
      return true;
    },
    { withinMs: 180_000, everyMs: 200 },
  );
}
