// The events of a move that waits for the hostname or for checks: that it waits is said once, and that it
// goes on is no news.
import { happeningsOf } from '../../../../activities/hub/status/happenings.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { aCopy, aFinding, aMove, aPlacedState, NOW } from '../../../support/builders/states.ts';

const hostname = { reason: 'NotIssued' as const, message: 'The certificate is not issued.' };

function moving(finding: State['copies'][string]['finding']): State {
  const copies = { 'site-1': aCopy({ finding: aFinding() }), 'site-2': aCopy({ finding }) };
  return aPlacedState({ move: aMove(), copies });
}

const beginning = moving(null);
const waiting = moving(aFinding('Ready', { hostname }));
const goingOn = moving(aFinding());
const order = { key: 'checks', checks: [] };
const unchecked = aPlacedState({
  move: aMove(),
  copies: { 'site-1': aCopy({ finding: aFinding() }), 'site-2': aCopy({ finding: aFinding(), order }) },
});

/** Reason and type of what is told when a Capp whose status is of `before` gets one of `after`. */
function told(before: State, after: State): string[] {
  const at = new Date(NOW).toISOString();
  const conditions = conditionsOf(before, NOW).map((verdict) => ({ ...verdict, lastTransitionTime: at }));
  const capp: Capp = { ...aCapp(), status: { conditions, applicationLinks: { site: 'site-1' } } };
  const publication = { record: null, mirror: null, at: NOW };
  return happeningsOf(capp, after, publication, conditionsOf(after, NOW)).map(
    ({ type, reason }) => `${type} ${reason}`,
  );
}

const without = (finding: ReturnType<typeof aFinding> | null): State =>
  aPlacedState({ copies: { 'site-1': aCopy({ finding }) } });

test.each<[string, State, State, string[]]>([
  ['fails', without(null), without(aFinding('Failed')), ['Warning RolloutFailed']],
  ['ends well after it failed', without(aFinding('Failed')), without(aFinding()), ['Normal Ready']],
  ['ends well', without(null), without(aFinding()), []],
])('a rollout that %s is told only if its condition is not enough', (_, before, after, events) => {
  expect(told(before, after)).toEqual(events);
});

test.each<[string, State, State, string[]]>([
  ['that begins', aPlacedState(), beginning, ['Normal MigrationStarted']],
  ['that begins to wait for a certificate', beginning, waiting, ['Normal MigrationHeld']],
  ['that still waits', waiting, waiting, []],
  ['that goes on when the certificate has come', waiting, goingOn, []],
  ['that begins to wait for its checks', beginning, unchecked, ['Normal MigrationHeld']],
  ['that goes on when its checks have passed', unchecked, goingOn, []],
])('a move %s', (_, before, after, events) => {
  expect(told(before, after)).toEqual(events);
});
