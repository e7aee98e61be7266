// What the Temporal UI shows of a Capp's workflow: its phase, and what it waits for.
import { describe as details, phaseOf } from '../../../../workflows/capp/conditions/details.ts';
import { nextStep } from '../../../../workflows/capp/next/next-step.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import { aFinding, aPlacedState, aState, MINUTE, NOW } from '../../../support/builders/states.ts';

const refused = { reason: 'MissingReference', message: 'The pod refers to Secret keys.' } as const;

test.each<[string, State]>([
  ['Placing', aState()],
  ['RollingOut', aPlacedState({}, {})],
  ['Ready', aPlacedState()],
  ['Degraded', aPlacedState({ refused })],
  ['Degraded', aPlacedState({}, { finding: aFinding('Failed') })],
  ['Degraded', aPlacedState({}, { deadline: NOW })],
  ['Paused', aPlacedState({ paused: true })],
  ['Deleting', aPlacedState({ retiring: true })],
])('the phase is %s', (phase, state) => {
  expect(phaseOf(state, NOW)).toBe(phase);
});

test.each<[string, State]>([
  ['site-1 to make generation 1 Ready, until 2026-03-01T12:09:00Z', aPlacedState({}, {})],
  ['a decision (NoDecision)', aState({ placing: { reason: 'NoDecision', message: '' } })],
  ['a change of the Capp or of what it refers to (MissingReference)', aPlacedState({ refused })],
  [
    'the next try at 2026-03-01T12:01:00Z, or any change',
    aPlacedState({ backoff: { until: NOW + MINUTE, tries: 1, ringsHeard: 1 } }),
  ],
  [
    'site-1 to remove its copy',
    aPlacedState({ retiring: true, leaving: { 'site-1': { since: NOW, lookedAtRing: 1 } } }),
  ],
  [
    'site-1, site-2 to remove its copy, or annotation `rcs.dana.io/abandon: site-2` to abandon the copy that may still run there',
    aPlacedState({
      retiring: true,
      leaving: {
        'site-1': { since: NOW, lookedAtRing: 1 },
        'site-2': { since: NOW, lookedAtRing: 1, lost: 'Gone' },
      },
    }),
  ],
  ['a change of the Capp, of what it refers to, or of its site', aPlacedState()],
])('the Temporal UI shows that the workflow waits for: %s', (text, state) => {
  expect(details(state, nextStep(state, NOW), NOW)).toContain(`Waits for: ${text}\n`);
});
