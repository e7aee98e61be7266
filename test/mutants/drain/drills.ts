// Faults in a drill: what it takes for passed, whom it forgets, and where it writes.
import type { Mutant } from '../mutant.ts';

const JUDGED = ['test/unit/drill/judge.test.ts'];
const WRITTEN = ['test/activity/hub/drill.test.ts'];

export const DRILLS: readonly Mutant[] = [
  {
    breaks:
      'each question to a site is about all of its Capps, so that what is asked grows with their square',
    file: 'workflows/drill/decide/ask.ts',
    inside: 'questionsFor',
    text: 'part.map(({ namespace }) => namespace)',
    becomes: 'capps.map(({ namespace }) => namespace)',
    seenBy: ['test/unit/drill/hundred.test.ts'],
  },
  {
    breaks: 'an image that was not asked about passes',
    file: 'workflows/drill/decide/judge.ts',
    inside: 'imageOf',
    text: "sight !== 'OnNode'",
    becomes: "sight !== 'OnNode' && sight !== null",
    seenBy: JUDGED,
  },
  {
    breaks: 'a quota that a site did not name passes',
    file: 'workflows/drill/decide/judge.ts',
    inside: 'quotaOf',
    text: 'room.areAllQuotas',
    becomes: 'lacking === null',
    seenBy: JUDGED,
  },
  {
    breaks: 'a Capp takes nothing of a quota from those behind it',
    file: 'workflows/drill/decide/site.ts',
    inside: 'quotaTaker',
    text: 'for (const one of own) one.used += wantedOf(needs, one.quota.resource);',
    becomes: '',
    seenBy: JUDGED,
  },
  {
    breaks: 'a drill that is taken back goes on asking, and writes',
    file: 'workflows/drill/workflow.ts',
    inside: 'answersOf',
    text: 'left === 0 || life.isRung',
    becomes: 'left === 0',
    seenBy: ['test/flow/drain/drills.test.ts'],
  },
  {
    breaks: 'a drill is reported to another generation of its Drain',
    file: 'activities/hub/drill/drill.ts',
    inside: null,
    text: 'drain?.metadata.uid !== uid || drain.metadata.generation !== generation',
    becomes: 'drain?.metadata.uid !== uid',
    seenBy: WRITTEN,
  },
  {
    breaks: 'a drain writes its status again and again beside what a drill found',
    file: 'activities/hub/drain/drain-status.ts',
    inside: 'revisedStatus',
    text: 'reportedAt, rehearsal: _drills, ...known',
    becomes: 'reportedAt, ...known',
    seenBy: WRITTEN,
  },
  {
    breaks: 'an answer of a site goes through the gateway with whatever it has',
    file: 'workflows/parse/inspection.ts',
    inside: 'readNode',
    text: '? { cpu, memory, pods } : null',
    becomes: '? (given as NodeRoom) : null',
    seenBy: ['test/unit/agent/inspect.test.ts'],
  },
  {
    breaks: 'what a killed command has left of a drill stays for ever',
    file: 'activities/hub/drill/drill.ts',
    inside: 'hubDrill',
    text: 'if (isOverdue(drain, Date.now()))',
    becomes: 'if (cluster === "")',
    seenBy: WRITTEN,
  },
  {
    breaks: 'a drain that was made of a dry run is deleted when the answer would have been old',
    file: 'crds/drain/drain.ts',
    inside: 'isForOneAnswer',
    text: 'spec.dryRun && ',
    becomes: '',
    seenBy: ['test/unit/bridge/sites/drills.test.ts'],
  },
  {
    breaks: 'a plan that ends deletes the drain that somebody has just made of it',
    file: 'cli/hub/objects/drains.ts',
    inside: 'deleteAnswer',
    text: '{ ...(uid === undefined ? {} : { uid }), resourceVersion }',
    becomes: 'uid === undefined ? {} : { uid }',
    seenBy: ['test/unit/cli/write/drain-answers.test.ts'],
  },
  {
    breaks: 'a drill shows what a killed command was told',
    file: 'cli/hub/objects/drains.ts',
    inside: 'withoutOldAnswer',
    text: ' || !isForOneAnswer(found)',
    becomes: ' || isForOneAnswer(found)',
    seenBy: ['test/activity/cli/drill.test.ts'],
  },
  {
    breaks: 'the end of a drill or plan deletes the drain that somebody has made of its dry run',
    file: 'cli/hub/objects/drains.ts',
    inside: 'deleteAnswer',
    text: ' || !isForOneAnswer(found)',
    becomes: '',
    seenBy: ['test/activity/cli/drill.test.ts'],
  },
];
