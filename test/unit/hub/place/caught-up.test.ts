// An activity waits for its caches no longer than they need, and not for ever.
import { jest } from '@jest/globals';
import { caughtUp } from '../../../../activities/hub/place/caught-up.ts';
import { HUB_TIMES } from '../../../../activities/hub/times.ts';
import { MARKED_KINDS } from '../../../../workflows/types/ring.ts';

/** A cache that is behind until it is told. */
function aCache(seen: string) {
  const listeners = new Set<() => void>();
  let version = seen;
  return {
    listeners,
    sees: (next: string) => {
      version = next;
      for (const listener of listeners) listener();
    },
    cache: {
      caughtUpWith: (wanted: string) => Number(version) >= Number(wanted),
      onSeen: (listener: () => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  };
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('the wait ends when the last of the caches has seen what is asked for, and no timer is needed for it', async () => {
  const [capps, clusters] = [aCache('4'), aCache('1')];
  const isSo = caughtUp({ capps: capps.cache, clusters: clusters.cache }, { Capp: '5', ManagedCluster: '2' });
  capps.sees('5');
  expect(capps.listeners.size).toBe(1);
  clusters.sees('2');
  expect(await isSo).toBe(true);
  expect([capps.listeners.size, clusters.listeners.size, jest.getTimerCount()]).toEqual([0, 0, 0]);
});

test('a cache that stays behind is waited for until the time is over, and is listened to no more', async () => {
  const { cache, listeners, sees } = aCache('4');
  const isSo = caughtUp({ works: cache }, { ManifestWork: '9' });
  sees('8');
  await jest.advanceTimersByTimeAsync(500);
  expect(await isSo).toBe(false);
  expect(listeners.size).toBe(0);
});

test('kinds that nobody asks about, or that have no cache, are not waited for', async () => {
  const { cache, listeners } = aCache('1');
  expect(await caughtUp({ capps: cache }, { Capp: '1', Placement: '7', ServiceAccount: '7' })).toBe(true);
  expect(listeners.size).toBe(0);
});

/** Kinds whose objects are read live where a cache is older (decision 15). */
const READ_LIVE: ReadonlySet<string> = new Set(['ServiceAccount', 'RoleBinding']);
const CACHES: Readonly<Record<string, string>> = {
  Capp: 'capps',
  RCSConfig: 'configs',
  Placement: 'placements',
  PlacementDecision: 'decisions',
  ManagedCluster: 'clusters',
  ManagedClusterSet: 'clusterSets',
  ManagedClusterSetBinding: 'setBindings',
  Drain: 'drains',
  ManifestWork: 'works',
};

test.each(MARKED_KINDS)('a ring with a version of %s waits for the cache of that kind', async (kind) => {
  const asked: string[] = [];
  const caches = Object.values(CACHES).map((name) => {
    const caughtUpWith = (version: string): boolean => {
      asked.push(`${name} ${version}`);
      return false;
    };
    return [name, { caughtUpWith, onSeen: () => () => undefined }] as const;
  });
  const isSo = caughtUp(Object.fromEntries(caches), { [kind]: '7' });
  await jest.advanceTimersByTimeAsync(HUB_TIMES.cacheLag.ms);
  expect(await isSo).toBe(READ_LIVE.has(kind));
  expect([...new Set(asked)]).toEqual(READ_LIVE.has(kind) ? [] : [`${CACHES[kind]} 7`]);
});
