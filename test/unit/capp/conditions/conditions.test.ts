// The conditions of a Capp in each state.
import { CONDITION_TYPES, HUB_REASONS, SITE_REASONS } from '../../../../crds/capp/conditions.ts';
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import type { Copy } from '../../../../workflows/types/copy.ts';
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
    'it serves, and not all that travels with it is applied',
    {},
    {
      finding: aFinding(),
      work: { uid: 'w', applied: 'False', reason: 'AppliedManifestWorkFailed', withMore: true },
    },
    'Ready Unknown Rejected, Applied Unknown Rejected, Available True Serving, Stalled False Progressing',
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
