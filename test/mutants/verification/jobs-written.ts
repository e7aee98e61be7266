// Faults in how a turn writes the Jobs that check a Bundle, and in what it waits for before.
import type { Mutant } from '../mutant.ts';

const UNSENT = ['test/unit/hub/bundle/checks/unsent.test.ts'];
const BEHIND = { file: 'activities/hub/bundle/works.ts', seenBy: ['test/unit/hub/bundle/behind.test.ts'] };

export const BUNDLE_CHECKS_WRITTEN: readonly Mutant[] = [
  {
    breaks: 'what the hub refuses for a moment is a failure of the check for good',
    file: 'activities/hub/bundle/checks/carry-out.ts',
    inside: 'isFinal',
    text: "reason !== 'Refused' && reason !== 'UnknownSite'",
    becomes: "reason !== 'WriteFailed'",
    seenBy: UNSENT,
  },
  {
    breaks: 'a stage says for ever that it is checked by Jobs that could not be sent',
    file: 'activities/hub/rollout/shipped.ts',
    inside: 'refusedAfter',
    text: '[...advance, ...verify]',
    becomes: '[...advance]',
    seenBy: UNSENT,
  },
  {
    breaks: 'a site has failed for checks that nobody asks for any more',
    file: 'activities/hub/rollout/shipped.ts',
    inside: 'isReadyAs',
    text: "verdict === 'Ready' &&",
    becomes: 'false &&',
    seenBy: UNSENT,
  },
  {
    breaks: 'turns follow each other without a pause while no check can be sent',
    file: 'activities/hub/rollout/turn.ts',
    inside: 'hasCome',
    text: 'one.refusal === null',
    becomes: 'true',
    seenBy: UNSENT,
  },
  {
    breaks: 'a turn that is late asks a former question over the newer one',
    file: 'activities/hub/bundle/checks/carry-out.ts',
    inside: 'isLaterRound',
    text: 'begun === otherBegun && again > otherAgain',
    becomes: 'false',
    seenBy: UNSENT,
  },
  {
    ...BEHIND,
    breaks: 'what a Job has come to is judged by what was known of it before',
    inside: 'showTheSame',
    text: " && areSame('checks', checkWorks, CHECKS_OF)",
    becomes: '',
  },
  {
    ...BEHIND,
    breaks: 'a copy that has lost its label stops the turns of its Bundle',
    inside: 'isNotBehind',
    text: 'return work.metadata.labels?.[label] === undefined',
    becomes: 'return false',
  },
  {
    ...BEHIND,
    breaks: 'a copy that is gone counts until the cache of Bundles has heard so',
    inside: 'isNotBehind',
    text: ' && !shown.some(hasGone)',
    becomes: '',
  },
];
