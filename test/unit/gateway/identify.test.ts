// Who calls is what the API server says of the token, and what the hub says of the cluster now.
import { GATEWAY_AUDIENCE } from '../../../crds/hub/agent-identity.ts';
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { identify } from '../../../gateway/identify.ts';
import type { KubeObject } from '../../../kube/resource.ts';

const text = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const tokenFor = (audience: unknown, more = 'x', sub?: string, iat?: number): string =>
  `Bearer ${text({})}.${text({ aud: audience, sub, iat })}.${more}`;
const renewed = (cluster: string, more: string): string =>
  tokenFor([GATEWAY_AUDIENCE], more, `system:serviceaccount:${cluster}:cappstan-agent`);
const TOKEN = tokenFor([GATEWAY_AUDIENCE]);
const AGENT = 'system:serviceaccount:site-1:cappstan-agent';

function subjectOf(token: string): string | undefined {
  const [, claims = ''] = token.split('.');
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { readonly sub?: string }).sub;
}

interface Said {
  readonly username?: string;
  readonly uid?: string;
  readonly authenticated?: boolean;
  readonly audiences?: readonly string[];
}

function door(said: Said, accepted: Readonly<Record<string, boolean>> = { 'site-1': true }) {
  let now = 0;
  let reviews = 0;
  const state = {
    accepted: { ...accepted } as Record<string, boolean>,
    isAway: false,
    made: 'first',
    created: '',
  };
  const { uid = 'uid-1' } = said;
  const statusOf = (token: string) => ({
    authenticated: said.authenticated ?? true,
    audiences: said.audiences ?? [GATEWAY_AUDIENCE],
    user: { username: said.username ?? subjectOf(token) ?? AGENT, uid },
  });
  const who = identify({
    kube: {
      create: (_resource, review) => {
        reviews += 1;
        const { token } = (review as unknown as { readonly spec: { readonly token: string } }).spec;
        if (state.isAway) return Promise.reject(new Error('away'));
        return Promise.resolve({ status: statusOf(token) }) as never;
      },
    },
    clusters: {
      get: ({ name }) =>
        name in state.accepted
          ? ({
              metadata: { name, uid: state.made, creationTimestamp: state.created },
              spec: { hubAcceptsClient: state.accepted[name] },
            } as ManagedCluster & KubeObject)
          : undefined,
    },
    now: () => now,
  });
  return { who, state, reviews: () => reviews, pass: (ms: number) => void (now += ms) };
}

test('the agent of an accepted cluster is known by cluster and account', async () => {
  expect(await door({}).who(TOKEN)).toEqual({ cluster: 'site-1', account: 'uid-1' });
});

test.each<[string, Said]>([
  ['that is not authenticated', { authenticated: false }],
  ['for another audience', { audiences: ['https://kubernetes.default.svc'] }],
  ['of another account', { username: 'system:serviceaccount:site-1:default' }],
  ['of an account with a longer name', { username: 'system:serviceaccount:site-1:cappstan-agent-2' }],
  [
    'of an account with an agent’s name elsewhere',
    { username: 'system:serviceaccount:site-1:x:cappstan-agent' },
  ],
  ['of a person with such a name', { username: 'x:system:serviceaccount:site-1:cappstan-agent' }],
  ['of a namespace that is no cluster', { username: 'system:serviceaccount:apps:cappstan-agent' }],
  ['of an account without a uid', { uid: '' }],
])('a token %s is refused', async (_what, said) => {
  await expect(door(said).who(TOKEN)).rejects.toMatchObject({ code: 16 });
});

test('what cannot be a token for the gateway is refused without asking the API server', async () => {
  const { who, reviews } = door({});
  for (const sent of [
    '',
    'Bearer ',
    'Bearer a.b.c',
    tokenFor('other'),
    `Basic ${TOKEN}`,
    `${TOKEN}${'x'.repeat(9_000)}`,
  ])
    await expect(who(sent)).rejects.toMatchObject({ code: 16 });
  expect(reviews()).toBe(0);
});

