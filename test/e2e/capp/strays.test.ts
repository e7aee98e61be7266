// Stray copies on sites: a deletion during the creation leaves none, and an existing stray is removed.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { MANAGED_BY, MANAGED_BY_HUB, ROLLOUT } from '../../../crds/labels.ts';
import { MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import { workName } from '../../../crds/ocm/work-identity.ts';
import { createCapp, newNamespace, untilGone, untilReady } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

let stack: TestbedStack;
beforeAll(async () => {
  stack = await openStack();
});
afterAll(() => stack.close());

const APPLIED_WORK = {
  apiVersion: 'work.open-cluster-management.io/v1',
  kind: 'AppliedManifestWork',
  plural: 'appliedmanifestworks',
  namespaced: false,
} as const;

test('a Capp that is deleted while its site creates it leaves nothing there', async () => {
  const [site = ''] = stack.sites;
  const namespace = await newNamespace(stack.hub, 'moment');
  for (let index = 0; index < 16; index += 1) {
    const key = { namespace, name: `brief-${index}` };
    await createCapp(stack.hub, { ...key, spec: { site } });
    await eventually(
      () => stack.hub.get(MANIFEST_WORK, { namespace: site, name: workName(namespace, key.name) }),
      { everyMs: 5 },
    );
    await new Promise((resolve) => setTimeout(resolve, index * 15));
    await stack.hub.remove(CAPP, key);
  }
  await eventually(
    async () => {
      const { items: works } = await stack.hub.list(MANIFEST_WORK, { namespace: site });
      const { items: applied } = await stack.site(site).list(APPLIED_WORK);
      const left = [...works, ...applied]
        .map(({ metadata }) => metadata.name)
        .filter((name) => name.includes(`${namespace}-brief`));
      const { items: capps } = await stack.site(site).list<Capp>(CAPP, { namespace });
      if (left.length + capps.length > 0)
        throw new Error(`Left: ${left.join()}; ${capps.map(({ metadata }) => metadata.name).join()}`);
      return true;
    },
    { withinMs: 180_000 },
  );
}, 480_000);

test('a copy without a work is adopted by a new work and removed after its site confirms, and the Capp stays on its site', async () => {
  const [home = '', other = ''] = stack.sites;
  const namespace = await newNamespace(stack.hub, 'stray');
  const key = { namespace, name: 'twin' };
  await createCapp(stack.hub, { ...key, spec: { site: home } });
  const ready = await untilReady(stack.hub, key);
  const there = await stack.site(home).get<Capp>(CAPP, key);
  const { uid = '' } = ready.metadata;
  // As the work that is lost made it.
  const made = { name: namespace, labels: { [MANAGED_BY]: MANAGED_BY_HUB } };
  await stack.site(other).create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: made });
  const metadata = {
    ...key,
    labels: { [MANAGED_BY]: MANAGED_BY_HUB },
    annotations: { [ROLLOUT]: `${uid}/1/lost/lost` },
  };
  await stack
    .site(other)
    .create(CAPP, { apiVersion: CAPP.apiVersion, kind: CAPP.kind, metadata, spec: there?.spec } as never);
  // An agent sends its inventory when it starts.
  await stack.kill(`${other}-agent`);
  await untilGone(stack.site(other), key);
  await eventually(async () => {
    const work = await stack.hub.get(MANIFEST_WORK, {
      namespace: other,
      name: workName(namespace, key.name),
    });
    if (work !== null) throw new Error(`The work still exists: ${JSON.stringify(work.metadata)}`);
    return true;
  });
  const after = await untilReady(stack.hub, key);
  expect(after.status?.applicationLinks?.site).toBe(home);
  expect((await stack.site(home).get<Capp>(CAPP, key))?.metadata.uid).toBe(there?.metadata.uid);
}, 480_000);
