// One reservation on a real API server: repeated, late, beside another, refused, and of a worker that dies.
import {
  BARE_METAL_HOST,
  CLUSTER_NAME,
  CLUSTER_NAMESPACE,
  NODE_TYPE,
  type BareMetalHost,
} from '../../../../crds/metal/bare-metal-host.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import { RESERVED_FOR } from '../../../../crds/metal/labels.ts';
import { managerOf } from '../../../../activities/hub/metal/reservation.ts';
import type { Kube } from '../../../../kube/client.ts';
import { ApiError } from '../../../../kube/failure.ts';
import type { Key, KubeObject, Resource } from '../../../../kube/resource.ts';
import {
  changeRoles,
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

let kube: Kube;
hubWithHosts((given) => (kube = given));

const getHost = async (namespace: string, name: string): Promise<BareMetalHost> => {
  const found = await kube.get<BareMetalHost>(BARE_METAL_HOST, { namespace, name });
  if (found === null) throw new Error(`${name} is gone`);
  return found;
};
/** The same API server, before or after whose writes of hosts something else happens. */
function meddled(how: {
  before?: (name: string, writes: number) => Promise<void>;
  after?: (name: string, writes: number) => Promise<void>;
}): Kube {
  let writes = 0;
  const around = async <T>(resource: Resource, name: string, write: () => Promise<T>): Promise<T> => {
    if (resource.kind !== BARE_METAL_HOST.kind) return write();
    writes += 1;
    const mine = writes;
    await how.before?.(name, mine);
    const done = await write();
    await how.after?.(name, mine);
    return done;
  };
  const self: Kube = {
    ...kube,
    within: () => self,
    apply: <T extends KubeObject>(...[resource, object, options]: Parameters<Kube['apply']>) =>
      around(resource, object.metadata.name, () => kube.apply<T>(resource, object as T, options)),
    patch: <T extends KubeObject>(resource: Resource, key: Key, ...rest: [unknown, object?]) =>
      around(resource, key.name, () => kube.patch<T>(resource, key, ...rest)),
  };
  return self;
}

async function room(hosts: number, wanted: number, name = 'shop') {
  const namespace = await roomFor(kube);
  for (let index = 0; index < hosts; index += 1) await makeHost(kube, namespace, `h${index}`);
  const ref = { namespace, name };
  await makeCluster(kube, ref, { Worker: role(namespace, wanted) });
  return { namespace, ref };
}

const WORKERS = (...names: string[]) => names.map((name) => `${name}: shop/Worker`);

describe('a reservation', () => {
  test('is by a field manager of its cluster, and the labels, one annotation and nothing else are its own', async () => {
    const { namespace, ref } = await room(1, 1);
    await live(metalOn(kube), ref);
    const { metadata } = await getHost(namespace, 'h0');
    const managers = (
      metadata as unknown as {
        managedFields: { manager: string; operation: string; fieldsV1: { 'f:metadata': object } }[];
      }
    ).managedFields;
    const own = managers.find(({ manager }) => manager === managerOf(ref));
    expect(own).toMatchObject({ operation: 'Apply' });
    const field = (key: string) => [`f:${key}`, {}];
    expect(own?.fieldsV1).toEqual({
      'f:metadata': {
        'f:labels': Object.fromEntries([CLUSTER_NAMESPACE, CLUSTER_NAME, NODE_TYPE].map(field)),
        'f:annotations': Object.fromEntries([field(RESERVED_FOR)]),
      },
    });
  });

  test('of the last host goes to one of two clusters that reserve at once', async () => {
    const { namespace, ref } = await room(1, 1);
    const other = { namespace, name: 'other' };
    await makeCluster(kube, other, { Worker: role(namespace, 1) });
    const metal = metalOn(kube);
    const came = await Promise.all([metal.reserveHosts(ref), metal.reserveHosts(other)]);
    expect(came.map(({ outcome }) => outcome).toSorted()).toEqual(['Reserved', 'Short']);
    expect(await holders(kube, namespace)).toHaveLength(1);
  });

  test('that comes late takes nothing from whoever was faster, and gives back what it took itself', async () => {
    const { namespace, ref } = await room(3, 3);
    const other = { namespace, name: 'other' };
    await makeCluster(kube, other, { Worker: role(namespace, 1) });
    let isTaken = false;
    const slow = meddled({
      // Two hosts are reserved; before the third, another cluster comes.
      before: async (name) => {
        if (name !== 'h2' || isTaken) return;
        isTaken = true;
        const labels = { [CLUSTER_NAMESPACE]: namespace, [CLUSTER_NAME]: 'other', [NODE_TYPE]: 'Worker' };
        await kube.patch(BARE_METAL_HOST, { namespace, name }, { metadata: { labels } });
      },
    });
    expect(await metalOn(slow).reserveHosts(ref)).toEqual({ outcome: 'Short', hosts: 0 });
    expect(await holders(kube, namespace)).toEqual(['h2: other/Worker']);
  });

  test('goes on with another host where one has changed meanwhile', async () => {
    const { namespace, ref } = await room(3, 2);
    const slow = meddled({
      before: async (name, writes) => {
        if (writes !== 1) return;
        await kube.patch(
          BARE_METAL_HOST,
          { namespace, name },
          { spec: { consumerRef: { name: 'somebody' } } },
        );
      },
    });
    expect(await metalOn(slow).reserveHosts(ref)).toEqual({ outcome: 'Reserved', hosts: 2 });
    expect(await holders(kube, namespace)).toHaveLength(2);
  });

  test('is finished by the next try when the worker dies after one of its writes', async () => {
    const { namespace, ref } = await room(3, 3);
    const dying = meddled({
      after: async (_name, writes) => {
        if (writes === 1) throw new Error('The worker is gone');
      },
    });
    await expect(metalOn(dying).reserveHosts(ref)).rejects.toThrow();
    await live(metalOn(kube), ref);
    expect(await holders(kube, namespace)).toEqual(WORKERS('h0', 'h1', 'h2'));
  });

  test('that the hub refuses is said, with the host and the remedy, until it succeeds', async () => {
    const { namespace, ref } = await room(2, 2);
    const refusing = meddled({
      before: async (name) => {
        if (name === 'h1')
          throw new ApiError({ method: 'PATCH', path: '/h1', code: 403, reason: 'Forbidden' });
      },
    });
    await metalOn(kube).turnSipCluster(ref);
    expect(await metalOn(refusing).reserveHosts(ref)).toEqual({ outcome: 'Refused', hosts: 0 });
    expect(await holders(kube, namespace)).toEqual([]);
    expect(await metalOn(refusing).turnSipCluster(ref)).toMatchObject({ needsHosts: true });
    expect(await said(kube, ref)).toBe('False UnableToApplyLabels');
    const { status } = (await kube.get<SipCluster>(SIP_CLUSTER, ref)) ?? {};
    expect(status?.conditions?.[0]?.message).toContain(`${namespace}/h1`);
    await live(metalOn(kube), ref);
    expect(await said(kube, ref)).toBe('True ReconciliationSucceeded');
  });

  test('is not begun for a cluster that is being deleted, and a refused release says UnableToDecommission', async () => {
    const { namespace, ref } = await room(2, 1);
    await live(metalOn(kube), ref);
    await kube.remove(SIP_CLUSTER, ref);
    expect(await metalOn(kube).reserveHosts(ref)).toEqual({ outcome: 'Nothing', hosts: 0 });
    const refusing = meddled({
      before: async () => {
        throw new ApiError({ method: 'PATCH', path: '/h0', code: 403, reason: 'Forbidden' });
      },
    });
    expect(await metalOn(refusing).turnSipCluster(ref)).toMatchObject({
      outcome: 'Turned',
      needsHosts: false,
    });
    expect(await said(kube, ref)).toBe('False UnableToDecommission');
    await live(metalOn(kube), ref);
    expect(await kube.get(SIP_CLUSTER, ref)).toBeNull();
    expect(await holders(kube, namespace)).toEqual([]);
  });

  test('rings who asked, whatever came of it, unless it is to ask again in a minute', async () => {
    const { ref } = await room(1, 1);
    const rung: string[] = [];
    await metalOn(kube, { rung }).reserveHosts(ref);
    await metalOn(kube, { rung }).askForHosts(ref);
    expect(rung).toEqual([`sip/${ref.namespace}/${ref.name}`, 'hosts/hub']);
  });

  test('that lands after its cluster is gone is found and given back', async () => {
    const { namespace, ref } = await room(1, 1);
    const late = meddled({
      before: async () => {
        await kube.patch(SIP_CLUSTER, ref, { metadata: { finalizers: null } });
        await kube.remove(SIP_CLUSTER, ref);
      },
    });
    await metalOn(late).reserveHosts(ref);
    expect(await holders(kube, namespace)).toEqual(WORKERS('h0'));
    expect(await metalOn(kube).turnSipCluster(ref)).toEqual({ outcome: 'Gone' });
    expect(await holders(kube, namespace)).toEqual([]);
  });
});

test('a late look undoes nothing: what has changed since it read stays', async () => {
  const { namespace, ref } = await room(3, 3);
  await live(metalOn(kube), ref);
  await changeRoles(kube, ref, { Worker: role(namespace, 2) });
  let isChanged = false;
  const late = meddled({
    // It was to give one host back; meanwhile it is wanted again, and somebody else has written to the host.
    before: async (name) => {
      if (isChanged) return;
      isChanged = true;
      await changeRoles(kube, ref, { Worker: role(namespace, 3) });
      await kube.patch(
        BARE_METAL_HOST,
        { namespace, name },
        { metadata: { annotations: { touched: 'yes' } } },
      );
    },
  });
  await metalOn(late).turnSipCluster(ref);
  expect(await holders(kube, namespace)).toEqual(WORKERS('h0', 'h1', 'h2'));
});
