// The conditions of a Capp in each state.
import { CONDITION_TYPES, HUB_REASONS, SITE_REASONS } from '../../../../crds/capp/conditions.ts';
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import type { Leaving, Copy } from '../../../../workflows/types/copy.ts';
import { aFinding, aMove, aPlacedState, aState, NOW } from '../../../support/builders/states.ts';

const refused = { reason: 'MissingReference', message: 'The pod refers to Secret keys.' } as const;

/** Each condition of a state as one line. */
function said(state: State, now = NOW): string[] {
  return conditionsOf(state, now).map(({ type, status, reason }) => `${type} ${status} ${reason}`);
}

type Placing = [string, State, string];
const PLACING: readonly Placing[] = [
  [
    'nothing is known yet',
    aState({ generation: 0 }),
    'Ready Unknown Progressing, Placed Unknown Progressing',
  ],
  ...(
    [
      'NoConfig',
      'NoPlacement',
      'NoDecision',
      'UnknownSite',
      'NotAccepted',
      'NoCandidate',
      'SelfManaged',
      'SiteRemoved',
    ] as const
  ).map((reason): Placing => {
    const rows = `Ready False ${reason}, Placed False ${reason}, Applied Unknown Applying, Available Unknown NotObserved`;
    return [`a choice came to ${reason}`, aState({ placing: { reason, message: '' } }), rows];
  }),
  [
    'a site was chosen',
    aPlacedState({}, { stamp: null, generation: 0 }),
    'Ready Unknown Applying, Placed True Chosen, Migrating False NotMoving',
  ],
  ['spec.site names the site', aPlacedState({ pinned: true }), 'Placed True Pinned'],
];

const SHIPPED: readonly [string, Partial<State>, Partial<Copy>, string][] = [
  [
    'its work was applied on the hub',
    {},
    {},
    'Ready Unknown Applying, Applied Unknown Applying, Available Unknown NotObserved, Stalled False Progressing',
  ],
  [
    'its site could not apply the work',
    {},
    { work: { uid: 'w', applied: 'False', reason: 'AppliedManifestWorkFailed' } },
    'Ready False Rejected, Applied False Rejected',
  ],
  [
    'a Secret that it refers to is missing',
    { refused },
    {},
    'Ready False MissingReference, Applied False MissingReference',
  ],
  ['its work is too large', { refused: { reason: 'TooLarge', message: '' } }, {}, 'Applied False TooLarge'],
  [
    'a Secret that it refers to goes missing while it serves',
    { refused },
    { finding: aFinding() },
    'Ready False MissingReference, Available True Serving',
  ],
  [
    'it serves',
    {},
    { finding: aFinding() },
    'Ready True Ready, Applied True Applied, Available True Serving, Stalled False Progressing',
  ],
  [
    'it is disabled as spec.state asks',
    {},
    { finding: aFinding('Ready', { reason: 'Disabled', healthy: false }) },
    'Ready True Disabled, Available True Disabled',
  ],
  [
    'its rollout is in progress',
    {},
    { finding: aFinding('Progressing') },
    'Ready Unknown Deploying, Available Unknown Deploying',
  ],
  [
    'its rollout is in progress and an earlier revision serves',
    {},
    { finding: aFinding('Progressing', { healthy: true }) },
    'Ready Unknown Deploying, Available True Serving',
  ],
  [
    'its rollout failed',
    {},
    { finding: aFinding('Failed') },
    'Ready False RolloutFailed, Available False RolloutFailed',
  ],
  [
    'its rollout failed and an earlier revision serves',
    {},
    { finding: aFinding('Failed', { healthy: true }) },
    'Ready False RolloutFailed, Available True Serving',
  ],
  [
    'its image cannot be pulled',
    {},
    { finding: aFinding('Failed', { reason: 'ImageNeverReady' }) },
    'Ready False ImageNeverReady, Available False ImageNeverReady',
  ],
  [
    'no site operator runs on its site',
    {},
    { finding: aFinding('Progressing', { reason: 'NoSiteOperator' }) },
    'Applied Unknown Applying, Available Unknown NoSiteOperator',
  ],
  [
    'no site operator runs on its site, which could not apply the work',
    {},
    {
      finding: aFinding('Progressing', { reason: 'NoSiteOperator' }),
      work: { uid: 'w', applied: 'False', reason: 'AppliedManifestWorkFailed' },
    },
    'Applied False Rejected, Available Unknown NoSiteOperator',
  ],
  [
    'no site operator runs on its site, which has applied the work',
    {},
    {
      finding: aFinding('Progressing', { reason: 'NoSiteOperator' }),
      work: { uid: 'w', applied: 'True', reason: '' },
    },
    'Ready Unknown NoSiteOperator, Applied True Applied',
  ],
  [
    'an object of its work belongs to another owner on the site, whatever the agent reports',
    {},
    {
      finding: aFinding(),
      work: { uid: 'w', applied: 'False', reason: '', refused: { reason: 'NotOurs', message: 'Secret db' } },
    },
    'Ready False NotOurs, Applied False NotOurs',
  ],
  [
    "its site's API server does not answer the agent, even if the app was healthy before",
    {},
    { finding: aFinding('Progressing', { reason: 'SiteUnreachable', healthy: true }) },
    'Applied Unknown Applying, Available Unknown SiteUnreachable',
  ],
  ['its agent is silent', {}, { silentSince: NOW }, 'Available Unknown AgentSilent'],
  [
    'an edit is being applied while the app serves',
    {},
    { wasHealthy: true },
    'Ready Unknown Applying, Available True Serving',
  ],
  [
    'its copy was Ready and the agent is silent',
    {},
    { finding: aFinding(), silentSince: NOW },
    'Ready Unknown AgentSilent, Available Unknown AgentSilent',
  ],
  [
    'it is paused and was not edited',
    { paused: true },
    { finding: aFinding() },
    'Ready True Ready, Migrating False Paused',
  ],
  [
    'it is paused and was edited',
    { paused: true, generation: 2 },
    { finding: aFinding() },
    'Ready Unknown Paused, Applied Unknown Paused',
  ],
  [
    'its deadline has passed',
    {},
    { deadline: NOW, finding: aFinding('Failed') },
    'Ready False RolloutFailed, Stalled True DeadlinePassed',
  ],
  [
    'its deadline has passed and it is Ready',
    {},
    { deadline: NOW, finding: aFinding() },
    'Ready True Ready, Stalled False Progressing',
  ],
  [
    'its site is unreachable',
    { unreachable: ['site-1'] },
    {},
    'Ready Unknown SiteUnreachable, Applied Unknown SiteUnreachable',
  ],
  ['it moves', { move: aMove() }, { finding: aFinding() }, 'Migrating True Moving'],
  [
    'it is being deleted',
    { retiring: true },
    { finding: aFinding() },
    'Ready False Leaving, Stalled False Progressing',
  ],
];

