// The kubeconfig of OCM's agent for the hub, when the way to the hub is another one.
import { parse, stringify } from 'yaml';
import { withClustersOf } from '../../../../deploy/local/kubernetes/kubeconfig.ts';

/** As Go writes it, with fields in another order than ours. */
const OWN = `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: YWJj
    server: https://hub.example:9443
  name: hub
contexts:
- context: {cluster: hub, namespace: configuration, user: default-auth}
  name: default-context
current-context: default-context
kind: Config
users:
- name: default-auth
  user: {client-certificate: tls.crt, client-key: tls.key}
`;
const bootstrap = (more: object): string =>
  stringify({
    clusters: [
      {
        name: 'hub',
        cluster: { server: 'https://hub.example:9443', 'certificate-authority-data': 'YWJj', ...more },
      },
    ],
    users: [{ name: 'hub', user: { token: 'abcdef.0123456789abcdef' } }],
  });

test('the same way changes nothing, however it is written', () => {
  expect(withClustersOf(OWN, bootstrap({}))).toBeNull();
});

test.each([[{ 'proxy-url': 'http://proxy.example:3128' }], [{ 'certificate-authority-data': 'ZGVm' }]])(
  'another way %j is taken over, with the credential that was there, and no token',
  (more) => {
    const text = withClustersOf(OWN, bootstrap(more)) ?? '';
    const [now, before] = [parse(text), parse(OWN)] as [Record<string, unknown>, Record<string, unknown>];
    expect(now['clusters']).toMatchObject([{ cluster: more }]);
    expect({ ...now, clusters: null }).toEqual({ ...before, clusters: null });
    expect(text).not.toContain('abcdef');
  },
);
