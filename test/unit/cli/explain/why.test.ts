// What `kubectl capp why` says of Capps whose status the hub has written from a state of their workflow.
import { hubPart } from '../../../../activities/hub/status/status.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { DecisionRecord } from '../../../../crds/capp/decision.ts';
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import type { PlacementInputs } from '../../../../workflows/placement/inputs.ts';
import { describeNone } from '../../../../workflows/placement/no-candidate.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import { freshnessOf } from '../../../../cli/explain/capp/phase.ts';
import { explain } from '../../../../cli/explain/capp/why.ts';
import { untilIn } from '../../../../cli/explain/finding.ts';
import { whyText } from '../../../../cli/commands/why.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import {
  aCopy,
  aFinding,
  aLeave,
  aMove,
  aPlacedState,
  aState,
  MINUTE,
  NOW,
} from '../../../support/builders/states.ts';
import { NO_COLOURS } from '../../../support/builders/process/terminals.ts';

function publishedBy(state: State, record: DecisionRecord | null = null): Capp {
  const capp = aCapp();
  const part = hubPart(capp, { state, verdicts: conditionsOf(state, NOW), record, at: NOW });
  return { ...capp, status: part ?? {} };
}

const why = (state: State, record: DecisionRecord | null = null): string =>
  whyText(explain(publishedBy(state, record), NOW), { now: NOW + MINUTE, colours: NO_COLOURS });

const RECORD: DecisionRecord = {
  at: new Date(NOW).toISOString(),
  cluster: 'site-1',
  reason: 'Chosen',
  placement: 'all',
  candidates: [
    { cluster: 'site-1', score: 42, capps: 7 },
    { cluster: 'site-2', score: -3, capps: 0 },
  ],
  excluded: [{ reason: 'Avoided', count: 5, examples: ['site-3', 'site-4', 'site-5'] }],
};

test('of a Capp that is well it shows who was considered, by what who was left out, the scores and the winner', () => {
  expect(why(aPlacedState(), RECORD)).toBe(`apps/app is on site-1, and nothing is missing.

site-1 was chosen by placement all, 60s ago (Chosen): A placement has chosen the site.
SITE         SCORE   CAPPS   OUTCOME     WHY NOT
site-1       42      7       chosen      -
site-2       -3      0       candidate   -
site-3       -       -       excluded    failed this Capp a short while ago, and is avoided for ten minutes
site-4       -       -       excluded    failed this Capp a short while ago, and is avoided for ten minutes
site-5       -       -       excluded    failed this Capp a short while ago, and is avoided for ten minutes
and 2 more   -       -       excluded    failed this Capp a short while ago, and is avoided for ten minutes`);
});

test('of a rollout it says what is waited for, and until when', () => {
  expect(why(aPlacedState({}, {}))).toBe(`apps/app is on site-1.

Applied=Unknown (Applying), since 60s
  means  This generation is on its way to the site.
  says   Sent to site-1, which has until 2026-03-01T12:09:00Z to make it Ready.
  until  2026-03-01T12:09:00Z (in 8m)
  helps  Nothing has to be done: it goes on by itself.
  run    kubectl capp watch app -n apps`);
});

test('of a choice that found no site it says why each was left out', () => {
  const state = aState({ placing: { reason: 'NoCandidate', message: 'site-3 failed this Capp.' } });
  const text = why(state, { ...RECORD, cluster: null, reason: 'NoCandidate', candidates: [] });
  expect(text).toContain('apps/app is on no site.');
  expect(text).toContain('Placed=False (NoCandidate)');
  expect(text).toContain('No site could be chosen by placement all, 60s ago (NoCandidate)');
  expect(text).toMatch(/^site-3 .+ excluded +failed this Capp/m);
});

test('of a site that does not fit it says which expression of spec.requires does not hold there', () => {
  const failed = 'label region In (eu)';
  const excluded = [{ reason: 'Unfit' as const, count: 1, examples: ['site-9'], failed }];
  expect(why(aPlacedState(), { ...RECORD, excluded })).toMatch(
    /^site-9 .+ excluded +does not fit spec\.requires: label region In \(eu\)$/m,
  );
});

