// While what leads to a host cannot be changed, the host is not given back.
import { turn } from '../../../../activities/hub/metal/turn.ts';
import { SECRET } from '../../../../crds/kubernetes/core.ts';
import { ALLOW_WIPE, PROVISIONED_FOR } from '../../../../crds/metal/labels.ts';
import { BARE_METAL_HOST, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import { ApiError } from '../../../../kube/failure.ts';
import { NAMESPACE, REF } from '../../../support/builders/metal/hub-in-memory.ts';
import { NOW, MINUTE, JUMP, look, served } from '../../../support/builders/metal/served-hub.ts';

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
  const lookForth = () =>
    turn(hub.kube, REF, () => NOW, { serves: new Set([NAMESPACE]), provisions, hub: '' });
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
