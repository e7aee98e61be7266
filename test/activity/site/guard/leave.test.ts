// A hub leaves a site that has another one by `cappstan leave`, also when that dies half-way and is repeated.
import { CAPP } from '../../../../crds/capp/capp.ts';
import { CONFIG_MAP, NAMESPACE, type ConfigMap } from '../../../../crds/kubernetes/core.ts';
import { HUB } from '../../../../crds/labels.ts';
import { APPLIED_MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import { hubHashOf } from '../../../../crds/ocm/work-identity.ts';
import { HUBS_OF_SITE } from '../../../../crds/site-hubs.ts';
import { clearSite } from '../../../../deploy/join/leave/clear.ts';
import { membershipOf, NOTE, refuseInUse, type Membership } from '../../../../deploy/join/site.ts';
import type { Kube } from '../../../../kube/client.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import type { RawClient } from '../../../support/servers/api/identities.ts';
import {
  CAPP_SPEC,
  make,
  NS,
  put,
  SHIPPED,
  startGuardedSite,
  type GuardedSite,
} from '../../../support/testbeds/site/guarded-site.ts';
import {
  AGENT_OF_B,
  agentOfB,
  bring,
  codes,
  isShared,
  left,
  OF_A,
  OF_B,
  shared,
} from '../../../support/testbeds/site/two-hubs.ts';

const ADDRESS = { a: 'https://a:6443', b: 'https://b:6443' };

let site: GuardedSite;
let b: RawClient;
/** The site's admin. No controller ends namespaces here: each that goes counts as gone. */
let kube: Kube;
beforeAll(async () => {
  site = await startGuardedSite();
  const { cluster, agent: a } = site;
  b = await agentOfB(cluster);
  kube = {
    ...cluster.kube,
    get: (resource, key, options) =>
      resource === NAMESPACE ? Promise.resolve(null) : cluster.kube.get(resource, key, options),
  };
  await put(site.person, NAMESPACE, { name: NOTE.namespace });
  await kube.patch(CONFIG_MAP, HUBS_OF_SITE, { data: { [AGENT_OF_B]: 'hub-b' } });
  const data = { cluster: 'site-1', hub: ADDRESS.a, fingerprint: 'sha256:0', definitions: '' };
  await put(site.person, CONFIG_MAP, NOTE, { data });
  await eventually(async () =>
    codes((await bring(cluster, b, 'hub-b')).filter((one) => !isShared(one))).includes(403)
      ? undefined
      : true,
  );
  // What asked whether the policies are in force.
  for (const { metadata } of (await kube.list(CAPP)).items)
    await kube.remove(CAPP, { name: metadata.name, namespace: metadata.namespace ?? '' });
  await put(a, CAPP, { name: 'of-a', labels: OF_A }, CAPP_SPEC);
  await put(a, CAPP, { name: 'of-nobody', labels: SHIPPED }, CAPP_SPEC);
  await put(b, NAMESPACE, { name: 'of-b', labels: OF_B });
  await put(b, CAPP, { name: 'of-b', namespace: 'of-b', labels: OF_B }, CAPP_SPEC);
  for (const address of Object.values(ADDRESS)) {
    const hubHash = hubHashOf(address);
    const spec = { hubHash, manifestWorkName: 'work' };
    await put(site.person, APPLIED_MANIFEST_WORK, { name: `${hubHash}-work` }, { spec });
  }
}, 300_000);
afterAll(() => site?.cluster.stop());

async function known(): Promise<Membership> {
  const membership = await membershipOf(kube);
  if (membership === null) throw new Error('The site has no note.');
  return membership;
}

test('a site whose hub still has Capps and works there does not leave, whatever the other hub has', async () => {
  await expect(refuseInUse(kube, await known())).rejects.toThrow(
    'The hub has 2 Capps and 1 work on this site',
  );
  await kube.remove(CAPP, { namespace: NS, name: 'of-a' });
  // One without a label is the first hub's.
  await expect(refuseInUse(kube, await known())).rejects.toThrow(
    'The hub has 1 Capp and 1 work on this site',
  );
  await kube.remove(CAPP, { namespace: NS, name: 'of-nobody' });
  await expect(refuseInUse(kube, await known())).rejects.toThrow(
    'The hub has 0 Capps and 1 work on this site',
  );
  const name = `${hubHashOf(ADDRESS.a)}-work`;
  await kube.remove(APPLIED_MANIFEST_WORK, { namespace: null, name });
  await refuseInUse(kube, await known());
});

test('a leave that died after it had handed the site over takes nothing of the other hub when it is repeated', async () => {
  const before = { ofB: await left(site.cluster, 'hub-b'), shared: await shared(site.cluster) };
  expect([before.ofB.length > 8, before.shared.length > 5]).toEqual([true, true]);
  const membership = await known();
  const dies: Kube = { ...kube, remove: () => Promise.reject(new Error('died')) };
  await expect(clearSite(dies, await known())).rejects.toThrow('died');
  expect((await kube.get<ConfigMap>(CONFIG_MAP, HUBS_OF_SITE))?.data?.['hub']).toBe('hub-b');
  for (const _time of ['second', 'third']) {
    await refuseInUse(kube, await known());
    expect(await clearSite(kube, await known())).toEqual({ definitions: [], isUnknown: false });
    const after = { ofB: await left(site.cluster, 'hub-b'), shared: await shared(site.cluster) };
    expect(after).toEqual(before);
  }
  // Without the note nobody knows which hub of the record it is: its agent is of none of them.
  expect(await clearSite(kube, { ...membership, hubId: null })).toMatchObject({ isUnknown: true });
  expect(await left(site.cluster, 'hub-b')).toEqual(before.ofB);
  const ofA = await left(site.cluster, 'hub-a');
  expect(ofA.filter((one) => !one.endsWith(' shared'))).toEqual([]);
  const record = await kube.get<ConfigMap>(CONFIG_MAP, HUBS_OF_SITE);
  expect(record?.data).toEqual({ hub: 'hub-b', [AGENT_OF_B]: 'hub-b' });
});

test('the other hub then takes what is there once', async () => {
  await eventually(async () =>
    codes(await bring(site.cluster, b, 'hub-b')).includes(403) ? undefined : true,
  );
  expect(await left(site.cluster, 'hub-a')).toEqual([]);
  const labels = (await kube.list(CAPP)).items.map(({ metadata }) => metadata.labels?.[HUB]);
  expect(labels).toEqual(['hub-b']);
  expect((await make(b, CAPP, { name: 'now-free', labels: OF_B }, CAPP_SPEC)).code).toBe(201);
});
