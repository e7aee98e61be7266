// Faults in what a status keeps of checks that have failed, for a workflow that is started over.
import type { Mutant } from '../mutant.ts';

const LIFE = ['test/unit/capp/verification.test.ts'];
const STARTED_OVER = ['test/unit/capp/failed-before.test.ts'];
const SET = ['test/unit/set/verification.test.ts'];

export const VERIFICATION_KEPT: readonly Mutant[] = [
  {
    breaks: 'a failure on former content shuts the gate for what is there now',
    file: 'activities/hub/ship/failed-before.ts',
    inside: 'failedBefore',
    text: ' && one.stamp === stamp',
    becomes: '',
    seenBy: SET,
  },
  {
    breaks: 'whoever may write a status opens a gate with it',
    file: 'activities/hub/status/verdicts.ts',
    inside: 'failuresOf',
    text: "one?.verdict === 'Failed'",
    becomes: 'one !== undefined',
    seenBy: SET,
  },
  {
    breaks: 'a pause or a refusal after a workflow was started over erases that the checks have failed',
    file: 'activities/hub/status/verification.ts',
    inside: 'standing',
    text: 'stillFailed(capp, state)',
    becomes: '{}',
    seenBy: STARTED_OVER,
  },
  {
    breaks: 'a verdict by a former order stays in the status',
    file: 'activities/hub/status/verification.ts',
    inside: 'stillFailed',
    text: 'one.key === key && ',
    becomes: '',
    seenBy: STARTED_OVER,
  },
  {
    breaks: 'a workflow that has published once reads no failure of the checks it orders then',
    file: 'activities/hub/ship/apply.ts',
    inside: 'shipRead',
    text: '...failureFor(capp, state.copies[cluster], {',
    becomes:
      '...failureFor(capp, state.published === null ? undefined : { stamp: shipped.stamp, ...ordersOf(capp) }, {',
    seenBy: ['test/activity/hub/ship/failed-before.test.ts'],
  },
  {
    breaks: 'a workflow that is started over forgets that the checks have failed',
    file: 'workflows/capp/after/verification.ts',
    inside: 'withFailed',
    text: ': { ...copy, verification: failed }',
    becomes: ': copy',
    seenBy: LIFE,
  },
  {
    breaks: 'another try of a move gives up by what the status says of the last one',
    file: 'workflows/capp/after/verification.ts',
    inside: 'withFailed',
    text: ' || isComing',
    becomes: '',
    seenBy: LIFE,
  },
  {
    breaks: 'the checks of a move hide that those of the set have failed where the Capp is',
    file: 'workflows/capp/facts/verification.ts',
    inside: 'standingFailure',
    text: "verdict?.verdict === 'Failed' && !isSaid",
    becomes: "verdict?.verdict === 'Failed' && isSaid",
    seenBy: STARTED_OVER,
  },
  {
    breaks: 'a failure stays said of a site that users have left',
    file: 'activities/hub/status/verification.ts',
    inside: 'stillFailed',
    text: ' && !isLeft',
    becomes: '',
    seenBy: STARTED_OVER,
  },
];
