// The strategy of a rollout, as users write it.
import { Strategy } from '../../../crds/rollout/stages.ts';
import { structural } from '../../../crds/definitions/structural.ts';

test('an empty strategy has every default', () => {
  expect(Strategy.parse({})).toEqual({
    maxConcurrent: '25%',
    maxFailures: 0,
    soakSeconds: 0,
    deadlineSeconds: 900,
    offline: 'Later',
    onFailure: 'Pause',
  });
});

test('a strategy has a structural schema', () => {
  expect(structural(Strategy)).toMatchObject({ type: 'object' });
});

const WINDOW = { days: ['Mon'], from: '22:00', to: '04:00', timeZone: 'Europe/Berlin' };

test.each([
  { field: 'maxConcurrent', strategy: { maxConcurrent: 0 } },
  { field: 'maxConcurrent', strategy: { maxConcurrent: '0%' } },
  { field: 'maxConcurrent', strategy: { maxConcurrent: '101%' } },
  { field: 'maxFailures', strategy: { maxFailures: 'two' } },
  { field: 'stages.0.sites.percent', strategy: { stages: [{ name: 'a', sites: { percent: 101 } }] } },
  { field: 'stages.0.name', strategy: { stages: [{ name: 'A b' }] } },
  { field: 'windows.0.timeZone', strategy: { windows: [{ ...WINDOW, timeZone: 'Mars/Olympus' }] } },
  { field: 'windows.0.from', strategy: { windows: [{ ...WINDOW, from: '24:00' }] } },
])('$strategy is refused for $field', ({ field, strategy }) => {
  const { error } = Strategy.safeParse(strategy);
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([field]);
});

test.each([
  { maxFailures: '0%' },
  { maxConcurrent: '100%' },
  { windows: [WINDOW] },
  { windows: [{ ...WINDOW, to: '24:00' }] },
])('%j is accepted', (strategy) => {
  expect(Strategy.safeParse(strategy).success).toBe(true);
});
