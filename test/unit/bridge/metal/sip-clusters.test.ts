// Which SIPClusters the bridge rings when they or hosts change, and which are no news to it.
import {
  CLUSTER_NAME,
  CLUSTER_NAMESPACE,
  NODE_TYPE,
  type BareMetalHost,
} from '../../../../crds/metal/bare-metal-host.ts';
import { RESERVED_FOR } from '../../../../crds/metal/labels.ts';
import { TIME, cluster, bridge, modified } from '../../../support/builders/metal/metal-bridge.ts';

function host(
  owner: string | null,
  more: Omit<Partial<BareMetalHost>, 'metadata'> & { metadata?: object } = {},
): BareMetalHost {
  const { metadata, ...rest } = more;
  const labels =
    owner === null ? {} : { [CLUSTER_NAMESPACE]: 'metal', [CLUSTER_NAME]: owner, [NODE_TYPE]: 'Worker' };
  const annotations = owner === null ? {} : { [RESERVED_FOR]: `${owner}-uid` };
  return {
    metadata: { namespace: 'metal', name: 'h', uid: 'h-uid', labels, annotations, ...metadata },
    spec: { networkData: { name: 'n' } },
    ...rest,
  };
}

test('a SIPCluster is rung when it is new, gone, edited or being deleted, and not for its status or our finalizer', () => {
  const { clusters } = bridge();
  const before = cluster('has', 'True');
  expect(clusters({ type: 'Added', previous: null, object: before, initial: true })).toEqual(['has']);
  expect(clusters({ type: 'Deleted', previous: before, object: before })).toEqual(['has']);
  expect(clusters(modified(before, cluster('has', 'True', { generation: 2 })))).toEqual(['has']);
  expect(
    clusters(modified(before, cluster('has', 'True', { metadata: { deletionTimestamp: TIME } }))),
  ).toEqual(['has']);
  expect(clusters(modified(before, cluster('has', 'True', { metadata: { uid: 'another' } })))).toEqual([
    'has',
  ]);
  expect(clusters(modified(before, cluster('has', 'False')))).toEqual([]);
  expect(clusters(modified(before, cluster('has', 'True', { metadata: { finalizers: ['f'] } })))).toEqual([]);
});

test('a change of a host rings whoever has it or had it', () => {
  const { hosts } = bridge();
  const error = { status: { operationalStatus: 'error' } };
  expect(hosts(modified(host('has'), host('has', error)))).toEqual(['has']);
  expect(hosts(modified(host('has'), host('other')))).toEqual(['has', 'other']);
  expect(hosts({ type: 'Deleted', previous: host('has'), object: host('has') })).toEqual(['has']);
});

test('a host that is or was nobody’s also rings those that lack hosts, or have one that has failed', () => {
  const { hosts } = bridge();
  expect(hosts({ type: 'Added', previous: null, object: host(null) })).toEqual(['fails', 'lacks']);
  expect(hosts(modified(host('has'), host(null)))).toEqual(['fails', 'has', 'lacks']);
  expect(hosts(modified(host(null, { status: { operationalStatus: 'error' } }), host(null)))).toEqual([
    'fails',
    'lacks',
  ]);
});

test('hosts of the first list, and what no plan rests on, are no news', () => {
  const { hosts } = bridge();
  expect(hosts({ type: 'Added', previous: null, object: host(null), initial: true })).toEqual([]);
  const later = host('has', { metadata: { resourceVersion: '9' } });
  expect(
    hosts(modified(host('has'), { ...later, metadata: { ...host('has').metadata, resourceVersion: '9' } })),
  ).toEqual([]);
});

test('all are rung when the hub begins to serve BareMetalHosts, and nobody once it has stopped', () => {
  const { served, stop } = bridge();
  expect(served()).toEqual(['fails', 'has', 'lacks']);
  stop();
  expect(served()).toEqual([]);
});

test('hosts that we reserved for what is gone are left over, and nothing is while SIPClusters are not served', () => {
  const hosts = [host('has'), host('gone'), host('by-hand', { metadata: { annotations: {} } })];
  expect([...bridge(hosts).kind.leftBy()]).toEqual(['metal/gone']);
  expect([...bridge(hosts, false).kind.leftBy()]).toEqual([]);
});

test('a host is news when its BMC or its network data is another: to whoever has it, or lacks hosts', () => {
  const { hosts } = bridge();
  const bmc = { spec: { networkData: { name: 'n' }, bmc: { address: 'redfish://a', credentialsName: 'c' } } };
  expect(hosts(modified(host('has'), host('has', bmc)))).toEqual(['has']);
  expect(hosts(modified(host('has'), host('has', { spec: { networkData: { name: 'm' } } })))).toEqual([
    'has',
  ]);
  expect(hosts(modified(host(null), host(null, bmc)))).toEqual(['fails', 'lacks']);
});

test.each([CLUSTER_NAMESPACE, CLUSTER_NAME])(
  'a host of which somebody has taken off the label %s rings who had it, and is left over by nobody',
  (key) => {
    const { [key]: _gone, ...labels } = host('has').metadata.labels ?? {};
    const half = host('has', { metadata: { labels } });
    expect(bridge().hosts(modified(host('has'), half))).toEqual(['has']);
    expect([...bridge([half]).kind.leftBy()]).toEqual([]);
  },
);
