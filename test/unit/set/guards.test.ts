// What keeps a turn of a set from deleting or writing a Capp, whatever the plan says.
import { jest } from '@jest/globals';
import { shipAll } from '../../../activities/hub/set/carry-out.ts';
import type { RolloutMemory } from '../../../workflows/stages/memory.ts';
import { aSet, aTemplate } from '../../support/builders/fleet/sets.ts';
import { setWorld } from '../../support/testbeds/fleet/set-world.ts';
import { turningSets } from '../../support/testbeds/fleet/turning.ts';

beforeEach(() => void jest.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') }));
afterEach(() => void jest.useRealTimers());

function began(clusters: readonly string[]) {
  const world = setWorld({
    clusters,
    spec: { strategy: { maxConcurrent: '100%' } },
    readyAfterMs: 1,
    ring: () => undefined,
  });
  let memory: RolloutMemory | null = null;
  const look = async (isAgain = false): Promise<void> => {
    const ref = { kind: 'CappSet', namespace: 'apps', name: 'many' } as const;
    const turned = await turningSets(world.options).turnFleet(ref, {
      memory,
      minimumVersions: {},
      most: 100,
      isAgain,
    });
    if (turned.outcome !== 'Turned') throw new Error(turned.outcome);
    memory = turned.memory;
    await jest.advanceTimersByTimeAsync(20_000);
  };
  const said = () => world.set.status?.failing?.map(({ site, reason }) => `${site} ${reason}`) ?? [];
  return { world, look, said };
}

test('a Capp on a site that is selected, and that the hub does not know at present, stays', async () => {
  const { world, look, said } = began(['a', 'b']);
  await look();
  world.forget('b');
  await look();
  await look();
  expect([...world.capps.keys()].toSorted()).toEqual(['many-a', 'many-b']);
  expect(said()).toEqual(['b UnknownSite']);
});

test('the last Ready Capp waits when the one that replaces it gets another revision in the same moment', async () => {
  const { world, look } = began(['a', 'b']);
  await look();
  await look();
  world.edit({ sites: { clusters: ['b'] }, template: aTemplate('app:next') });
  await look();
  expect([...world.capps.keys()].toSorted()).toEqual(['many-a', 'many-b']);
  await look();
  expect([...world.capps.keys()]).toEqual(['many-b']);
});

test('a paused set deletes no Capp of a site that is no longer named, and does so when it goes on', async () => {
  const { world, look } = began(['a', 'b']);
  await look();
  await look();
  world.edit({ paused: true, sites: { clusters: ['a'] } });
  await look();
  await look();
  expect([...world.capps.keys()].toSorted()).toEqual(['many-a', 'many-b']);
  world.edit({ paused: false });
  await look();
  expect([...world.capps.keys()]).toEqual(['many-a']);
});

test('a Capp on a site that is no longer named stays where the set says that it is to be kept', async () => {
  const { world, look } = began(['a', 'b']);
  await look();
  await look();
  world.edit({ whenUnselected: 'Keep', sites: { clusters: ['a'] } });
  await look();
  await look();
  expect([...world.capps.keys()].toSorted()).toEqual(['many-a', 'many-b']);
  world.edit({ whenUnselected: 'Remove' });
  await look();
  expect([...world.capps.keys()]).toEqual(['many-a']);
});

test("somebody's own Capp with the name of one of the set's is not written, turn after turn, and that is said", async () => {
  const { world, look, said } = began(['a', 'b']);
  world.mark('many-a', { uid: 'theirs' });
  await look();
  await look();
  await look();
  expect(world.capps.get('many-a')?.metadata).toMatchObject({ uid: 'theirs' });
  expect([world.writes.capps, said()]).toEqual([1, ['a NameTaken']]);
});

/** A Capp of somebody else in the namespace of the set. */
const theirs = { uid: 'theirs', name: 'theirs', namespace: 'apps' };

test('a turn that reads all Capps of the namespace once more removes none that is of somebody else', async () => {
  const { world, look } = began(['a']);
  await look();
  world.mark('theirs', theirs);
  await look(true);
  await look(true);
  expect([...world.capps.keys()].toSorted()).toEqual(['many-a', 'theirs']);
});

test('a set that is deleted deletes its own Capps, and none that is of somebody else', async () => {
  const { world, look } = began(['a', 'b']);
  await look();
  world.mark('theirs', theirs);
  const { metadata } = world.set;
  world.set = { ...world.set, metadata: { ...metadata, deletionTimestamp: '2026-03-01T12:00:00Z' } };
  await look();
  expect([...world.capps.keys()]).toEqual(['theirs']);
});

test('a Capp that is being deleted is neither written nor refused, even where the plan names its site', async () => {
  const set = aSet('many', { template: aTemplate('app:{{label:zone}}') });
  const child = { metadata: { name: 'many-a', deletionTimestamp: '2026-03-01T12:00:00Z' } };
  const order = {
    kube: {},
    set,
    now: 0,
    most: 100,
    look: {
      plan: { advance: [{ cluster: 'a', revision: 'abc' }] },
      members: [{ site: { cluster: 'a', labels: {} }, name: 'many-a', child, isTaken: false }],
      memory: { refused: {}, rollout: { revision: 'abc' } },
    },
  };
  expect([...(await shipAll(order as never)).values()]).toEqual([{ is: 'waits', refusal: null }]);
});

test('a Capp that is being deleted is not written, and is written when it is gone', async () => {
  const { world, look, said } = began(['a']);
  await look();
  world.mark('many-a', { deletionTimestamp: '2026-03-01T12:00:00Z' });
  world.edit({ template: aTemplate('app:{{label:zone}}') });
  await look();
  expect([world.writes.capps, said()]).toEqual([1, ['a Deleting']]);
  world.mark('many-a', null);
  world.edit({ template: aTemplate('app:2') });
  await look();
  expect(world.writes.capps).toBe(2);
});
