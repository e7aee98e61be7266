// What becomes of a decision when others write between the read on which it rests and the write, or when what
// has to be read is not there for a moment; and whose tokens and Secrets are taken away.
import { tokenKey } from '../../../../crds/join/bootstrap-token.ts';
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { FOR_CLUSTER, FOR_UID, JOIN_TOKEN } from '../../../../crds/join/labels.ts';
import { ALLOW_WIPE } from '../../../../crds/metal/labels.ts';
import { ApiError } from '../../../../kube/failure.ts';
import type { KubeRequest } from '../../../../kube/http/transport.ts';
import { NAMESPACE, SITE } from '../../../support/builders/metal/chain-hub.ts';
import { ChainWorld } from '../../../support/builders/metal/chain-world.ts';

/** A world in which this happens once, just before a request that it is for. */
function before(options: { readonly workers: number }, is: (request: KubeRequest) => boolean): Meanwhile {
  const state: { happens: (() => void) | null } = { happens: null };
  const world = new ChainWorld({
    way: (request, send) => {
      const { happens } = state;
      if (happens !== null && is(request)) {
        state.happens = null;
        happens();
      }
      return send();
    },
  });
  world.asks(options.workers);
  return { world, once: (happens) => void (state.happens = happens), isOver: () => state.happens === null };
}

interface Meanwhile {
  readonly world: ChainWorld;
  readonly once: (happens: () => void) => void;
  readonly isOver: () => boolean;
}

test('while the hub serves no BareMetalHosts for a moment, a deletion detaches nothing and lets no finalizer go', async () => {
  let isServed = true;
  const world = new ChainWorld({
    way: (request, send) => {
      const { method, path } = request;
      if (!isServed && path.includes('/baremetalhosts'))
        throw new ApiError({ method, path, code: 404, reason: 'NotFound' });
      return send();
    },
  });
  world.asks(1);
  await world.ready();
  isServed = false;
  world.delete();
  await world.live(5);
  expect(world.condition('HostsReserved')).toBe('False NoBareMetalHosts');
  expect(world.condition('Ready')).toBe('False UnableToDecommission');
  expect(world.managed()?.metadata.deletionTimestamp).toBeUndefined();
  isServed = true;
  await world.gone();
  expect(world.left()).toEqual([]);
});

test('a host that somebody claims just before it is wiped is not wiped', async () => {
  const isWipe = ({ method, path, body }: KubeRequest): boolean =>
    method === 'PATCH' && path.includes('/baremetalhosts/b') && /image\\?":null/.test(JSON.stringify(body));
  const { world, once, isOver } = before({ workers: 1 }, isWipe);
  await world.ready();
  const consumerRef = { kind: 'Metal3Machine', namespace: 'others', name: 'm' };
  once(() => world.editHost('b', (host) => ({ ...host, spec: { ...host.spec, consumerRef } })));
  world.wants(0);
  world.annotate(ALLOW_WIPE, 'metal/b');
  await world.live(5);
  expect(isOver()).toBe(true);
  expect(world.running).toContain('metal/b');
});

test('a site that comes just before it is detached is drained first', async () => {
  const isDetach = ({ method, path }: KubeRequest): boolean =>
    method === 'DELETE' && path.includes(`/managedclusters/${SITE}`);
  const { world, once, isOver } = before({ workers: 1 }, isDetach);
  await world.look();
  await world.look();
  once(() => world.editManaged((one) => ({ ...one, spec: { ...one.spec, hubAcceptsClient: true } })));
  world.delete();
  await world.gone();
  expect(isOver()).toBe(true);
  expect(world.happened.filter((one) => one.startsWith(SITE))).toEqual([
    `${SITE} is expected`,
    `${SITE} is drained`,
    `${SITE} is detached`,
  ]);
});

test('a token of another cluster is not taken away, though somebody names it on the ManagedCluster', async () => {
  const world = new ChainWorld({ hosts: ['a'], moods: { slow: 1_000 } });
  const key = tokenKey('zzzzzz');
  const annotations = { [FOR_CLUSTER]: 'other', [FOR_UID]: 'other-uid' };
  world.server.put<Secret>(SECRET, key, () => ({ metadata: { ...key, annotations } }));
  world.asks(0);
  await world.look();
  await world.look();
  world.editManaged(({ metadata, ...one }) => ({
    ...one,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [JOIN_TOKEN]: 'zzzzzz' } },
  }));
  world.now += 80 * 60_000;
  await world.look();
  world.delete();
  await world.until(() => world.happened.includes(`${SITE} is detached`));
  expect(world.server.read(SECRET, key)).not.toBeNull();
});

test('a Secret of somebody else in the place of user data is neither read by Metal³, written nor taken away', async () => {
  const world = new ChainWorld({ hosts: ['a'] });
  const key = { namespace: NAMESPACE, name: 'a-cappstan-userdata' };
  const theirs = { metadata: key, data: { userData: 'dGhlaXJz' } };
  world.server.put<Secret>(SECRET, key, () => theirs);
  world.asks(0);
  await world.live(5);
  expect(world.condition('Provisioned')).toBe('False BadUserData');
  expect(world.hosts()[0]?.spec?.userData).toBeUndefined();
  world.delete();
  await world.gone();
  expect(world.server.read(SECRET, key)).toMatchObject(theirs);
});
