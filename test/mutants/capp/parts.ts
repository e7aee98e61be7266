// Faults where a site has a Capp, and not all that travels with it: what may pass, and what is said.
import type { Mutant } from '../mutant.ts';

const COPIES = 'workflows/capp/facts/copies.ts';
const CONDITIONS = 'workflows/capp/conditions/conditions.ts';
const OF_MOVES = { seenBy: ['test/unit/capp/moving/accepted.test.ts'] };
const OF_PARTS = { seenBy: ['test/unit/capp/conditions/partly.test.ts'] };
const OF_REFUSALS = { seenBy: ['test/unit/hub/status/rejected.test.ts'] };

export const PARTS: readonly Mutant[] = [
  {
    breaks: 'what a quota has no room for keeps users of a lost site from the Ready copy for ever',
    file: COPIES,
    inside: 'isRefusedForGood',
    text: ' && refused.mayPass !== true',
    becomes: '',
    ...OF_MOVES,
  },
  {
    breaks: 'what a quota has no room for counts as refused for good',
    file: 'activities/hub/status/refused-by.ts',
    inside: 'refusedBy',
    text: "=== 'Passing'",
    becomes: '=== null',
    ...OF_REFUSALS,
  },
  {
    breaks: 'a fault that stays hides behind what may pass, and a move waits for it',
    file: 'activities/hub/status/work-facts.ts',
    inside: 'refusalOf',
    text: "refusalIn(said) === 'Final'",
    becomes: 'refusalIn(said) !== null',
    ...OF_REFUSALS,
  },
  {
    breaks: 'a Capp of which the site has not all is Unknown for ever',
    file: CONDITIONS,
    inside: 'seenThere',
    text: "now < copy.deadline ? 'Unknown' : 'False'",
    becomes: "now < copy.deadline ? 'Unknown' : 'Unknown'",
    ...OF_PARTS,
  },
  {
    breaks: 'a Capp of which the site has not all is never Stalled',
    file: CONDITIONS,
    inside: 'isDone',
    text: ' && !(tellsPart && isPartly(copy))',
    becomes: '',
    ...OF_PARTS,
  },
  {
    breaks: 'that a rollout has failed is hidden by what the site lacks beside it',
    file: COPIES,
    inside: 'isPartly',
    text: " && finding.verdict !== 'Failed'",
    becomes: '',
    ...OF_PARTS,
  },
  {
    breaks: 'nothing wakes a Capp of which the site has not all at its deadline',
    file: 'workflows/capp/steps/wait.ts',
    inside: 'rest',
    text: 'earliest([until, partlyDue(life)])',
    becomes: 'until',
    ...OF_PARTS,
  },
  {
    breaks: 'a run of an earlier build waits for a timer that its history does not have',
    file: 'workflows/capp/steps/wait.ts',
    inside: 'partlyDue',
    text: 'noted.has(PART_TOLD) && ',
    becomes: '',
    ...OF_PARTS,
  },
  {
    breaks: 'a run of an earlier build publishes what its history does not have',
    file: 'workflows/capp/conditions/publication.ts',
    inside: 'fingerprintOf',
    text: 'conditionsOf(state, at, tellsPart)',
    becomes: 'conditionsOf(state, at)',
    ...OF_PARTS,
  },
  {
    breaks: 'a Capp whose work is read again at the word of its status never notes what it may find',
    file: 'workflows/capp/changes.ts',
    inside: 'mayBePart',
    text: " || (copy.finding?.verdict === 'Ready' && state.due.includes('work'))",
    becomes: '',
    ...OF_PARTS,
  },
  {
    breaks: 'nobody reads the work of a Capp again whose status has begun to say that the site has not all',
    file: 'bridge/changes/causes.ts',
    inside: 'isNotThere',
    text: "(status === 'False' || reason === 'Rejected')",
    becomes: "status === 'False'",
    seenBy: ['test/unit/bridge/changes/not-there.test.ts'],
  },
];
