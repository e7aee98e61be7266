// What the registrar writes in a round, by what it has seen.
import type { Secret } from '../../../crds/kubernetes/core.ts';
import { clusterSecret, secretNameOf, serverOf, textIn } from '../../../registrar/cluster.ts';
import { planned, type ClusterRules, type ClustersSeen } from '../../../registrar/plan.ts';
import { aTokenOf } from '../../support/builders/registrar.ts';

const RULES: ClusterRules = {
  namespace: 'argocd',
  account: 'argocd',
  userServer: 'https://user-server:9092/',
  noWayMs: 600_000,
};
const AUTHORITY = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n';
const TOKEN = aTokenOf('argocd');
const NOW = Date.parse('2026-11-29T10:00:00.000Z');
const NEVER: ReadonlyMap<string, number> = new Map();

const seen = (over: Partial<ClustersSeen> = {}): ClustersSeen => ({
  sites: [{ name: 'site-1', labels: { region: 'eu' }, isAccepted: true }],
  tunnels: new Set(['site-1']),
  tokens: new Map([['site-1', TOKEN]]),
  clusters: [],
  authority: AUTHORITY,
  ...over,
});

/** The Secret that a plan makes, as the API server has it after that. */
function made(
  over: Partial<Secret['metadata']> = {},
  labels: Record<string, string> = { region: 'eu' },
): Secret {
  const wanted = clusterSecret({ site: 'site-1', labels, token: TOKEN, ...RULES, authority: AUTHORITY });
  const metadata = { namespace: 'argocd', name: secretNameOf('site-1'), uid: 'u', resourceVersion: '7' };
  return { metadata: { ...metadata, labels: wanted.labels, ...over }, data: wanted.data };
}

const FOUND = { uid: 'u', resourceVersion: '7' };

test('a site with tunnel and token becomes a cluster as Argo CD documents it', () => {
  const { acts, remarks } = planned(seen(), RULES, NEVER, NOW);
  expect(remarks.size).toBe(0);
  expect(acts).toEqual([expect.objectContaining({ do: 'make', site: 'site-1' })]);
  const secret = made();
  expect(acts[0]).toMatchObject({
    write: { found: null, data: secret.data, labels: secret.metadata.labels },
  });
  expect(secret.metadata.labels).toEqual({
    region: 'eu',
    'argocd.argoproj.io/secret-type': 'cluster',
    'rcs.dana.io/managed-by': 'registrar',
  });
  expect([textIn(secret, 'name'), textIn(secret, 'server')]).toEqual([
    'site-1',
    'https://user-server:9092/site-1',
  ]);
  expect(JSON.parse(textIn(secret, 'config'))).toEqual({
    bearerToken: TOKEN,
    tlsClientConfig: { caData: Buffer.from(AUTHORITY).toString('base64') },
  });
});

test('nothing is written where nothing has changed', () => {
  expect(planned(seen({ clusters: [made()] }), RULES, NEVER, NOW).acts).toEqual([]);
});

test.each([
  ['a new token', {}, { tokens: new Map([['site-1', `${TOKEN}2`]]) }],
  ['another authority', {}, { authority: `${AUTHORITY}2` }],
  ['another address', { userServer: 'https://other' }, {}],
  [
    'a label of the ManagedCluster',
    {},
    { sites: [{ name: 'site-1', labels: { region: 'us' }, isAccepted: true }] },
  ],
])('%s is written over the Secret that was read', (_, rules, over) => {
  const { acts } = planned(seen({ clusters: [made()], ...over }), { ...RULES, ...rules }, NEVER, NOW);
  expect(acts).toEqual([
    expect.objectContaining({
      do: 'change',
      site: 'site-1',
      write: expect.objectContaining({ found: FOUND }) as object,
    }),
  ]);
});

test('a label that the ManagedCluster has lost goes', () => {
  const clusters = [made({}, { region: 'eu', tier: 'gold' })];
  expect(planned(seen({ clusters }), RULES, NEVER, NOW).acts).toEqual([
    expect.objectContaining({
      do: 'change',
      write: expect.objectContaining({ without: ['tier'] }) as object,
    }),
  ]);
});

test('labels by which tools know what is theirs are not copied: Argo CD would prune the Secret', () => {
  const labels = {
    'app.kubernetes.io/instance': 'fleet',
    'argocd.argoproj.io/instance': 'fleet',
    'argocd.argoproj.io/secret-type': 'repository',
    'rcs.dana.io/argocd-cluster': 'true',
    'feature.open-cluster-management.io/addon-cappstan': 'unhealthy',
    'cluster.open-cluster-management.io/clusterset': 'default',
  };
  const [act] = planned(
    seen({ sites: [{ name: 'site-1', labels, isAccepted: true }] }),
    RULES,
    NEVER,
    NOW,
  ).acts;
  expect(act).toMatchObject({ do: 'make' });
  expect((act as { write: { labels: object } }).write.labels).toEqual({
    'argocd.argoproj.io/secret-type': 'cluster',
    'rcs.dana.io/managed-by': 'registrar',
    'cluster.open-cluster-management.io/clusterset': 'default',
  });
});

