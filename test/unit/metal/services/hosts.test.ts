// Servers of a load balancer and hosts of a jump host each have a name of their own.
import { faultsIn, namesOf } from '../../../../activities/hub/metal/services/hosts.ts';
import type { BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import type { Key } from '../../../../kube/resource.ts';
import type { Instance } from '../../../../activities/hub/metal/services/instances.ts';

const named = (...hosts: readonly string[]): string[] => {
  const all = hosts.map((host): BareMetalHost => {
    const [namespace = '', name = ''] = host.split('/');
    return { metadata: { namespace, name } };
  });
  return [...namesOf(all).values()];
};

test('hosts have their own names as long as no two have one', () => {
  expect(named('a/n', 'b/m', 'c/a.n')).toEqual(['n', 'm', 'a.n']);
});

test('as soon as two have one, all have their namespaces before theirs, so that none is like another', () => {
  expect(named('a/n', 'b/n', 'c/m')).toEqual(['a.n', 'b.n', 'c.m']);
  expect(named('a/n', 'b/n', 'c/a.n')).toEqual(['a.n', 'b.n', 'c.a.n']);
});

test('network data and BMC credentials are read in the namespace of the host, and nowhere else', async () => {
  const asked: string[] = [];
  const get = (_kind: unknown, { namespace, name }: Key) => {
    asked.push(`${namespace}/${name}`);
    return Promise.resolve(null);
  };
  const bmc = { address: 'redfish://10.0.0.1/redfish/v1/Systems/1', credentialsName: 'bmc' };
  const host = (networkNamespace?: string): BareMetalHost => ({
    metadata: { namespace: 'metal', name: 'w1' },
    spec: {
      bmc: { ...bmc, credentialsNamespace: 'kube-system' } as typeof bmc,
      networkData: {
        name: 'network',
        ...(networkNamespace === undefined ? {} : { namespace: networkNamespace }),
      },
    },
  });
  const jumpHost = { kind: 'jumpHost', item: { nodeInterfaceId: 'oam' } } as unknown as Instance;
  const faults = (one: BareMetalHost) => faultsIn({ get }, one, 'Worker', [jumpHost]);
  await faults(host());
  expect(asked.toSorted()).toEqual(['metal/bmc', 'metal/network']);
  asked.length = 0;
  expect(await faults(host('kube-system'))).toContainEqual(
    expect.objectContaining({ field: 'spec.networkData.namespace' }),
  );
  expect(asked).toEqual(['metal/bmc']);
});
