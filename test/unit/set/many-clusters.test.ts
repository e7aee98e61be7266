// A set on 250 sites that a Placement selects, by the real turns on simulated sites: a rollout in stages,
// clusters that lose their label nine by nine, another Placement, and an approval that is used twice.
import { jest } from '@jest/globals';
import { APPROVE_REMOVAL } from '../../../crds/labels.ts';
import { aTemplate, imageOf } from '../../support/builders/fleet/sets.ts';
import { setTurns } from '../../support/testbeds/fleet/set-turns.ts';
import { setWorld } from '../../support/testbeds/fleet/set-world.ts';

const SITES = Array.from({ length: 250 }, (_, index) => `edge-${String(index).padStart(3, '0')}`);
const MINUTE = 60_000;
/** A tenth of them, which may go within ten minutes without asking. */
const TENTH = 25;

beforeEach(() => void jest.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') }));
afterEach(() => void jest.useRealTimers());

/** On the first `count` sites, Ready. */
async function begun(count = SITES.length) {
  const world = setWorld({
    clusters: SITES,
    spec: {
      placement: 'all',
      template: aTemplate('one'),
      strategy: { maxConcurrent: '100%' },
    },
    readyAfterMs: 1_000,
    ring: () => undefined,
  });
  world.select('all', SITES.slice(0, count));
  const live = setTurns(world);
  const on = (): string[] => [...world.capps.keys()].map((name) => name.replace('many-', '')).toSorted();
  const approve = (value: string): void => {
    const { metadata } = world.set;
    world.set = { ...world.set, metadata: { ...metadata, annotations: { [APPROVE_REMOVAL]: value } } };
  };
  await live(30_000);
  if (on().length !== count) throw new Error(JSON.stringify(world.set.status?.conditions));
  return { world, live, on, approve };
}

const without = (from: number, to: number): string[] =>
  SITES.filter((_, index) => index < from || index >= to);

test('a revision goes to ten canaries first and then to 25 sites at once', async () => {
  const { world, live } = await begun();
  world.edit({
    template: aTemplate('two'),
    strategy: { stages: [{ name: 'canary', sites: { count: 10 } }, { name: 'rest' }], maxConcurrent: TENTH },
  });
  const written = world.writes.capps;
  await live(15_000);
  const changed = [...world.capps.values()].filter((capp) => imageOf(capp) === 'two');
  expect(changed).toHaveLength(10);
  await live(10 * MINUTE);
  expect([...world.capps.values()].every((capp) => imageOf(capp) === 'two')).toBe(true);
  expect(world.writes.capps - written).toBe(SITES.length);
  expect(world.set.status?.readySites).toBe('250/250');
});

test('of clusters that lose their label nine by nine a tenth go within any ten minutes, and the rest ask a person', async () => {
  const { world, live, on } = await begun();
  const gone: number[] = [];
  for (let step = 1; step <= 5; step += 1) {
    world.select('all', without(0, 9 * step));
    const before = on().length;
    await live(MINUTE);
    gone.push(before - on().length);
  }
  expect(gone).toEqual([9, 9, 0, 0, 0]);
  expect(world.set.status?.heldRemoval?.count).toBe(27);
  expect(world.set.status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'Stalled', status: 'True', reason: 'RemovalHeld' }),
  );
});

test('an approval counts once, for the nine that it names, also when they come back and go again', async () => {
  const { world, live, on, approve } = await begun();
  world.select('all', without(0, 60));
  await live(MINUTE);
  expect(on()).toHaveLength(SITES.length);
  world.select('all', without(0, 59));
  await live(MINUTE);
  const { set = '', count = 0 } = world.set.status?.heldRemoval ?? {};
  expect(count).toBe(59);
  approve(`9#${set}`);
  await live(MINUTE);
  expect(on()).toEqual(SITES.slice(9));
  // The annotation lingers, and a script writes it once more.
  world.select('all', SITES);
  await live(MINUTE);
  world.select('all', without(0, 59));
  await live(MINUTE);
  approve('');
  await live(MINUTE);
  approve(`9#${set}`);
  await live(MINUTE);
  expect(on()).toHaveLength(SITES.length);
});

test('another Placement takes nothing away, be its number smaller or its sites others', async () => {
  const { world, live, on } = await begun(130);
  world.select('all', SITES.slice(0, 130), 130);
  await live(MINUTE);
  world.select('other', SITES.slice(130), 120);
  world.edit({ placement: 'other' });
  await live(2 * MINUTE);
  expect(on()).toHaveLength(SITES.length);
  expect(world.set.status?.heldRemoval?.count).toBe(130);
});
