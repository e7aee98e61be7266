// A set on 250 sites whose canary starts, is Ready, and answers 500: by the real turns on simulated sites,
// and the real verdict on what an agent counts of such an app.
import { jest } from '@jest/globals';
import { nothingMeasured } from '../../../workflows/types/verification.ts';
import { aTemplate, imageOf } from '../../support/builders/fleet/sets.ts';
import { setTurns } from '../../support/testbeds/fleet/set-turns.ts';
import { setWorld } from '../../support/testbeds/fleet/set-world.ts';

const SITES = Array.from({ length: 250 }, (_, index) => `edge-${String(index).padStart(3, '0')}`);
const CANARY = {
  name: 'canary',
  sites: { count: 1 },
  verify: [{ name: 'answers', http: { path: '/healthz', expect: 'status == 200' } }],
};

beforeEach(() => void jest.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') }));
afterEach(() => void jest.useRealTimers());

/** How many Capps have the second revision after an hour, where the app answers with this status. */
async function reached(status: 200 | 500) {
  const is = status === 200 ? 'Successful' : 'Failed';
  const last = [{ at: Date.now(), is, says: `status ${status}` } as const];
  const figures = { ...nothingMeasured('answers'), last };
  const world = setWorld({
    clusters: SITES,
    spec: { placement: 'all', template: aTemplate('one'), strategy: { maxConcurrent: '100%' } },
    readyAfterMs: 1_000,
    counted: () => [status === 200 ? { ...figures, successful: 3 } : { ...figures, failed: 1 }],
    ring: () => undefined,
  });
  world.select('all', SITES);
  const live = setTurns(world);
  await live(30_000);
  const stages = [CANARY, { name: 'rest' }];
  world.edit({ template: aTemplate('two'), strategy: { stages, maxConcurrent: '100%' } });
  await live(3_600_000);
  const changed = [...world.capps.values()].filter((capp) => imageOf(capp) === 'two').length;
  return { changed, progressing: world.set.status?.conditions?.find(({ type }) => type === 'Progressing') };
}

test('a canary that answers 500 stops a rollout of 250 sites at one, and says so', async () => {
  const { changed, progressing } = await reached(500);
  expect(changed).toBe(1);
  expect(progressing).toMatchObject({ status: 'False', reason: 'SitesFailed' });
  expect(progressing?.message).toMatch(
    /Check answers failed on edge-\d+: .* status 500, where status == 200 is expected/,
  );
});

test('a canary that answers 200 lets all 250 follow', async () => {
  expect((await reached(200)).changed).toBe(SITES.length);
});
