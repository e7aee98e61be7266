// What Kubernetes has counted in a namespace, and when that means that the namespace is empty.
import { isEmpty } from '../../../site/ending/emptiness.ts';
import type { Kube } from '../../../kube/client.ts';

const VERBS = ['create', 'list', 'watch', 'delete'];
const CORE = [
  { resource: 'resourcequotas', responseKind: { kind: 'ResourceQuota' }, scope: 'Namespaced', verbs: VERBS },
  { resource: 'configmaps', responseKind: { kind: 'ConfigMap' }, scope: 'Namespaced', verbs: VERBS },
  {
    resource: 'serviceaccounts',
    responseKind: { kind: 'ServiceAccount' },
    scope: 'Namespaced',
    verbs: VERBS,
  },
  { resource: 'secrets', responseKind: { kind: 'Secret' }, scope: 'Namespaced', verbs: VERBS },
];
const HARD = Object.fromEntries(CORE.map(({ resource }) => [`count/${resource}`, '1000000000']));

/** A namespace with these counts; `own` names what Kubernetes put there itself. */
function counted(used: Readonly<Record<string, string>>, own: readonly string[] = []): Kube {
  const all = { ...Object.fromEntries(Object.keys(HARD).map((name) => [name, '0'])), ...used };
  return {
    raw: async (_method: string, path: string) =>
      path === '/api' ? { items: [{ versions: [{ version: 'v1', resources: CORE }] }] } : { items: [] },
    get: async () => ({ metadata: { name: 'cappstan-count' }, spec: { hard: HARD }, status: { used: all } }),
    getMetadata: async (_kind: unknown, { name }: { name: string }) =>
      own.includes(name) ? { metadata: { name } } : null,
  } as unknown as Kube;
}

const ONLY_OURS = { 'count/resourcequotas': '1' };

test.each<[string, boolean, Record<string, string>, string[]]>([
  ['only our quota', true, ONLY_OURS, []],
  [
    'what Kubernetes puts into each',
    true,
    { ...ONLY_OURS, 'count/configmaps': '1', 'count/serviceaccounts': '1' },
    ['kube-root-ca.crt', 'default'],
  ],
  ["a person's quota beside ours", false, { 'count/resourcequotas': '2' }, []],
  ['another ConfigMap than the one of Kubernetes', false, { ...ONLY_OURS, 'count/configmaps': '1' }, []],
  ['another service account', false, { ...ONLY_OURS, 'count/serviceaccounts': '1' }, []],
  [
    'a service account beside the one of Kubernetes',
    false,
    { ...ONLY_OURS, 'count/serviceaccounts': '2' },
    ['default'],
  ],
  ['a Secret', false, { ...ONLY_OURS, 'count/secrets': '1' }, []],
])('a namespace with %s is empty: %s', async (_title, expected, used, own) => {
  expect(await isEmpty(counted(used, own), 'apps')).toBe(expected);
});
