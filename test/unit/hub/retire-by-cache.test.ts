// What a cache may say when a Capp is deleted, and what has to be read all the same.
import { reachableBy, showsAllWorks, standingIn } from '../../../activities/hub/retire/known.ts';
import type { HubCaches } from '../../../activities/hub/caches.ts';
import { CAPP_KEY, CAPP_UID, MANAGED_BY, MANAGED_BY_HUB } from '../../../crds/labels.ts';
import { AVAILABLE } from '../../../crds/ocm/ocm.ts';
import { cappKey } from '../../../crds/ocm/work-identity.ts';
import type { KubeObject } from '../../../kube/resource.ts';

const OWN = { namespace: 'team', name: 'app' };
const claim = (rivals: readonly (string | null)[] = []) => ({ ...OWN, site: 'site-1', rivals });
const work = (metadata: object = {}): KubeObject => ({
  metadata: {
    namespace: 'site-1',
    name: 'mw-create-team-app',
    uid: 'work',
    labels: { [CAPP_KEY]: cappKey(OWN.namespace, OWN.name), [CAPP_UID]: 'uid', [MANAGED_BY]: MANAGED_BY_HUB },
    ...metadata,
  },
});
const named = (...works: readonly KubeObject[]): Pick<HubCaches, 'works'> =>
  ({
    works: { by: (_index: string, name: string) => works.filter((one) => one.metadata.name === name) },
  }) as unknown as Pick<HubCaches, 'works'>;

test('a work of the Capp by name and label can be deleted unread', () => {
  expect(standingIn(named(work()), claim())).toEqual([work()]);
});

test.each<[string, readonly KubeObject[], readonly (string | null)[]]>([
  ['whose label its site took away', [work({ labels: {} })], []],
  ['that is being deleted already, so that it may be gone', [work({ deletionTimestamp: 'now' })], []],
  ['whose name another Capp has as well', [work()], ['site-2']],
  ['beside one that is to be read', [work(), work({ namespace: 'site-2', labels: {} })], []],
])('a work %s is read first', (_, works, rivals) => {
  expect(standingIn(named(...works), claim(rivals))).toEqual([]);
});

test.each([
  [{ ManifestWork: '7' }, '7', true],
  [{ ManifestWork: '7' }, '6', false],
  [{}, '9', false],
])('the cache shows all works only if it is as new as the ring: %j, at %s', (wanted, at, isShown) => {
  const works = { caughtUpWith: (version: string) => Number(at) >= Number(version) };
  expect(showsAllWorks({ works } as unknown as Pick<HubCaches, 'works'>, wanted)).toBe(isShown);
});

test.each<[string, Readonly<Record<string, string>>, string | null, boolean]>([
  ['is available', {}, 'True', true],
  ['is available, as new as the ring', { ManagedCluster: '5' }, 'True', true],
  ['is available, but older than the ring', { ManagedCluster: '6' }, 'True', false],
  ['is not available', {}, 'Unknown', false],
  ['is unknown', {}, null, false],
])('a site that %s by the cache is known to be reachable, or else read', (_, wanted, status, isHere) => {
  const cluster = { metadata: { name: 'site-1' }, status: { conditions: [{ type: AVAILABLE, status }] } };
  const clusters = {
    get: () => (status === null ? undefined : cluster),
    caughtUpWith: (version: string) => Number(version) <= 5,
  };
  const caches = { clusters } as unknown as Pick<HubCaches, 'clusters'>;
  expect(reachableBy(caches, wanted)('site-1')).toBe(isHere);
});
