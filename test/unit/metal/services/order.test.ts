// A host is given back only when nothing leads to it any more: what happens in which order on a hub in
// memory.
import { reserveFor } from '../../../../activities/hub/metal/reserve.ts';
import { turn } from '../../../../activities/hub/metal/turn.ts';
import { DEPLOYMENT, SECRET } from '../../../../crds/kubernetes/core.ts';
import { ALLOW_WIPE, PROVISIONED_FOR } from '../../../../crds/metal/labels.ts';
import { BARE_METAL_HOST, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import { ApiError } from '../../../../kube/failure.ts';
import type { Request } from '../../../../kube/http/transport.ts';
import type { Kube } from '../../../../kube/client.ts';
import { hubInMemory, NAMESPACE, REF } from '../../../support/builders/metal/hub-in-memory.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPDiEv1pre5lygiyA3w6ypzTBmVK+Sfaf9diBQUw87aQ two';
const JUMP = {
  jumpHost: [
    {
      image: 'jump:1',
      nodePort: 0,
      nodeInterfaceId: 'oam',
      sshAuthorizedKeys: [KEY],
      nodeSSHPrivateKeys: 'keys',
    },
  ],
};
/** A failed host is replaced by then. */
const LATER = NOW + 11 * MINUTE;
const look = (kube: Kube, serves = [NAMESPACE], now = NOW) =>
  turn(kube, REF, () => now, { serves: new Set(serves), provisions: new Set() });

/** Two workers and a jump host that serves. */
async function served(refuses?: (request: Request) => Error | null) {
  const hub = hubInMemory(JUMP, refuses === undefined ? {} : { refuses });
  await look(hub.kube);
  hub.bringUp();
  await look(hub.kube);
  expect(hub.condition('ServicesReady')).toBe('True Serving');
  return hub;
}

test('one host less: first the jump host is changed, then its old Pods end, then the host is free', async () => {
  const hub = await served();
  hub.wants(1);
  expect(await look(hub.kube)).toMatchObject({ wakeAt: NOW + MINUTE });
  expect(hub.condition('ServicesReady')).toBe('False Deploying');
  expect(hub.reserved()).toEqual(['w1', 'w2']);
  hub.bringUp({ replicas: 2 });
  await look(hub.kube);
  expect(hub.message('ServicesReady')).toContain('1 may be of an earlier version');
  expect(hub.reserved()).toEqual(['w1', 'w2']);
  hub.bringUp({ terminatingReplicas: 1 });
  expect(await look(hub.kube)).toMatchObject({ wakeAt: NOW + MINUTE });
  expect(hub.condition('ServicesReady')).toBe('True Serving');
  expect(hub.message('HostsReserved')).toContain(
    'metal/w2: given back when no load balancer or jump host leads there any more',
  );
  hub.bringUp();
  expect(await look(hub.kube)).toMatchObject({ wakeAt: null });
  expect(hub.happened).toEqual(['jumphost-shop leads to w1, w2', 'jumphost-shop leads to w1', 'w2 is free']);
  expect(hub.condition('HostsReserved')).toBe('True Reserved');
  expect(hub.message('HostsReserved')).toBe('');
});

test('while a jump host leads to a host that a person lets be wiped, host and word stay as they are', async () => {
  const hub = await served();
  const image = { url: 'https://images.example/os.qcow2' };
  const site = { name: 'edge-7', lifecycle: 'Provision' as const, image, userData: {} };
  hub.server.put<SipCluster>(SIP_CLUSTER, REF, () => {
    const { metadata, spec, ...one } = hub.cluster();
    const annotations = { [ALLOW_WIPE]: 'metal/w2' };
    return { ...one, metadata: { ...metadata, annotations }, spec: { ...spec, site } };
  });
  const key = { namespace: NAMESPACE, name: 'w2' };
  hub.server.put<BareMetalHost>(BARE_METAL_HOST, key, (before) => {
    if (before === null) return null;
    const { metadata, spec, ...host } = before;
    const annotations = { ...metadata.annotations, [PROVISIONED_FOR]: 'shop-uid' };
    return { ...host, metadata: { ...metadata, annotations }, spec: { ...spec, image } };
  });
  const provisions = new Set([NAMESPACE]);
  const lookForth = () => turn(hub.kube, REF, () => NOW, { serves: new Set([NAMESPACE]), provisions });
  hub.wants(1);
  await lookForth();
  expect(hub.message('HostsReserved')).toContain('metal/w2: given back when');
  expect(hub.server.read(BARE_METAL_HOST, key)).toMatchObject({ spec: { image } });
  expect(hub.cluster().metadata.annotations?.[ALLOW_WIPE]).toBe('metal/w2');
  hub.bringUp();
  await lookForth();
  expect(hub.server.read(BARE_METAL_HOST, key)).not.toMatchObject({ spec: { image } });
  expect(hub.cluster().metadata.annotations?.[ALLOW_WIPE]).toBeUndefined();
});

test('while the jump host cannot be changed for a Secret that is gone, no host is given back', async () => {
  const hub = await served();
  hub.server.put(SECRET, { namespace: NAMESPACE, name: 'keys' }, () => null);
  hub.wants(1);
  expect(await look(hub.kube)).toMatchObject({ wakeAt: NOW + MINUTE });
  expect(hub.condition('ServicesReady')).toBe('False BadSpec');
  expect(hub.message('HostsReserved')).toContain('metal/w2: given back when');
  // It runs as before, and is not forgotten.
  expect(hub.cluster().status?.services).toMatchObject([{ name: 'jumphost-shop' }]);
  expect(hub.happened).toEqual(['jumphost-shop leads to w1, w2']);
});

test('while the hub refuses the write of a service, no host is given back', async () => {
  let isRefused = false;
  const hub = await served(({ method, path }) =>
    isRefused && method === 'PATCH' && path.includes('/deployments/')
      ? new ApiError({ method, path, code: 403, reason: 'Forbidden' })
      : null,
  );
  isRefused = true;
  hub.wants(1);
  expect(await look(hub.kube)).toMatchObject({ wakeAt: NOW + MINUTE });
  expect(hub.condition('ServicesReady')).toBe('False WriteRefused');
  expect(hub.happened).toEqual(['jumphost-shop leads to w1, w2']);
  isRefused = false;
  await look(hub.kube);
  hub.bringUp();
  await look(hub.kube);
  expect(hub.happened.slice(1)).toEqual(['jumphost-shop leads to w1', 'w2 is free']);
});

test('what is wrong with a host that stays holds no other, once nothing leads there', async () => {
  const hub = await served();
  hub.server.put(SECRET, { namespace: NAMESPACE, name: 'w1-net' }, () => null);
  hub.wants(1);
  await look(hub.kube);
  expect(hub.reserved()).toEqual(['w1', 'w2']);
  hub.bringUp();
  await look(hub.kube);
  expect(hub.condition('ServicesReady')).toBe('False HostData');
  expect(hub.reserved()).toEqual(['w1']);
});

test('hosts of a role that goes wait, too, where others are missing and no status says what was made', async () => {
  const hub = await served();
  hub.server.put<SipCluster>(SIP_CLUSTER, REF, () => ({ ...hub.cluster(), status: {} }));
  hub.wants(1, 'Other');
  await look(hub.kube);
  expect(hub.condition('HostsReserved')).toBe('False Short');
  expect(hub.reserved()).toEqual(['w1', 'w2']);
  hub.bringUp();
  await look(hub.kube);
  expect(hub.happened.slice(1)).toEqual(['jumphost-shop leads to ', 'w1 is free', 'w2 is free']);
});

test('without services: hosts are given back when the last Pod has ended, whatever kept them before', async () => {
  const hub = await served();
  hub.server.put(SECRET, { namespace: NAMESPACE, name: 'keys' }, () => null);
  hub.wants(1);
  await look(hub.kube);
  hub.serves({});
  expect(await look(hub.kube)).toMatchObject({ wakeAt: NOW + MINUTE });
  expect(hub.condition('ServicesReady')).toBe('False Deploying');
  expect(hub.message('ServicesReady')).toContain('as soon as its last Pod has ended');
  expect(hub.cluster().status?.services).toMatchObject([{ name: 'jumphost-shop' }]);
  hub.podsEnd();
  await look(hub.kube);
  expect(hub.happened.slice(1)).toEqual(['jumphost-shop is gone', 'w2 is free']);
  expect(hub.condition('ServicesReady')).toBe('True NotAsked');
  expect(hub.cluster().status?.services).toEqual([]);
});

test('a deletion: Deployments go in the foreground, after their Pods, and hosts after that; a repeat asks once', async () => {
  const hub = await served();
  hub.server.remove(SIP_CLUSTER, REF);
  for (let looks = 0; looks < 3; looks += 1)
    expect(await look(hub.kube)).toMatchObject({ wakeAt: NOW + MINUTE });
  expect(hub.condition('Ready')).toBe('False UnableToDecommission');
  const deletions = hub.requests.filter(({ method }) => method === 'DELETE');
  expect(deletions.map(({ body = '', path }) => `${path} ${body}`)).toEqual([
    expect.stringMatching(/deployments\/jumphost-shop.*"propagationPolicy":"Foreground"/),
  ]);
  hub.podsEnd();
  await look(hub.kube);
  await look(hub.kube);
  expect(hub.happened.slice(1)).toEqual(['jumphost-shop is gone', 'w1 is free', 'w2 is free']);
  expect(hub.server.read(SIP_CLUSTER, REF)).toBeNull();
});

describe('a failed host for which another is free', () => {
  /** It is w1; `more`: what its place has beside. */
  async function failing(topologyKey?: string) {
    const hub = await served();
    hub.fails('w1', 'w3', topologyKey);
    await look(hub.kube, [NAMESPACE], LATER);
    return hub;
  }

  test('stays until the other one has come and nothing leads to it', async () => {
    const hub = await failing();
    expect(await reserveFor(hub.kube, REF, () => LATER)).toEqual({ outcome: 'Reserved', hosts: 1 });
    expect(hub.reserved()).toEqual(['w1', 'w2', 'w3']);
    await look(hub.kube, [NAMESPACE], LATER);
    hub.bringUp();
    await look(hub.kube, [NAMESPACE], LATER);
    expect(hub.happened.slice(1)).toEqual(['jumphost-shop leads to w2, w3', 'w1 is free']);
  });

  test('in its own rack: is given back before the other one comes, and not while something leads to it', async () => {
    const hub = await failing('rack');
    expect(await reserveFor(hub.kube, REF, () => LATER)).toEqual({ outcome: 'Nothing', hosts: 0 });
    expect(hub.reserved()).toEqual(['w1', 'w2']);
    hub.bringUp();
    expect(await look(hub.kube, [NAMESPACE], LATER)).toMatchObject({ needsHosts: true });
    expect(hub.happened.slice(1)).toEqual(['jumphost-shop leads to w2', 'w1 is free']);
    expect(await reserveFor(hub.kube, REF, () => LATER)).toEqual({ outcome: 'Reserved', hosts: 1 });
    expect(hub.reserved()).toEqual(['w2', 'w3']);
  });
});

test('a Deployment that is asked for again while it goes does not count as serving', async () => {
  const hub = await served();
  hub.serves({});
  await look(hub.kube);
  hub.serves(JUMP);
  hub.bringUp();
  await look(hub.kube);
  expect(hub.message('ServicesReady')).toContain('Deployment jumphost-shop is being deleted');
  hub.podsEnd();
  await look(hub.kube);
  expect(hub.server.read(DEPLOYMENT, { namespace: NAMESPACE, name: 'jumphost-shop' })).not.toBeNull();
});

describe('in a namespace that was taken away from the hub workers', () => {
  test('what was made earlier is still said, and holds hosts, also with an empty spec', async () => {
    const hub = await served();
    hub.wants(1);
    for (const services of [JUMP, {}]) {
      hub.serves(services);
      expect(await look(hub.kube, [])).toMatchObject({ wakeAt: NOW + MINUTE });
      expect(hub.condition('ServicesReady')).toBe('False NotAllowedHere');
      expect(hub.message('ServicesReady')).toContain('Made earlier, and still running: jumphost-shop');
      expect(hub.message('ServicesReady')).toContain('add it to metal.serviceNamespaces of the chart again');
      expect(hub.cluster().status?.services).toMatchObject([{ name: 'jumphost-shop' }]);
    }
    expect(hub.reserved()).toEqual(['w1', 'w2']);
    await look(hub.kube);
    hub.podsEnd();
    await look(hub.kube);
    expect(hub.happened.slice(1)).toEqual(['jumphost-shop is gone', 'w2 is free']);
  });

  test('a deletion waits, with the same words', async () => {
    const hub = await served();
    hub.server.remove(SIP_CLUSTER, REF);
    expect(await look(hub.kube, [])).toMatchObject({ wakeAt: NOW + MINUTE });
    expect(hub.condition('Ready')).toBe('False UnableToDecommission');
    expect(hub.message('Ready')).toContain('Made earlier, and still running: jumphost-shop');
    expect(hub.reserved()).toEqual(['w1', 'w2']);
  });
});
