// Which SIPClusters are rung when a Secret changes that a host or they themselves name, and which Secrets are
// nobody's.
import {
  CLUSTER_NAME,
  CLUSTER_NAMESPACE,
  NODE_TYPE,
  type BareMetalHost,
} from '../../../../crds/metal/bare-metal-host.ts';
import type { SipSite } from '../../../../crds/metal/site.ts';
import { bridge, cluster, CLUSTERS, modified } from '../../../support/builders/metal/metal-bridge.ts';

function host(name: string, owner: string | null): BareMetalHost {
  const labels =
    owner === null ? {} : { [CLUSTER_NAMESPACE]: 'metal', [CLUSTER_NAME]: owner, [NODE_TYPE]: 'Worker' };
  return {
    metadata: { namespace: 'hosts', name, labels },
    spec: { networkData: { name: `${name}-net` }, bmc: { address: 'x', credentialsName: `${name}-bmc` } },
  };
}

const HOSTS = [host('own', 'has'), host('free', null)];
const secret = (name: string, resourceVersion: string, namespace = 'hosts') => ({
  metadata: { namespace, name, uid: 'u', resourceVersion },
});
const edit = (name: string, namespace = 'hosts') =>
  modified(secret(name, '1', namespace), secret(name, '2', namespace));

test.each(['own-net', 'own-bmc'])('%s: whoever has the host is rung for its Secret', (name) => {
  const { secrets } = bridge(HOSTS);
  expect(secrets(edit(name))).toEqual(['has']);
  expect(secrets({ type: 'Added', previous: null, object: secret(name, '1') })).toEqual(['has']);
  expect(secrets({ type: 'Deleted', previous: secret(name, '1'), object: secret(name, '1') })).toEqual([
    'has',
  ]);
});

test('for a Secret of a free host those are rung that lack hosts, or have one that has failed', () => {
  expect(bridge(HOSTS).secrets(edit('free-bmc'))).toEqual(['fails', 'lacks']);
});

test('a SIPCluster is rung for the private keys of its jump host, and for its templates of user data', () => {
  const jumpHost = [{ image: 'j', nodePort: 0, sshAuthorizedKeys: [], nodeSSHPrivateKeys: 'keys' }];
  const site = { name: 's', userData: { Worker: { secret: 'template' } } } as unknown as SipSite;
  const jumps = cluster('jumps', 'True', { spec: { services: { jumpHost } } });
  const sites = cluster('sites', 'True', { spec: { services: {}, site } });
  const { secrets } = bridge(HOSTS, true, [...CLUSTERS, jumps, sites]);
  expect(secrets(edit('keys', 'metal'))).toEqual(['jumps']);
  expect(secrets(edit('template', 'metal'))).toEqual(['sites']);
  expect(secrets(edit('keys'))).toEqual([]);
});

test('the first list, the same version, another’s Secret and one of that name elsewhere are no news', () => {
  const { secrets, stop } = bridge(HOSTS);
  expect(secrets({ type: 'Added', previous: null, object: secret('own-net', '1'), initial: true })).toEqual(
    [],
  );
  expect(secrets(modified(secret('own-net', '1'), secret('own-net', '1')))).toEqual([]);
  expect(secrets(edit('other'))).toEqual([]);
  expect(secrets(edit('own-net', 'elsewhere'))).toEqual([]);
  stop();
  expect(secrets(edit('own-net'))).toEqual([]);
});
