// From hosts to a site and back on a real API server, with the stand-in for Metal³: the API server takes what
// is written and refuses what it must. Who joins, OCM and drains are played.
import { boundOf, endOfToken, tokenKey } from '../../../../crds/join/bootstrap-token.ts';
import { parseJoinLine } from '../../../../crds/join/join-line.ts';
import { DRAIN } from '../../../../crds/drain/drain.ts';
import { NAMESPACE, SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { BARE_METAL_HOST, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import type { SipSite } from '../../../../crds/metal/site.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import { MetalOperator } from '../../../support/builders/metal/metal-operator.ts';
import { siteAsked } from '../../../support/builders/metal/sip-site.ts';
import {
  holders,
  hubWithHosts,
  live,
  makeHost,
  metalOn,
  role,
  roomFor,
  said,
} from '../../../support/testbeds/metal/metal.ts';
import { drainEnds, serveSites, siteJoins } from '../../../support/testbeds/metal/played-site.ts';

let kube: Kube;
hubWithHosts((given) => {
  kube = given;
});
beforeAll(() => serveSites(kube), 300_000);

const siteOf = (name: string): SipSite => siteAsked(name, { Worker: 'template' });

async function cluster(namespace: string, site: SipSite, workers = 2): Promise<SipCluster> {
  const data = { userData: Buffer.from('join [${JOIN_LINE}] ${HOST_NAME} ${HOME}').toString('base64') };
  await kube.create<Secret>(SECRET, { metadata: { namespace, name: 'template' }, data });
  return kube.create<SipCluster>(SIP_CLUSTER, {
    metadata: { namespace, name: 'shop' },
    spec: { nodes: { Worker: role(namespace, workers) }, services: {}, site },
  });
}

/** The id of the token in the line of the user data, which is for this ManagedCluster, and for 90 minutes. */
async function tokenIn(text: string, managed: ManagedCluster | null): Promise<string> {
  const line = parseJoinLine(/\[(?<line>.*)\]/.exec(text)?.groups?.['line'] ?? '');
  if (line === null) throw new Error('there is no line in the user data');
  expect(line).toMatchObject({ cluster: 'edge-1', host: 'hub.example', port: 6_443 });
  const token = await kube.get<Secret>(SECRET, tokenKey(line.token.id));
  if (token === null) throw new Error('the token is not there');
  expect(boundOf(token)).toEqual({ cluster: 'edge-1', uid: managed?.metadata.uid });
  const left = (endOfToken(token) ?? 0) - Date.now();
  expect(left).toBeGreaterThan(5_000_000);
  expect(left).toBeLessThanOrEqual(5_400_000);
  return line.token.id;
}

test('two hosts become a site by one token, and are free again when it is drained and detached', async () => {
  const namespace = await roomFor(kube);
  const ref = { namespace, name: 'shop' };
  const drives = new Map<string, string>();
  const operator = new MetalOperator(kube, {
    boots: (host, userData) => void drives.set(host, userData),
    wiped: (host) => void drives.delete(host),
  });
  for (const name of ['a', 'b'])
    await makeHost(kube, namespace, name, {
      spec: { online: false },
      status: { provisioning: { state: 'available' } },
    });
  const metal = metalOn(kube, { provisions: [namespace] });
  await cluster(namespace, siteOf('edge-1'));
  const managed = (): Promise<ManagedCluster | null> =>
    kube.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name: 'edge-1' });
  const work = async (): Promise<void> => {
    await live(metal, ref);
    await operator.pass();
  };
  for (let passes = 0; passes < 4; passes += 1) await work();
  expect(await said(kube, ref, 'Provisioned')).toBe('True Provisioned');
  expect((await managed())?.metadata.labels).toMatchObject({ tier: 'edge' });
  expect((await managed())?.spec?.hubAcceptsClient).toBe(false);

  const id = await tokenIn(drives.get(`${namespace}/a`) ?? '', await managed());
  expect(drives.get(`${namespace}/b`)).toBe('join [] b ${HOME}');
  // Metal³ has read it.
  expect(await kube.get(SECRET, { namespace, name: 'a-cappstan-userdata' })).toBeNull();

  await siteJoins(kube, 'edge-1');
  await kube.create(NAMESPACE, { metadata: { name: 'edge-1' } });
  await kube.remove(SIP_CLUSTER, ref);
  await work();
  expect(await said(kube, ref, 'Joined')).toBe('False Draining');
  expect(drives.size).toBe(2);
  await drainEnds(kube, 'edge-1');
  for (let passes = 0; passes < 4; passes += 1) await work();
  expect(await kube.get(SIP_CLUSTER, ref)).toBeNull();
  expect([await managed(), await kube.get(DRAIN, { namespace: null, name: 'edge-1' })]).toEqual([null, null]);
  expect(await kube.get(SECRET, tokenKey(id))).toBeNull();
  const { items } = await kube.list<BareMetalHost>(BARE_METAL_HOST, { namespace });
  for (const { metadata, spec, status: now } of items) {
    expect(metadata.labels).toEqual({ room: namespace });
    expect(metadata.annotations ?? {}).toEqual({});
    expect(spec).toEqual({ online: false, networkData: { name: `${metadata.name}-networkdata`, namespace } });
    expect(now?.provisioning?.state).toBe('available');
  }
});

test('in a namespace that was not named nothing is made', async () => {
  const namespace = await roomFor(kube);
  const ref = { namespace, name: 'shop' };
  await makeHost(kube, namespace, 'a', { status: { provisioning: { state: 'available' } } });
  await cluster(namespace, siteOf('edge-2'), 1);
  await live(metalOn(kube), ref);
  expect(await said(kube, ref, 'Joined')).toBe('False NotAllowedHere');
  expect(await said(kube, ref)).toBe('False Unschedulable');
  expect(await said(kube, ref, 'HostsReserved')).toBe('False Short');
  expect(await holders(kube, namespace)).toEqual([]);
  expect(await kube.get(MANAGED_CLUSTER, { namespace: null, name: 'edge-2' })).toBeNull();
});

test('the name of a site may not change, nor may a site come or go, and its labels are those of Kubernetes', async () => {
  const namespace = await roomFor(kube);
  const ref = { namespace, name: 'shop' };
  await cluster(namespace, siteOf('edge-3'), 1);
  for (const site of [
    { name: 'edge-4' },
    null,
    { name: 'Edge 3' },
    { lifecycle: 'Handoff' },
    { deadlineSeconds: 5 },
    { labels: { 'far away': 'x' } },
    { labels: { tier: 'far away' } },
  ])
    await expect(kube.patch(SIP_CLUSTER, ref, { spec: { site } })).rejects.toMatchObject({ code: 422 });
  const patched = await kube.patch(SIP_CLUSTER, ref, { spec: { site: { labels: { tier: 'far' } } } });
  expect(patched).toMatchObject({ spec: { site: { name: 'edge-3', labels: { tier: 'far' } } } });
});
