// What the registrar counts as ten minutes without a way, round after round. The API server is a fake, since
// no real one goes away at a given moment of a given clock; so is the clock.
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../kube/client.ts';
import type { Resource } from '../../../kube/resource.ts';
import { clusterSecret, secretNameOf } from '../../../registrar/cluster.ts';
import { startRegistrar } from '../../../registrar/registrar.ts';
import { aTokenOf } from '../../support/builders/registrar.ts';

const RULES = { namespace: 'argocd', account: 'argocd', userServer: 'https://user-server', noWayMs: 600_000 };
const AUTHORITY = 'PEM';
const SITE = { site: 'site-1', labels: {}, token: aTokenOf('argocd') };
const CLUSTER: Secret = {
  metadata: {
    name: secretNameOf('site-1'),
    uid: 'u',
    resourceVersion: '7',
    labels: clusterSecret({ ...SITE, ...RULES, authority: AUTHORITY }).labels,
  },
};

/** When a round begins, in minutes, and what it finds: no tunnel, or no API server. */
type Turn = readonly [minutes: number, finds: 'no tunnel' | 'nobody'];

/** In which minutes the Secret was removed, and how often it was said that it will be. */
async function after(turns: readonly Turn[]): Promise<{ removed: readonly number[]; said: number }> {
  const removed: number[] = [];
  let [said, at] = [0, -1];
  const turn = (): Turn => turns[at] ?? [0, 'nobody'];
  const kube = {
    within: () => kube,
    list: (resource: Resource, { namespace }: { readonly namespace?: string }) => {
      if (turn()[1] === 'nobody') return Promise.reject(new Error('away'));
      if (resource === SECRET && namespace !== undefined) return Promise.resolve({ items: [CLUSTER] });
      const site = { metadata: { name: 'site-1' }, spec: { hubAcceptsClient: true } };
      return Promise.resolve({ items: resource === MANAGED_CLUSTER ? [site] : [] });
    },
    remove: () => Promise.resolve(removed.push(turn()[0]) > 0),
  };
  const allBegun = Promise.withResolvers<undefined>();
  const registrar = startRegistrar(kube as unknown as Kube, {
    ...RULES,
    lookMs: 0,
    now: () => {
      at += 1;
      if (at >= turns.length) allBegun.resolve(undefined);
      return turn()[0] * 60_000;
    },
    authority: () => Promise.resolve(AUTHORITY),
    onDone: () => undefined,
    onError: () => undefined,
    onFailed: () => undefined,
    onRemark: (_site, remark) => void (said += remark.includes('its Secret goes once') ? 1 : 0),
  });
  await allBegun.promise;
  await registrar.stop();
  return { removed, said };
}

const bad = (...minutes: readonly number[]): readonly Turn[] => minutes.map((one) => [one, 'no tunnel']);
const MINUTES = Array.from({ length: 11 }, (_, one) => one);

test('ten minutes of rounds that all see no tunnel remove the Secret, and say once that it will go', async () => {
  expect(await after(bad(...MINUTES))).toEqual({ removed: [10], said: 1 });
});

test('minutes in which the API server was away do not count, and what is missing counts from the beginning again', async () => {
  const away: readonly Turn[] = [1, 2].map((one) => [one, 'nobody']);
  expect(await after([...bad(0), ...away, ...bad(3, 4, 5, 6, 7, 8, 9, 10, 11, 12)])).toEqual({
    removed: [],
    said: 1,
  });
});

test('a round that fails now and then keeps no Secret for ever, and has nothing said twice', async () => {
  const away: readonly Turn[] = [[1, 'nobody']];
  expect(await after([...bad(0), ...away, ...bad(2, 3, 4, 5, 6, 7, 8, 9, 10)])).toEqual({
    removed: [10],
    said: 1,
  });
});

test('minutes in which nobody looked do not count', async () => {
  expect(await after(bad(0, 11))).toEqual({ removed: [], said: 1 });
  expect(await after(bad(0, 2.1, ...MINUTES.map((one) => one + 3)))).toEqual({ removed: [13], said: 1 });
});
