// Who calls is what the API server says of the token, and what the hub says of the cluster now.
import { GATEWAY_AUDIENCE } from '../../../crds/hub/agent-identity.ts';
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { identify } from '../../../gateway/identify.ts';
import type { KubeObject } from '../../../kube/resource.ts';

const text = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const tokenFor = (audience: unknown, more = 'x', sub?: string): string =>
  `Bearer ${text({})}.${text({ aud: audience, sub })}.${more}`;
const renewed = (cluster: string, more: string): string =>
  tokenFor([GATEWAY_AUDIENCE], more, `system:serviceaccount:${cluster}:cappstan-agent`);
const TOKEN = tokenFor([GATEWAY_AUDIENCE]);

interface Said {
  readonly username?: string;
  readonly uid?: string;
  readonly authenticated?: boolean;
  readonly audiences?: readonly string[];
}

function door(said: Said, accepted: Readonly<Record<string, boolean>> = { 'site-1': true }) {
  let now = 0;
  let reviews = 0;
  const state = { accepted: { ...accepted } as Record<string, boolean>, isAway: false };
  const { username = 'system:serviceaccount:site-1:cappstan-agent', uid = 'uid-1' } = said;
  const status = {
    authenticated: said.authenticated ?? true,
    audiences: said.audiences ?? [GATEWAY_AUDIENCE],
    user: { username, uid },
  };
  const who = identify({
    kube: {
      create: () => {
        reviews += 1;
        return state.isAway ? Promise.reject(new Error('away')) : (Promise.resolve({ status }) as never);
      },
    },
    clusters: {
      get: ({ name }) =>
        name in state.accepted
          ? ({ metadata: { name }, spec: { hubAcceptsClient: state.accepted[name] } } as ManagedCluster &
              KubeObject)
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

test('the renewed token of an agent that has been in is reviewed beside a flood, whatever site that names', async () => {
  const { who, reviews } = door({});
  await who(renewed('site-1', 'former'));
  const invented = Array.from({ length: 200 }, (_, index) => who(renewed(`site-${index + 2}`, `x${index}`)));
  expect(await who(renewed('site-1', 'next'))).toMatchObject({ cluster: 'site-1' });
  // Who names that site as well has no more than its share, and that of strangers.
  const others = Array.from({ length: 200 }, (_, index) => who(renewed('site-1', `y${index}`)));
  await Promise.allSettled([...invented, ...others]);
  expect(reviews()).toBeLessThanOrEqual(2 + 32 + 2 + 32);
  expect(await who(renewed('site-1', 'later'))).toMatchObject({ cluster: 'site-1' });
});
