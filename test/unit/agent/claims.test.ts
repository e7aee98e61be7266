// The claims that an agent publishes of its site: what is there and what the CappConfig says, checked, and
// written on change only.
import { claimsOf, type ClaimedFacts } from '../../../activities/agent/claims/claims.ts';
import { publishClaims, publishClaimsForever } from '../../../activities/agent/claims/publish-claims.ts';
import type { Node } from '../../../crds/kubernetes/core.ts';
import {
  AGENT_CLAIMS,
  INGRESS_CLAIM,
  ingressNameOf,
  type ClusterClaim,
} from '../../../crds/ocm/cluster-claim.ts';
import { MANAGED_BY, MANAGED_BY_AGENT } from '../../../crds/labels.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { KubeObject } from '../../../kube/resource.ts';

const config = (cname: unknown): KubeObject & { spec: unknown } => ({
  metadata: { name: 'capp-config', namespace: 'container-app-operator-system' },
  spec: { dnsConfig: { zone: 'capp-zone.com.', cname } },
});

/** A site of which nothing is known but that there is no CappConfig. */
const NOTHING: ClaimedFacts = {
  config: null,
  older: [],
  nodes: undefined,
  knative: undefined,
  siteOperator: null,
  cappsExecutor: undefined,
  storageClasses: undefined,
};

test.each<[string, unknown, string | null]>([
  ['a full domain name', 'Ingress.Site-1.example.com.', 'ingress.site-1.example.com'],
  ['a name without a dot', 'ingress', null],
  ['an address', 'http://site-1.example.com', null],
  ['a number', 7, null],
  ['nothing', undefined, null],
])('of a CappConfig with %s as dnsConfig.cname the ingress name is claimed, or none', (_, cname, claim) => {
  expect(claimsOf({ ...NOTHING, config: config(cname) })[INGRESS_CLAIM]).toBe(claim);
});

function aNode(architecture: string, capacity: Record<string, string> = {}): Node {
  return { metadata: { name: 'node' }, status: { nodeInfo: { architecture }, capacity } };
}

/** The claims by the first part of their names. */
function claimed(facts: Partial<ClaimedFacts>): Record<string, string | null | undefined> {
  const claims = Object.entries(claimsOf({ ...NOTHING, ...facts }));
  return Object.fromEntries(claims.map(([name, value]) => [name.replace('.cappstan.dana.io', ''), value]));
}

test('a site claims its nodes, processors, Knative, site operator, executor of Capps and storage classes', () => {
  const nodes = [
    aNode('arm64'),
    aNode('amd64', { 'nvidia.com/gpu': '2', cpu: '8' }),
    aNode('amd64', { 'nvidia.com/gpu': '1', 'gpu.intel.com/xe': '1', 'amd.com/gpu': '0' }),
  ];
  expect(
    claimed({
      nodes,
      knative: '1.19.0',
      siteOperator: '0.1.0',
      cappsExecutor: 'add-on/cappstan-capps-1',
      storageClasses: ['slow', 'fast', 'slow'],
    }),
  ).toEqual({
    ingress: null,
    nodes: '3',
    arch: 'amd64+arm64',
    amd64: '2',
    arm64: '1',
    gpu: 'intel:1+nvidia:3',
    knative: '1.19.0',
    'site-operator': '0.1.0',
    'capps-executor': 'add-on/cappstan-capps-1',
    'storage-classes': 'fast+slow',
    'former-config': null,
  });
});

test('a site claims nothing that it does not have, and what cannot be known stays as it is', () => {
  const none = { nodes: [], knative: null, siteOperator: null, cappsExecutor: null, storageClasses: [] };
  const absent = Object.fromEntries(Object.keys(claimed({})).map((name) => [name, null]));
  expect(claimed(none)).toEqual({ ...absent, nodes: '0' });
  expect(claimed({ ...none, nodes: [aNode('')] })).toEqual({ ...absent, nodes: '1' });
  const known = new Set(['ingress', 'site-operator', 'former-config']);
  expect(claimed({})).toEqual(
    Object.fromEntries(Object.keys(absent).map((name) => [name, known.has(name) ? null : undefined])),
  );
});

test('a claim holds whole names only, as many as fit', () => {
  const storageClasses = Array.from({ length: 100 }, (_, index) => `class-${index}-${'x'.repeat(40)}`);
  const value = claimed({ storageClasses })['storage-classes'] ?? '';
  expect(value.length).toBeGreaterThan(900);
  expect(value.length).toBeLessThanOrEqual(1024);
  expect(storageClasses).toEqual(expect.arrayContaining(value.split('+')));
});

