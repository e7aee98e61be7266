// Which of a namespace's labels bound what its Pods may do on a site, too.
import { forPodSecurity, podSecurityOf } from '../../../crds/kubernetes/neighbours.ts';

const prefixed = (labels: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [`pod-security.kubernetes.io/${name}`, value]),
  );

test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
  [
    'what is enforced, with its version',
    { enforce: 'restricted', 'enforce-version': 'v1.30' },
    { enforce: 'restricted', 'enforce-version': 'v1.30' },
  ],
  [
    'what is audited and warned of',
    { audit: 'baseline', warn: 'restricted' },
    { audit: 'baseline', warn: 'restricted' },
  ],
  ['nothing that would loosen a site', { enforce: 'privileged', 'enforce-version': 'latest' }, {}],
  ['nothing that is no level', { enforce: 'strict', other: 'restricted' }, {}],
])('%s', (_name, labels, expected) => {
  expect(podSecurityOf({ labels: { ...prefixed(labels), team: 'one' } })).toEqual(prefixed(expected));
  const { metadata } = forPodSecurity({
    metadata: { name: 'apps', labels: { ...prefixed(labels), team: 'one' }, annotations: { a: 'b' } },
  });
  expect(metadata).toEqual({ name: 'apps', uid: '', resourceVersion: '', labels: prefixed(expected) });
});
