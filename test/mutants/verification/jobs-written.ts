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
    text: "    seenOf(works, { cache: checkWorks, index: 'checks', key, label: CHECKS_OF }),\n",
    becomes: '',
  },
  {
    ...BEHIND,
    breaks: 'a copy that has lost its label stops the turns of its Bundle',
    inside: 'seenOf',
    text: 'work.metadata.labels?.[label] === undefined || ',
    becomes: '',
  },
  {
    ...BEHIND,
    breaks: 'a copy that is gone counts until the cache of Bundles has heard so',
    inside: 'seenOf',
    text: ' && gone.every((work) => shown.get(keyTextOf(work)) !== versionOf(work))',
    becomes: '',
  },
  {
    ...BEHIND,
    breaks: 'a turn waits for ever for a copy that has gone while it waited',
    inside: 'seenOf',
    text: ' || cache.caughtUpWith(versionOf(work))',
    becomes: '',
  },
  {
    ...BEHIND,
    breaks: 'a turn that nothing has rung waits for caches that lie behind, without a bound',
    file: 'activities/hub/bundle/kind.ts',
    inside: 'areCaughtUp',
    text: 'Object.keys(versions).length === 0 || ',
    becomes: '',
    seenBy: ['test/unit/hub/bundle/ending.test.ts'],
  },
  {
    breaks:
      'Jobs that no ManifestWork can carry are refused when their stage is Ready, and not when they are written',
    file: 'admission/rules/bundle-checks.ts',
    inside: 'checksTooLarge',
    text: 'bytes <= MANIFEST_LIMIT',
    becomes: 'true',
    seenBy: ['test/unit/admission/bundle-checks.test.ts'],
  },
  {
    breaks: 'a late verdict on Jobs replaces one on a later question',
    file: 'activities/hub/bundle/checks/carry-out.ts',
    inside: 'noteVerdicts',
    text: 'uid, resourceVersion, annotations }',
    becomes: 'uid, annotations }',
    seenBy: ['test/unit/hub/bundle/checks/versions.test.ts'],
  },
  {
    breaks: 'a late turn removes Jobs that a later one has asked for',
    file: 'activities/hub/bundle/checks/carry-out.ts',
    inside: 'removeEnded',
    text: '{ isAsSeen: isSame }',
    becomes: '{ isAsSeen: () => true }',
    seenBy: ['test/unit/hub/bundle/checks/versions.test.ts'],
  },
];
