// Which Pod Security labels of a namespace on the hub apply on its site too.
import { forPodSecurity, podSecurityOf } from '../../../crds/kubernetes/neighbours.ts';

const prefixed = (labels: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [`pod-security.kubernetes.io/${name}`, value]),
  );

test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
  [
    'an enforced level with its version is shipped',
    { enforce: 'restricted', 'enforce-version': 'v1.30' },
    { enforce: 'restricted', 'enforce-version': 'v1.30' },
  ],
  [
    'audit and warn levels are shipped',
    { audit: 'baseline', warn: 'restricted' },
    { audit: 'baseline', warn: 'restricted' },
  ],
  [
    'level privileged, which would weaken a site, is not shipped',
    { enforce: 'privileged', 'enforce-version': 'latest' },
    {},
  ],
  ['an unknown level is not shipped', { enforce: 'strict', other: 'restricted' }, {}],
])('%s', (_name, labels, expected) => {
  expect(podSecurityOf({ labels: { ...prefixed(labels), team: 'one' } })).toEqual(prefixed(expected));
  const { metadata } = forPodSecurity({
    metadata: { name: 'apps', labels: { ...prefixed(labels), team: 'one' }, annotations: { a: 'b' } },
  });
  expect(metadata).toEqual({ name: 'apps', uid: '', resourceVersion: '', labels: prefixed(expected) });
});
