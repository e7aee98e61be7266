// A hub starts on an etcd of somebody else's only where its own objects are, or none.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HubStore } from '../../../../deploy/hub/store/store.ts';
import { checkStore, lastMomentIn, rememberMoment, wentBack } from '../../../../deploy/hub/store/whose.ts';

const etcd = { mode: 'external', prefix: '/a', servers: ['https://etcd-1:2379'], tls: null } as const;
const moment = { newestLease: 100 };
const held = (part: Partial<HubStore>): HubStore => ({ ...moment, hub: null, isEmpty: false, ...part });
const fresh = { version: 1, etcd, id: 'ours', authority: null } as const;
const old = { ...fresh, authority: 'sha256:1' } as const;
const { id: _, ...nameless } = old;

test.each([
  ['nothing, and the hub is new', held({ isEmpty: true }), null],
  ['nothing, and the hub has begun', held({ isEmpty: true }), fresh],
  ['what this hub has stored', held({ hub: 'ours' }), old],
  ['what a hub that an earlier program has made has stored', held({}), nameless],
])('it starts where there is %s', (_what, store, made) => {
  expect(checkStore(etcd, store, made)).toEqual([]);
});

test.each([
  ['another hub’s objects', held({ hub: 'theirs' }), null, 'is another hub’s. Give another etcd.prefix'],
  ['another hub’s, for a hub with objects', held({ hub: 'theirs' }), old, 'is another hub’s'],
  ['another hub’s, for one without a name', held({ hub: 'theirs' }), nameless, 'is another hub’s'],
  ['objects of nobody known', held({}), null, 'is the objects of an API server already'],
  ['objects of nobody known, before it has any', held({}), fresh, 'the objects of an API server already'],
  [
    'nothing, though it has objects',
    held({ isEmpty: true }),
    old,
    'is empty, and this hub has objects. Give the servers that it had',
  ],
])('it is refused where there is %s', (_what, store, made, said) => {
  expect(() => checkStore(etcd, store, made)).toThrow(said);
  expect(() => checkStore(etcd, store, made)).toThrow(
    /^etcd\.servers \(--etcd-servers\): what is below \/a in the etcd at https:\/\/etcd-1:2379 is /,
  );
});

test('where nobody can look it starts with a warning that names the flag', () => {
  expect(checkStore(etcd, null, old)).toEqual([
    expect.stringContaining('Start etcd without --enable-grpc-gateway=false.'),
  ]);
});

test.each([
  ['an earlier', 99, true],
  ['no', 0, true],
  ['the same', 100, false],
  ['a later', 101, false],
])('etcd with %s newest lease than at the last look went back: %s', (_what, newestLease, isBack) => {
  expect(wentBack({ newestLease }, moment)).toBe(isBack);
});

test('what was never looked at did not go back, and a look is remembered', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'whose-etcd-'));
  try {
    expect(wentBack(moment, await lastMomentIn(dir))).toBe(false);
    rememberMoment(dir, held({ hub: 'ours' }));
    expect(await lastMomentIn(dir)).toEqual(moment);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
