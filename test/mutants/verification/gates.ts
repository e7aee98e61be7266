// Faults in what opens a gate, beside the verdict: apps that cannot be asked, limits, and what an agent
// forgets.
import type { Mutant } from '../mutant.ts';

const PLANNER = ['test/unit/stages/verification.test.ts'];
const UNCHECKED = ['test/unit/stages/unchecked.test.ts'];

const UNSAID = {
  file: 'workflows/capp/workflow.ts',
  inside: 'takeNews',
  text: 'life.noted.has(NEEDLESS_UNSAID) ?',
  seenBy: ['test/history/disabled.test.ts'],
};

export const GATES: readonly Mutant[] = [
  {
    breaks: 'a set that disables its app waits for checks of it for ever',
    file: 'workflows/stages/proof.ts',
    inside: 'proofOf',
    text: ' || target.isDisabled === true',
    becomes: '',
    seenBy: PLANNER,
  },
  {
    breaks: 'a stage whose apps are all disabled opens the gate, though nothing was checked',
    file: 'workflows/stages/gates.ts',
    inside: 'gateOf',
    text: "  if (isUnchecked(view, behind, rollout)) return { is: 'Unchecked' };\n",
    becomes: '',
    seenBy: UNCHECKED,
  },
  {
    breaks: 'a set that disables its app everywhere waits for somebody to enable it',
    file: 'workflows/stages/gates.ts',
    inside: 'isUnchecked',
    text: 'isToBeDisabled !== true && ',
    becomes: '',
    seenBy: UNCHECKED,
  },
  {
    breaks: 'checks that prove nothing hold a rollout for ever, though nothing is left to be given',
    file: 'workflows/stages/gates.ts',
    inside: 'isUnchecked',
    text: ' && isAtStake(target, goal, rollout)',
    becomes: '',
    seenBy: UNCHECKED,
  },
  {
    breaks: 'the planner is not told that the newest revision disables an app',
    file: 'activities/hub/set/targets.ts',
    inside: 'memberOn',
    text: '    ...(wanted.isDisabled ? { isToBeDisabled: true } : {}),\n',
    becomes: '',
    seenBy: ['test/unit/set/targets.test.ts'],
  },
  {
    breaks: 'a forecast calls checks passed that have no app to ask',
    file: 'workflows/stages/forecast.ts',
    inside: 'advanced',
    text: 'isDisabled === true ?',
    becomes: 'isDisabled === null ?',
    seenBy: UNCHECKED,
  },
  {
    breaks: 'a site skips its checks by calling the app disabled',
    file: 'activities/hub/set/observed.ts',
    inside: 'checkedIn',
    text: "child.spec.state === 'disabled'",
    becomes: "readyOf(child)?.reason === 'Disabled'",
    seenBy: ['test/unit/set/targets.test.ts'],
  },
  {
    breaks: 'a disabled Capp never moves where its new copy is to be checked',
    file: 'workflows/capp/workflow.ts',
    inside: 'liveAsCapp',
    text: 'if (life.noted.has(NEEDLESS_DROPPED)) ',
    becomes: 'if (life.ended) ',
    seenBy: ['test/flow/capp/verification.test.ts'],
  },
  {
    ...UNSAID,
    breaks: 'a move of a disabled Capp is said to wait for checks that nobody makes',
    becomes: 'life.ended ?',
  },
  {
    ...UNSAID,
    breaks: 'a history of the build that dropped such checks later replays no more',
    becomes: 'life.noted.has(NEEDLESS_DROPPED) ?',
  },
  {
    breaks: 'an app that has answered once, and then never again, passes by default',
    file: 'crds/verification/check.ts',
    inside: 'usuallyInconclusive',
    text: 'Math.min(USUAL_INCONCLUSIVE, Math.floor(count / 3))',
    becomes: 'Math.min(USUAL_INCONCLUSIVE, count)',
    seenBy: ['test/unit/crds/verify.test.ts'],
  },
  {
    breaks: 'a check may have a limit that no measurement can pass',
    file: 'admission/rules/spec/queries.ts',
    inside: 'limitProblems',
    text: 'limit < count',
    becomes: 'limit <= count',
    seenBy: ['test/unit/admission/queries.test.ts'],
  },
  {
    breaks: 'an agent that restarts forgets what had failed',
    file: 'activities/agent/verify/run.ts',
    inside: 'countedBefore',
    text: 'before.find((one) => one.name === name) ?? nothingMeasured(name)',
    becomes: 'before.find(() => false) ?? nothingMeasured(name)',
    seenBy: ['test/unit/agent/verify-again.test.ts'],
  },
  {
    breaks: 'a site leaves words of its own with the hub, as details of a heartbeat',
    file: 'gateway/calls/answers.ts',
    inside: 'readProgress',
    text: '!isCounted(type) || ',
    becomes: '',
    seenBy: ['test/unit/gateway/progress.test.ts'],
  },
];
