// The claims that an agent publishes of its site: what the CappConfig says, checked, and written on change only.
import { claimsOf } from '../../../activities/agent/claims/claims.ts';
import { publishClaims, publishClaimsForever } from '../../../activities/agent/claims/publish-claims.ts';
import { INGRESS_CLAIM, ingressNameOf, type ClusterClaim } from '../../../crds/ocm/cluster-claim.ts';
import { MANAGED_BY, MANAGED_BY_AGENT } from '../../../crds/labels.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { KubeObject } from '../../../kube/resource.ts';

const config = (cname: unknown): KubeObject & { spec: unknown } => ({
  metadata: { name: 'capp-config', namespace: 'container-app-operator-system' },
  spec: { dnsConfig: { zone: 'capp-zone.com.', cname } },
});

test.each<[string, unknown, string | null]>([
  ['a full domain name', 'Ingress.Site-1.example.com.', 'ingress.site-1.example.com'],
  ['a name without a dot', 'ingress', null],
  ['an address', 'http://site-1.example.com', null],
  ['a number', 7, null],
  ['nothing', undefined, null],
])('of a CappConfig with %s as dnsConfig.cname the ingress name is claimed, or none', (_, cname, claim) => {
  expect(claimsOf(config(cname))[INGRESS_CLAIM]).toBe(claim);
});

test('without a CappConfig nothing is claimed', () => {
  expect(claimsOf(null)).toEqual({ [INGRESS_CLAIM]: null });
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

/** A site's API server with one CappConfig and at most one claim; counts what is written. */
function site(cname: unknown, claim: ClusterClaim | null = null) {
  const state = { config: cname === null ? null : config(cname), claim, writes: 0, fails: false };
  const kube = {
    get: async <T>(
      resource: { kind: string },
      { namespace }: { namespace: string | null },
    ): Promise<T | null> => {
      if (state.fails) throw new ApiError({ method: 'GET', path: '/', code: 500, reason: 'Broken' });
      if (resource.kind === 'ClusterClaim') return state.claim as T | null;
      return namespace === 'container-app-operator-system' ? (state.config as T | null) : null;
    },
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
  expect(await publishClaims(kube)).toEqual([INGRESS_CLAIM]);
  expect(state.claim).toMatchObject({
    metadata: { name: INGRESS_CLAIM, labels: { [MANAGED_BY]: MANAGED_BY_AGENT } },
    spec: { value: 'a.example.com' },
  });
  expect(await publishClaims(kube)).toEqual([]);
  state.config = config('b.example.com');
  expect(await publishClaims(kube)).toEqual([INGRESS_CLAIM]);
  expect(state.claim?.spec?.value).toBe('b.example.com');
  state.config = null;
  expect(await publishClaims(kube)).toEqual([INGRESS_CLAIM]);
  expect([state.claim, await publishClaims(kube), state.writes]).toEqual([null, [], 3]);
});

test('a claim that somebody else has made stays as it is', async () => {
  const foreign = { metadata: { name: INGRESS_CLAIM }, spec: { value: 'mine.example.com' } };
  const { state, kube } = site('a.example.com', foreign);
  expect(await publishClaims(kube)).toEqual([]);
  state.config = null;
  expect([await publishClaims(kube), state.claim]).toEqual([[], foreign]);
});

test('the loop tells of a problem once, and goes on', async () => {
  const { state, kube } = site('a.example.com');
  state.fails = true;
  const problems: unknown[] = [];
  const written = new Promise<readonly string[]>((resolve) => {
    const loop = publishClaimsForever(kube, {
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
