// What the hub writes of a Capp's status, and when it has nothing to write.
import { hubPart } from '../../activities/hub/status.ts';
import { conditionsOf } from '../../workflows/decide/conditions.ts';
import { aCapp } from '../support/capps.ts';
import { aPlacedState, NOW } from '../support/states.ts';

const state = aPlacedState();
const saying = { state, verdicts: conditionsOf(state, NOW), record: null, at: NOW };
const aside = { type: 'RouteReady', status: 'True', reason: 'Mapped', message: 'm', lastTransitionTime: '2026-03-01T12:00:00Z' } as const;

test('what stands there is not written again, also beside what a site tells besides', () => {
  const status = hubPart(aCapp(), saying)?.status ?? {};
  const { conditions = [] } = status;
  expect(conditions.length).toBeGreaterThan(0);
  expect(hubPart({ ...aCapp(), status }, saying)).toBeNull();
  expect(hubPart({ ...aCapp(), status: { ...status, conditions: [...conditions, aside] } }, saying)).toBeNull();
});

test('what says something else than the hub would is written', () => {
  const status = hubPart(aCapp(), saying)?.status ?? {};
  const [first, ...rest] = status.conditions ?? [];
  if (first === undefined) throw new Error('the hub says nothing');
  const stale = { ...first, message: 'another' };
  expect(hubPart({ ...aCapp(), status: { ...status, conditions: [stale, ...rest] } }, saying)?.status).toEqual(status);
});