test('the Secret of a site that is no more wanted goes at once, and no other one', () => {
  const foreign = made({ labels: { 'argocd.argoproj.io/secret-type': 'cluster' }, uid: 'other' });
  const byHand = made({ name: 'by-hand' });
  const going = made({ deletionTimestamp: '2026-11-29T09:59:59Z' });
  const none = { sites: [], tunnels: new Set<string>() };
  expect(planned(seen({ ...none, clusters: [made()] }), RULES, NEVER, NOW).acts).toEqual([
    { do: 'remove', site: 'site-1', found: FOUND },
  ]);
  expect(planned(seen({ ...none, clusters: [foreign, byHand, going] }), RULES, NEVER, NOW).acts).toEqual([]);
});

test('without a tunnel the Secret stays for ten minutes, which begin anew when the tunnel comes back', () => {
  const without = seen({ tunnels: new Set(), clusters: [made()] });
  const first = planned(without, RULES, NEVER, NOW);
  expect(first.acts).toEqual([]);
  expect(first.remarks.get('site-1')).toBe(
    'site-1 has no add-on cluster-proxy; its Secret goes once this has been so for 10 minutes on end.',
  );
  const almost = planned(without, RULES, first.noWaySince, NOW + 599_999);
  expect(almost.acts).toEqual([]);
  const back = planned(seen({ clusters: [made()] }), RULES, almost.noWaySince, NOW + 599_999);
  expect([back.acts, back.noWaySince.size]).toEqual([[], 0]);
  const last = planned(without, RULES, almost.noWaySince, NOW + 600_000);
  expect(last.acts).toEqual([{ do: 'remove', site: 'site-1', found: FOUND }]);
});

test('a site that the hub does not accept now keeps its Secret for ten minutes as well', () => {
  const sites = [{ name: 'site-1', labels: {}, isAccepted: false }];
  const first = planned(seen({ sites, clusters: [made()] }), RULES, NEVER, NOW);
  expect(first.acts).toEqual([]);
  expect(first.remarks.get('site-1')).toMatch(/^spec.hubAcceptsClient .* is not true; its Secret goes once/);
  const last = planned(seen({ sites, clusters: [made()] }), RULES, first.noWaySince, NOW + 600_000);
  expect(last.acts).toEqual([{ do: 'remove', site: 'site-1', found: FOUND }]);
  expect(planned(seen({ sites }), RULES, NEVER, NOW).acts).toEqual([]);
});

test.each([
  ['there is none', new Map<string, string>(), 'has made no token'],
  [
    'it is the reader’s',
    new Map([['site-1', aTokenOf('cappstan-reader')]]),
    'has no token of ServiceAccount argocd',
  ],
  ['it is no token', new Map([['site-1', 'a.b.c']]), 'has no token of ServiceAccount argocd'],
])('no Secret is made where the token is not of the account: %s', (_, tokens, words) => {
  const { acts, remarks } = planned(seen({ tokens }), RULES, NEVER, NOW);
  expect(acts).toEqual([]);
  expect(remarks.get('site-1')).toContain(words);
  for (const token of tokens.values()) expect(remarks.get('site-1')).not.toContain(token);
});

test('a site that is called as Argo CD calls its own cluster gets no Secret, and the remark says why', () => {
  const sites = [{ name: 'in-cluster', labels: {}, isAccepted: true }];
  const [tunnels, tokens] = [new Set(['in-cluster']), new Map([['in-cluster', TOKEN]])];
  const { acts, remarks } = planned(seen({ sites, tunnels, tokens }), RULES, NEVER, NOW);
  expect(acts).toEqual([]);
  expect(remarks.get('in-cluster')).toMatch(/^in-cluster is what Argo CD calls the cluster in which it runs/);
});

describe('a Secret that is not ours is named and left', () => {
  const other = (name: string, data: Secret['data'] = {}): Secret => ({
    metadata: { namespace: 'argocd', name, labels: { 'argocd.argoproj.io/secret-type': 'cluster' } },
    data,
  });
  const base64 = (text: string): string => Buffer.from(text).toString('base64');

  test.each([
    ['has its name', other(secretNameOf('site-1'))],
    ['is of a cluster with the site’s name', other('mine', { name: base64('site-1') })],
    ['is of the same address', other('mine', { server: base64(serverOf(RULES.userServer, 'site-1')) })],
  ])('if it %s', (_, secret) => {
    const { acts, remarks } = planned(seen({ clusters: [secret] }), RULES, NEVER, NOW);
    expect(acts).toEqual([]);
    expect(remarks.get('site-1')).toContain(`Secret argocd/${secret.metadata.name}, which is not Cappstan's`);
  });

  test('also where it came after ours, which is kept as it should be', () => {
    const second = other('mine', { server: base64(serverOf(RULES.userServer, 'site-1')) });
    const { acts, remarks } = planned(seen({ clusters: [made(), second] }), RULES, NEVER, NOW);
    expect(acts).toEqual([]);
    expect(remarks.get('site-1')).toContain("Secret argocd/mine, which is not Cappstan's");
    const tokens = new Map([['site-1', `${TOKEN}2`]]);
    expect(planned(seen({ clusters: [made(), second], tokens }), RULES, NEVER, NOW).acts).toEqual([
      expect.objectContaining({ do: 'change' }),
    ]);
  });

  test('and one of another site is in nobody’s way', () => {
    const clusters = [other('mine', { name: base64('site-2'), server: base64('https://elsewhere') })];
    expect(planned(seen({ clusters }), RULES, NEVER, NOW).acts).toEqual([
      expect.objectContaining({ do: 'make' }),
    ]);
  });
});