test('OCM reports twenty claims of a site, and ours are at most twelve', () => {
  expect(AGENT_CLAIMS.length).toBeLessThanOrEqual(12);
  expect(Object.keys(claimsOf(NOTHING)).toSorted()).toEqual([...AGENT_CLAIMS].toSorted());
});

test.each<[string, unknown, string | null]>([
  ['that is a full domain name', 'a.example.com', 'a.example.com'],
  ['of another spelling', 'A.example.com.', 'a.example.com'],
  ['with a line break', 'a.example.com\nb.example.com', null],
  ['that is no text', { a: 1 }, null],
  ['that is too long', `${'a.'.repeat(200)}com`, null],
])('the hub reads a claim %s, or none', (_, value, name) => {
  const clusterClaims = [{ name: INGRESS_CLAIM, value: value as string }];
  expect(ingressNameOf({ status: { clusterClaims } })).toBe(name);
});

const forbidden = (): Promise<never> =>
  Promise.reject(new ApiError({ method: 'GET', path: '/', code: 403, reason: 'Forbidden' }));
const OWN = { nodes: () => undefined, siteOperator: null, cappsExecutor: 'cappstan-capps-1' };

/** A site's API server with one CappConfig and at most one claim; counts what is written. */
function site(cname: unknown, claim: ClusterClaim | null = null) {
  const state = { config: cname === null ? null : config(cname), claim, writes: 0, fails: false };
  const kube = {
    get: async <T>(
      resource: { kind: string },
      { namespace, name }: { namespace: string | null; name: string },
    ): Promise<T | null> => {
      if (state.fails) throw new ApiError({ method: 'GET', path: '/', code: 500, reason: 'Broken' });
      if (resource.kind === 'ClusterClaim') return name === INGRESS_CLAIM ? (state.claim as T | null) : null;
      return namespace === 'container-app-operator-system' ? (state.config as T | null) : null;
    },
    // What else there is, this account may not read.
    getMetadata: forbidden,
    list: forbidden,
    create: async <T>(_resource: unknown, made: T): Promise<T> => {
      state.writes += 1;
      state.claim = made as ClusterClaim;
      return made;
    },
    patch: async <T>(_resource: unknown, _key: unknown, body: unknown): Promise<T> => {
      state.writes += 1;
      state.claim = { ...state.claim, ...(body as object), metadata: state.claim?.metadata } as ClusterClaim;
      return state.claim as T;
    },
    remove: async (): Promise<boolean> => {
      state.writes += 1;
      state.claim = null;
      return true;
    },
  };
  return { state, kube: kube as unknown as Parameters<typeof publishClaims>[0] };
}

test('a claim is made, changed and removed as the CappConfig says, and written only when it changes', async () => {
  const { state, kube } = site('a.example.com');
  expect(await publishClaims(kube, OWN)).toEqual([INGRESS_CLAIM]);
  expect(state.claim).toMatchObject({
    metadata: { name: INGRESS_CLAIM, labels: { [MANAGED_BY]: MANAGED_BY_AGENT } },
    spec: { value: 'a.example.com' },
  });
  expect(await publishClaims(kube, OWN)).toEqual([]);
  state.config = config('b.example.com');
  expect(await publishClaims(kube, OWN)).toEqual([INGRESS_CLAIM]);
  expect(state.claim?.spec?.value).toBe('b.example.com');
  state.config = null;
  expect(await publishClaims(kube, OWN)).toEqual([INGRESS_CLAIM]);
  expect([state.claim, await publishClaims(kube, OWN), state.writes]).toEqual([null, [], 3]);
});

test('a claim that somebody else has made stays as it is', async () => {
  const foreign = { metadata: { name: INGRESS_CLAIM }, spec: { value: 'mine.example.com' } };
  const { state, kube } = site('a.example.com', foreign);
  expect(await publishClaims(kube, OWN)).toEqual([]);
  state.config = null;
  expect([await publishClaims(kube, OWN), state.claim]).toEqual([[], foreign]);
});

test('the loop tells of a problem once, and goes on', async () => {
  const { state, kube } = site('a.example.com');
  state.fails = true;
  const problems: unknown[] = [];
  const written = new Promise<readonly string[]>((resolve) => {
    const loop = publishClaimsForever(kube, OWN, {
      everyMs: 1,
      onProblem: (error) => {
        problems.push(error);
        setTimeout(() => (state.fails = false), 20);
      },
      onWritten: (claims) => void loop.stop().then(() => resolve(claims)),
    });
  });
  expect(await written).toEqual([INGRESS_CLAIM]);
  expect(problems).toHaveLength(1);
});
