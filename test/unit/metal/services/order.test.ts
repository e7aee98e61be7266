// A host is given back only when nothing leads to it any more: what happens in which order on a hub in
// memory.
import { reserveFor } from '../../../../activities/hub/metal/reserve.ts';
import { DEPLOYMENT, SECRET } from '../../../../crds/kubernetes/core.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import { NAMESPACE, REF } from '../../../support/builders/metal/hub-in-memory.ts';
import { NOW, MINUTE, JUMP, look, served } from '../../../support/builders/metal/served-hub.ts';

/** A failed host is replaced by then. */
const LATER = NOW + 11 * MINUTE;

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