test('a review counts for a minute, a denied cluster not for a moment', async () => {
  const { who, state, reviews, pass } = door({});
  await who(TOKEN);
  pass(59_999);
  await who(TOKEN);
  expect(reviews()).toBe(1);
  state.accepted['site-1'] = false;
  await expect(who(TOKEN)).rejects.toThrow(/has not accepted the managed cluster site-1/);
  state.accepted['site-1'] = true;
  pass(1);
  await who(TOKEN);
  expect(reviews()).toBe(2);
});

test('while the API server is away the agent is told to try again, and that is not remembered', async () => {
  const { who, state } = door({});
  state.isAway = true;
  await expect(who(TOKEN)).rejects.toMatchObject({ code: 14 });
  state.isAway = false;
  expect(await who(TOKEN)).toMatchObject({ cluster: 'site-1' });
});

test('a flood of different tokens is reviewed a few at a time, and keeps no agent out that has been in', async () => {
  const { who, reviews, pass } = door({});
  await who(TOKEN);
  pass(60_000);
  const flood = Array.from({ length: 200 }, (_, index) => who(tokenFor(GATEWAY_AUDIENCE, `x${index}`)));
  expect(await who(TOKEN)).toMatchObject({ cluster: 'site-1' });
  const ends = await Promise.allSettled(flood);
  expect(ends.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(100);
  expect(reviews()).toBeLessThanOrEqual(34);
});

/** All at once, and more than are reviewed. */
const flood = (who: (sent: string) => Promise<unknown>, siteOf: (index: number) => string) =>
  Promise.allSettled(Array.from({ length: 200 }, (_, index) => who(renewed(siteOf(index), `x${index}`))));

test('the renewed token of an agent that has been in is reviewed beside a flood that names other sites', async () => {
  const { who, reviews } = door({});
  await who(renewed('site-1', 'former'));
  const invented = flood(who, (index) => `site-${index + 2}`);
  expect(await who(renewed('site-1', 'next'))).toMatchObject({ cluster: 'site-1' });
  await invented;
  expect(reviews()).toBe(1 + 32 + 1);
});

test('a flood that names one site has the renewed token of its agent wait for a place, and that of no other', async () => {
  const { who, reviews } = door({}, { 'site-1': true, 'site-2': true });
  for (const site of ['site-1', 'site-2']) await who(renewed(site, 'former'));
  const invented = flood(who, () => 'site-1');
  await expect(who(renewed('site-1', 'next'))).rejects.toMatchObject({ code: 8 });
  expect(await who(renewed('site-2', 'next'))).toMatchObject({ cluster: 'site-2' });
  await invented;
  expect(reviews()).toBe(2 + 2 + 32 + 1);
  expect(await who(renewed('site-1', 'next'))).toMatchObject({ cluster: 'site-1' });
});

test('a token that was good for a former cluster of the name lets nobody in as the next one', async () => {
  const { who, state, pass } = door({});
  await who(TOKEN);
  delete state.accepted['site-1'];
  await expect(who(TOKEN)).rejects.toThrow('has not accepted');
  state.accepted['site-1'] = true;
  state.made = 'second';
  await expect(who(TOKEN)).rejects.toMatchObject({ code: 16, message: expect.stringContaining('former') });
  // Also when it is reviewed again: an API server may know its account for a while.
  pass(3_600_000);
  await expect(who(TOKEN)).rejects.toThrow('former');
  expect(await who(tokenFor([GATEWAY_AUDIENCE], 'next'))).toEqual({ cluster: 'site-1', account: 'uid-1' });
});

test('a site that is made again before the gateway’s watch knows is let in by its own token, and not by the former one', async () => {
  const { who, state, pass } = door({});
  const AGAIN = '2026-11-30T08:00:00Z';
  const issuedAfter = (seconds: number): string =>
    tokenFor([GATEWAY_AUDIENCE], 'x', AGENT, Date.parse(AGAIN) / 1000 + seconds);
  const tokens = [-60, 0, 1].map(issuedAfter);
  // The watch still shows the former cluster.
  for (const token of tokens) await who(token);
  Object.assign(state, { made: 'second', created: AGAIN });
  const ends = () => Promise.allSettled(tokens.map(who)).then((all) => all.map(({ status }) => status));
  expect(await ends()).toEqual(['rejected', 'rejected', 'fulfilled']);
  pass(3_600_000);
  expect(await ends()).toEqual(['rejected', 'rejected', 'fulfilled']);
});
