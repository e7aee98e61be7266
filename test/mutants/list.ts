// The faults that the tests must see, each a mistake that somebody could make. `make mutants` puts them in one after the other.
import { DECISIONS } from './decisions.ts';
import type { Mutant } from './mutant.ts';

/** Of what a drain decides. */
const DRAINS: readonly Mutant[] = [
  {
    breaks: 'the lanes of Capps that are never heard of again stay taken',
    file: 'workflows/drain/decide/transitions.ts',
    inside: 'withoutOverdue',
    text: 'now >= since + LANE_MS',
    becomes: 'now < since',
    seenBy: ['test/unit/drain/drained.test.ts'],
  },
  {
    breaks: 'a drain ends before it has looked once more whether the site is empty',
    file: 'workflows/drain/decide/step.ts',
    inside: 'drainStep',
    text: '(isIdle(state) && state.isClear)',
    becomes: 'isIdle(state)',
    seenBy: ['test/unit/drain/drain-step.test.ts'],
  },
  {
    breaks: 'a paused drain lets Capps go',
    file: 'workflows/drain/decide/step.ts',
    inside: 'drainStep',
    text: 'state.paused || state.stopped ? [] :',
    becomes: 'state.stopped ? [] :',
    seenBy: ['test/unit/drain/drain-step.test.ts'],
  },
];

/** Of how a workflow does what it has decided. */
const STEPS: readonly Mutant[] = [
  {
    breaks: 'a checkpoint forgets that an agent had been asked for a report',
    file: 'workflows/capp/workflow.ts',
    inside: 'checkpoint',
    text: "life.state = withRing(life.state, rungFor('site'));",
    becomes: 'return;',
    seenBy: ['test/unit/house/simulator.test.ts'],
  },
  {
    breaks: 'a checkpoint drops what is due',
    file: 'workflows/capp/workflow.ts',
    inside: 'checkpoint',
    text: 'record === null ? life.state : { ...life.state, record }',
    becomes: 'record === null ? { ...life.state, due: [] } : { ...life.state, record }',
    seenBy: ['test/history/recorded.test.ts'],
  },
  {
    breaks: 'a namesake is looked for in caches that may be older than what rang',
    file: 'workflows/capp/steps.ts',
    inside: 'startOver',
    text: '    minimumVersions,\n',
    becomes: '',
    seenBy: ['test/history/ending.test.ts'],
  },
  {
    breaks: 'after a place that failed half-way its work is not looked for',
    file: 'workflows/capp/steps.ts',
    inside: 'place',
    text: 'mayHaveWorks: true',
    becomes: 'unsure: false',
    seenBy: ['test/history/rollout.test.ts'],
  },
  {
    breaks: 'a question that was withdrawn is answered all the same',
    file: 'workflows/capp/listener.ts',
    inside: null,
    text: 'if (current.get(cluster) !== mine) return;',
    becomes: '',
    seenBy: ['test/history/rollout.test.ts'],
  },
  {
    breaks: 'a new copy that a site refuses is not given up',
    file: 'workflows/capp/steps.ts',
    inside: 'giveUp',
    text: "life.state = abandoned(life.state, life.runtime.now(), 'Failed');",
    becomes: '',
    seenBy: ['test/history/keeping.test.ts'],
  },
];

/** Of what touches the hub. */
const HUB: readonly Mutant[] = [
  {
    breaks: 'a work is removed although the one that is to stay is going',
    file: 'activities/hub/retire/remove.ts',
    inside: 'doubtOf',
    text: 'if (work === null || isGoing(work))',
    becomes: 'if (work === null)',
    seenBy: ['test/activity/hub/remove.test.ts'],
  },
  {
    breaks: 'a removal that comes late acts on what was confirmed long ago',
    file: 'activities/hub/retire/remove.ts',
    inside: 'objectionTo',
    text: 'if (found !== null || Date.now() < until) return found;',
    becomes: 'if (found !== null || until > 0) return found;',
    seenBy: ['test/activity/hub/remove.test.ts'],
  },
  {
    breaks: 'a work is written over whatever it has become since it was read',
    file: 'activities/hub/works.ts',
    inside: 'updateWork',
    text: 'metadata: { uid, resourceVersion, ...held,',
    becomes: 'metadata: { uid, ...held,',
    seenBy: ['test/activity/hub/late-tries.test.ts'],
  },
  {
    breaks: 'a label that a site may write makes a work a Capp’s',
    file: 'activities/hub/claim.ts',
    inside: 'isOursByName',
    text: 'if (!workNamesOf({ namespace, name }).includes(metadata.name)) return false;',
    becomes: '',
    seenBy: ['test/unit/hub/claim.test.ts'],
  },
];

/** Of what is heard of changes on the hub. */
const BRIDGE: readonly Mutant[] = [
  {
    breaks: 'a work that is deleted behind our back rings nobody',
    file: 'bridge/changes/listen.ts',
    inside: 'listenToWorks',
    text: "type === 'Deleted' ? 'now' :",
    becomes: "type === 'Deleted' ? 'never' :",
    seenBy: ['test/activity/bridge/dependencies.test.ts'],
  },
  {
    breaks: 'a spec that somebody else wrote into a work rings nobody',
    file: 'bridge/changes/causes.ts',
    inside: 'urgencyOfWork',
    text: "after.metadata.annotations?.[ROLLOUT] ? 'now' : 'never'",
    becomes: "after.metadata.annotations?.[ROLLOUT] ? 'later' : 'never'",
    seenBy: ['test/unit/bridge/causes.test.ts'],
  },
];

export const MUTANTS: readonly Mutant[] = [...DECISIONS, ...DRAINS, ...STEPS, ...HUB, ...BRIDGE];