test('of a Capp that should leave and does not it names the gate and the time', () => {
  const leave = aLeave({ reason: 'Tainted', message: 'site-1 is tainted NoSelect', to: 'site-2' });
  const state = aPlacedState({
    leave: { ...leave, terms: { ...leave.terms, cooldownMs: 10 * MINUTE } },
    movedAt: NOW - 2 * MINUTE,
  });
  const [finding, ...more] = explain(publishedBy(state), NOW).findings;
  expect(more).toEqual([]);
  expect(finding).toMatchObject({
    condition: 'Migrating',
    reason: 'CoolDown',
    until: '2026-03-01T12:08:00Z',
  });
  expect(finding?.command).toBe('kubectl capp move app -n apps');
});

test.each<[string, Partial<State>, string]>([
  ['the new copy has', { move: aMove() }, '2026-03-01T12:10:00Z'],
  [
    'the reason to leave must hold',
    { leave: aLeave({ terms: { ...aLeave().terms, holdMs: 5 * MINUTE } }) },
    '2026-03-01T12:05:00Z',
  ],
])('of a Capp that moves or is to move it names the time that %s', (_, state, until) => {
  expect(explain(publishedBy(aPlacedState(state)), NOW).findings.at(-1)?.until).toBe(until);
});

test('of an unhealthy Capp that a move did not heal it repeats once what both sites say, and what helps', () => {
  const message = 'A move did not heal it. site-1: RolloutFailed: It exits. site-2: Deploying: It starts.';
  const stays = { reason: 'Unhealed', message } as const;
  const text = why(aPlacedState({ stays }, { finding: aFinding('Failed') }));
  expect(text.split(message)).toHaveLength(2);
  expect(text).toContain('Read what both sites say and correct the Capp, or ask for a move.');
});

test('of a site that the hub has not accepted it gives the command that accepts this very site', () => {
  const excluded = [{ reason: 'NotAccepted', count: 1, examples: ['site-7'] }] as const;
  const message = describeNone(
    'NotAccepted',
    { placementsNamespace: 'placements' } as PlacementInputs,
    excluded,
  );
  const [finding] = explain(
    publishedBy(aState({ placing: { reason: 'NotAccepted', message } })),
    NOW,
  ).findings;
  expect(finding?.command).toContain('kubectl patch managedcluster site-7 ');
});

test('of a move that needs a person it gives the command with the very site', () => {
  const move = aMove({ reason: 'SiteLost', strategy: 'Recreate', message: 'site-1 is lost' });
  const state = aPlacedState({ move, unreachable: ['site-1'] });
  const found = explain(publishedBy(state), NOW).findings.find(
    ({ reason }) => reason === 'AwaitsConfirmation',
  );
  expect(found?.command).toBe('kubectl capp move app site-2 --force -n apps');
});

test('of a move that waits for a certificate it gives the time, what is lacking, and the command that does not wait', () => {
  const hostname = { reason: 'NotIssued' as const, message: 'The certificate is not issued.' };
  const copies = {
    'site-1': aCopy({ finding: aFinding() }),
    'site-2': aCopy({ finding: aFinding('Ready', { hostname }) }),
  };
  const [found] = explain(publishedBy(aPlacedState({ move: aMove(), copies })), NOW).findings;
  expect(found).toMatchObject({ reason: 'AwaitsHostname', until: '2026-03-01T12:10:00Z' });
  expect(found?.message).toContain('The certificate is not issued.');
  expect(found?.command).toBe('kubectl capp move app site-2 --force -n apps');
});

test('of a DNS record that a site may not have it says why, and who can help', () => {
  const said = { reason: 'TargetRefused' as const, message: 'site-1 says that DNS records lead to x.org.' };
  const times = { syncedAt: null, ttlMs: 0, retryAt: 0, tries: 1 };
  const dns = { cluster: 'site-1', isDue: false, isThere: false, said, ...times };
  const [found, ...more] = explain(publishedBy(aPlacedState({ dns })), NOW).findings;
  expect(more).toEqual([]);
  expect(found).toMatchObject({ condition: 'RecordReady', status: 'False', reason: 'TargetRefused' });
  expect(found?.remedy).toContain('dns.allowedTargets');
  expect(found?.command).toBe('kubectl get managedcluster site-1 -o yaml');
});