test.each(PLACING)('when %s', (_name, state, rows) => {
  expect(said(state)).toEqual(expect.arrayContaining(rows.split(', ')));
});

test.each(SHIPPED)('when %s', (_name, state, copy, rows) => {
  expect(said(aPlacedState(state, copy))).toEqual(expect.arrayContaining(rows.split(', ')));
});

const STATES = [
  ...PLACING.map(([, state]) => state),
  ...SHIPPED.map(([, state, copy]) => aPlacedState(state, copy)),
];

/** A DNS record not every Capp has, and not every one is verified. */
const ALWAYS = CONDITION_TYPES.filter((type) => type !== 'RecordReady' && type !== 'Verified');

test('all six conditions are always set, each for the newest generation and with a known reason', () => {
  for (const state of STATES) {
    const conditions = conditionsOf(state, NOW);
    expect(conditions.map(({ type }) => type)).toEqual(ALWAYS);
    for (const { reason, observedGeneration } of conditions) {
      expect([...HUB_REASONS, ...SITE_REASONS]).toContain(reason);
      expect(observedGeneration).toBe(state.generation);
    }
  }
});

test('Ready is never True for a generation that is not the one on the site', () => {
  for (const generation of [2, 3]) {
    for (const [, state, copy] of SHIPPED) {
      const ready = conditionsOf(aPlacedState({ ...state, generation }, copy), NOW).find(
        ({ type }) => type === 'Ready',
      );
      expect(ready?.status).not.toBe('True');
    }
  }
});

test.each<[Partial<Copy>, string]>([
  [{}, 'No agent on site-1 answers; last seen before 2026-03-01T12:00:00Z.'],
  [{ seenAt: NOW - 360_000 }, 'No agent on site-1 answers; last seen at 2026-03-01T11:54:00Z.'],
])('the Available condition says when a silent agent was last seen: %j', (copy, said) => {
  const conditions = conditionsOf(aPlacedState({}, { finding: aFinding(), silentSince: NOW, ...copy }), NOW);
  expect(conditions.find(({ type }) => type === 'Available')?.message).toContain(said);
});

test.each<[string, Leaving, string, string]>([
  [
    'unreachable',
    { since: NOW, lookedAtRing: 1, lost: 'Unreachable' },
    'SiteUnreachable',
    'Being deleted: site-1 cannot be reached and has not removed its copy. Wait until it returns. If it never will, abandon the copy that may still run there: kubectl -n apps annotate capp app --overwrite rcs.dana.io/abandon=site-1.',
  ],
  [
    'no managed cluster any more',
    { since: NOW, lookedAtRing: 1, lost: 'Gone' },
    'SiteUnreachable',
    expect.stringContaining('site-1 is no managed cluster any more'),
  ],
  [
    'abandoned but reachable',
    { since: NOW, lookedAtRing: 1, givenUp: true },
    'AbandonRefused',
    'Being deleted: site-1 can be reached and removes its copy itself, so annotation rcs.dana.io/abandon has no effect there.',
  ],
])(
  'the Ready condition of a deletion that waits for a site that is %s says so',
  (_name, leaving, reason, message) => {
    const [ready] = conditionsOf(
      aPlacedState({
        retiring: true,
        leaving: { 'site-1': leaving, 'site-2': { since: NOW, lookedAtRing: 1 } },
      }),
      NOW,
    );
    expect(ready).toMatchObject({ status: 'False', reason, message });
  },
);

test.each<[string, Partial<State>]>([
  ['The Capp stays on site-1.', {}],
  [
    'The Capp stays on site-1. A copy may still run on site-2, which has yet to remove it.',
    { leaving: { 'site-2': { since: NOW, lookedAtRing: 1 } } },
  ],
  [
    'The Capp stays on site-1. A copy may still run on site-2, which has yet to remove it. If it never returns, set annotation rcs.dana.io/abandon=site-2 to abandon that copy.',
    { leaving: { 'site-2': { since: NOW, lookedAtRing: 1 } }, unreachable: ['site-2'] },
  ],
])('the Migrating condition of a Capp that does not move says: %s', (message, state) => {
  expect(conditionsOf(aPlacedState(state), NOW).find(({ type }) => type === 'Migrating')?.message).toBe(
    message,
  );
});

test('the Ready condition of a deletion names the sites that have still to remove their copy', () => {
  const [ready] = conditionsOf(
    aPlacedState({ retiring: true, leaving: { 'site-1': { since: NOW, lookedAtRing: 1 } } }),
    NOW,
  );
  expect(ready?.message).toBe('Being deleted: site-1 still has to remove its copy.');
});
