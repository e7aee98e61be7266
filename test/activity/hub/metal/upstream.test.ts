// SIP's own tests (airshipit/sip, 1f88a95a) by their numbers in the order of its files, on a real API server.
// 20 and 21 are on SIP's samples (samples.test.ts).
import {
  BARE_METAL_HOST,
  CLUSTER_NAME,
  CLUSTER_NAMESPACE,
  NODE_TYPE,
} from '../../../../crds/metal/bare-metal-host.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import { SECRET } from '../../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../../kube/client.ts';
import {
  holders,
  live,
  makeCluster,
  makeHost,
  metalOn,
  role,
  roomFor,
  said,
  hubWithHosts,
} from '../../../support/testbeds/metal/metal.ts';
import {
  CONTROLLER_CASES,
  fixtureServices,
  freeHosts,
  HOST_LABEL,
  makeHosts,
  makeServedHosts,
  servedCluster,
  setSecret,
} from '../../../support/testbeds/metal/sip-cases.ts';
import {
  bringUp,
  madeIn,
  makeServed,
  NETWORK,
  secretText,
} from '../../../support/testbeds/metal/sip-services.ts';

let kube: Kube;
hubWithHosts((given) => (kube = given));

const OWNED = {
  [CLUSTER_NAMESPACE]: 'tenant',
  [CLUSTER_NAME]: 'another',
  [NODE_TYPE]: 'Worker',
};

const hosts = (namespace: string, flavor: string, count: number, labels?: Readonly<Record<string, string>>) =>
  makeHosts(kube, { namespace, flavor }, count, labels);
const freeIn = (namespace: string) => freeHosts(kube, namespace);

describe('SIP’s cases of bmh_test.go', () => {
  test('1. each of seven hosts is known by its name, and no other', async () => {
    const namespace = await roomFor(kube);
    await hosts(namespace, 'control-plane', 7);
    const seven = Array.from({ length: 7 }, (_one, index) => `control-plane-${index + 1}`);
    expect((await freeIn(namespace)).toSorted()).toEqual(seven);
    // One of them has another name now.
    await kube.remove(BARE_METAL_HOST, { namespace, name: 'control-plane-7' });
    await makeHost(kube, namespace, 'foo');
    expect((await freeIn(namespace)).toSorted()).toEqual([...seven.slice(0, 6), 'foo']);
  });

  test('2. hosts with labels of an owner are not free', async () => {
    const namespace = await roomFor(kube);
    await hosts(namespace, 'owned', 2, OWNED);
    await hosts(namespace, 'control-plane', 5);
    expect((await freeIn(namespace)).filter((name) => name.startsWith('owned'))).toEqual([]);
    expect(await freeIn(namespace)).toHaveLength(5);
  });

  test('3. where all hosts have an owner, a cluster is Unschedulable', async () => {
    const namespace = await roomFor(kube);
    await hosts(namespace, 'control-plane', 7, OWNED);
    const ref = { namespace, name: 'shop' };
    await makeCluster(kube, ref, { ControlPlane: role(namespace, 1) });
    await live(metalOn(kube), ref);
    expect(await said(kube, ref)).toBe('False Unschedulable');
    expect((await kube.get<SipCluster>(SIP_CLUSTER, ref))?.status?.conditions?.[1]?.message).toContain(
      'of 7 others that match, 7 belong to others',
    );
  });

  const served = (change: (namespace: string) => Promise<unknown>) => servedCluster(kube, change);
  const encode = (text: string): string => Buffer.from(text).toString('base64');

  test.each([
    ['4. JSON', JSON.stringify({ networks: [{ id: NETWORK, ip_address: '32.68.51.139' }] })],
    ['5. YAML', `networks:\n- id: ${NETWORK}\n  ip_address: 32.68.51.139\n`],
  ])('%s network data gives the address of the network', async (_what, text) => {
    const { namespace } = await served((room) =>
      setSecret(kube, room, 'node01-networkdata', { networkData: encode(text) }),
    );
    expect(await secretText(kube, namespace, 'loadbalancer-controlplane-shop', 'haproxy.cfg')).toContain(
      '  server node01 32.68.51.139:6443\n',
    );
  });

  test('6. the credentials of a BMC are read', async () => {
    const { namespace, ready } = await served(async () => undefined);
    expect(JSON.parse(await secretText(kube, namespace, 'jumphost-shop', 'hosts'))).toEqual([
      { name: 'node01', bmc: { ip: '192.0.2.9', username: 'root', password: 'test' } },
    ]);
    expect(ready).toBe('False Progressing');
  });

  const faults: readonly (readonly [string, (namespace: string) => Promise<unknown>, string])[] = [
    [
      '7. credentialsName that points nowhere',
      (namespace) => kube.remove(SECRET, { namespace, name: 'node01-bmc-credentials' }),
      'spec.bmc.credentialsName: there is no Secret node01-bmc-credentials',
    ],
    [
      '8. credentials with only key foo',
      (namespace) =>
        setSecret(kube, namespace, 'node01-bmc-credentials', { username: null, password: null, foo: 'YmFy' }),
      'spec.bmc.credentialsName: its Secret has no key username',
    ],
    [
      '9. network data that points nowhere',
      (namespace) => kube.remove(SECRET, { namespace, name: 'node01-networkdata' }),
      'spec.networkData.name: there is no Secret node01-networkdata',
    ],
    [
      '10. network data with only key foo',
      (namespace) => setSecret(kube, namespace, 'node01-networkdata', { networkData: null, foo: 'YmFy' }),
      'spec.networkData.name: Secret node01-networkdata: it has no key networkData',
    ],
  ];

  test.each(faults)('%s is said by host and field', async (_what, change, words) => {
    const { namespace, ready, reserved } = await served(change);
    expect(ready).toBe('False Unschedulable');
    expect(reserved).toMatchObject({ status: 'False', reason: 'Short' });
    expect(reserved?.message).toContain(`BareMetalHost ${namespace}/node01, ${words}`);
    expect(await holders(kube, namespace)).toEqual([]);
  });

  test('11. where no service needs an address, no Secret has to be there', async () => {
    const namespace = await roomFor(kube);
    await makeHost(kube, namespace, 'node01');
    const ref = { namespace, name: 'shop' };
    await makeCluster(kube, ref, { ControlPlane: role(namespace, 1) });
    await live(metalOn(kube, { services: [namespace] }), ref);
    expect(await said(kube, ref)).toBe('True ReconciliationSucceeded');
  });

  test('12. a host without spec.networkData is not taken', async () => {
    const namespace = await roomFor(kube);
    await makeHost(kube, namespace, 'bare', { spec: { networkData: null } });
    const ref = { namespace, name: 'shop' };
    await makeCluster(kube, ref, { ControlPlane: role(namespace, 1) });
    await live(metalOn(kube), ref);
    expect(await holders(kube, namespace)).toEqual([]);
    expect(await said(kube, ref)).toBe('False Unschedulable');
  });
});