test('of a Capp that is being deleted it names every lost site in the command that gives its copy up', () => {
  const lost = { since: NOW, lookedAtRing: 1, lost: 'Gone' as const };
  const state = aState({ retiring: true, leaving: { 'site-1': lost, 'site-2': lost } });
  const capp = publishedBy(state);
  const going = { ...capp, metadata: { ...capp.metadata, deletionTimestamp: new Date(NOW).toISOString() } };
  const [finding, ...more] = explain(going, NOW).findings;
  expect(more).toEqual([]);
  expect(finding?.command).toBe('kubectl capp abandon app site-1 site-2 -n apps');
});

test('of a failed rollout it repeats the words of the site and says when the deadline passed', () => {
  const finding = aFinding('Failed', { message: 'CrashLoopBackOff \u001b[2J' });
  const text = why(aPlacedState({}, { finding, deadline: NOW - MINUTE }));
  expect(text).toContain('Available=False (RolloutFailed)');
  expect(text).toContain('says   CrashLoopBackOff  [2J\n');
  expect(text).toContain('Stalled=True (DeadlinePassed)');
});

test('of a generation that nobody has looked at it says so, and that of the last move', () => {
  const capp = publishedBy(
    aPlacedState({
      lastMove: {
        from: 'site-2',
        to: 'site-1',
        reason: 'Asked',
        result: 'Moved',
        message: 'ann asked',
        since: NOW,
        at: NOW,
        request: null,
      },
    }),
  );
  const edited = { ...capp, metadata: { ...capp.metadata, generation: 2 } };
  const text = whyText(explain(edited, NOW), { now: NOW, colours: NO_COLOURS });
  expect(text).toContain('apps/app is on site-1.\nThe hub has not looked at its newest generation yet.');
  expect(text).toContain(
    'Moved from site-2 to site-1 at 2026-03-01T12:00:00Z, because somebody asked for it. ann asked',
  );
});

test.each([
  ['It has until 2026-03-01T12:08:00Z to be Ready.', '2026-03-01T12:08:00Z'],
  ['The Capp moves if that is still so at 2026-03-01T12:08:00Z.', '2026-03-01T12:08:00Z'],
  ['No agent answers; last seen at 2026-03-01T12:08:00Z.', null],
  ['It has not had it since 2026-03-01T12:08:00Z.', null],
])('of "%s" the wait ends at %s', (message, until) => {
  expect(untilIn(message)).toBe(until);
});

describe('of a Capp that is being deleted', () => {
  const deleted = (state: State): Capp => {
    const capp = publishedBy(state);
    const { metadata } = capp;
    const deletionTimestamp = new Date(NOW).toISOString();
    return { ...capp, metadata: { ...metadata, generation: 2, deletionTimestamp } };
  };
  const leaving = { 'site-2': { since: NOW, lookedAtRing: 0, lost: 'Unreachable' as const } };
  const text = (capp: Capp): string =>
    whyText(explain(capp, NOW), { now: NOW + MINUTE, colours: NO_COLOURS });

  test('that waits for a lost site it says so, and how to give up the copy, but not that the hub is late', () => {
    const capp = deleted({ ...aPlacedState(), retiring: true, leaving });
    expect(text(capp)).toMatch(/^apps\/app is being deleted\.\n\nReady=False/);
    expect(text(capp)).toContain('If it never comes back, give up the copy there.');
    expect(text(capp)).toContain('kubectl capp abandon app site-2 -n apps');
    expect(freshnessOf(capp)).not.toMatchObject({ is: 'behind' });
  });

  test('of which the hub has not heard it says that the hub is late', () => {
    const capp = deleted(aPlacedState());
    expect(text(capp)).toContain('The hub has not looked at its newest generation yet.');
    expect(freshnessOf(capp)).toEqual({ is: 'behind', observed: 1 });
  });
});