describe('SIP’s cases of sipcluster_controller_test.go', () => {
  test.each(CONTROLLER_CASES)(
    '$id. $title',
    async ({ controlPlanes, workers, asks, shared, topologyKey = HOST_LABEL, succeeds }) => {
      const namespace = await roomFor(kube);
      const labelsOf = (flavor: string) =>
        shared?.flavor === flavor ? { [shared.label]: `${namespace}-shared` } : {};
      for (const [flavor, count] of [
        ['control-plane', controlPlanes],
        ['worker', workers],
      ] as const)
        await makeServedHosts(kube, { namespace, flavor }, count, labelsOf(flavor));
      const ref = { namespace, name: 'subcluster-1' };
      const nodes = {
        ControlPlane: role(namespace, asks[0], { flavor: 'control-plane', topologyKey }),
        Worker: role(namespace, asks[1], { flavor: 'worker', topologyKey }),
      };
      await makeServed(kube, ref, nodes, await fixtureServices(kube, namespace, ref.name));
      const metal = metalOn(kube, { services: [namespace] });
      await live(metal, ref);
      await bringUp(kube, namespace);
      await live(metal, ref);
      const labelled = await holders(kube, namespace);
      expect(labelled).toEqual(
        succeeds === undefined
          ? []
          : [
              ...[1, 2, 3].map((index) => `control-plane-${index}: subcluster-1/ControlPlane`),
              ...[1, 2, 3, 4].map((index) => `worker-${index}: subcluster-1/Worker`),
            ],
      );
      expect(await said(kube, ref)).toBe(
        succeeds === undefined ? 'False Unschedulable' : 'True ReconciliationSucceeded',
      );
      const made = await madeIn(kube, namespace);
      expect(made.filter((one) => one.startsWith('Deployment '))).toEqual(
        succeeds === undefined
          ? []
          : ['jumphost', 'loadbalancer-controlplane', 'loadbalancer-worker'].map(
              (one) => `Deployment ${one}-subcluster-1`,
            ),
      );
      if (succeeds === undefined) expect(made).toEqual([]);
    },
  );
});
