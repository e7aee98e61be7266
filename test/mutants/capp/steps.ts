// Faults in the steps of a Capp’s workflow.
import type { Mutant } from '../mutant.ts';

export const STEPS: readonly Mutant[] = [
  {
    breaks: 'continue-as-new forgets an open question to an agent',
    file: 'workflows/capp/workflow.ts',
    inside: 'checkpoint',
    text: "|| life.agent.asking().some(({ kind }) => kind === 'report')",
    becomes: '',
    seenBy: ['test/history/hand-over.test.ts'],
  },
  {
    breaks: 'continue-as-new forgets an answer of an agent that nobody has taken',
    file: 'workflows/capp/workflow.ts',
    inside: 'checkpoint',
    text: 'life.agent.hasNews() ||',
    becomes: '',
    seenBy: ['test/history/hand-over.test.ts'],
  },
  {
    breaks: 'continue-as-new drops the work that is due',
    file: 'workflows/capp/workflow.ts',
    inside: 'checkpoint',
    text: 'record === null ? life.state : { ...life.state, record }',
    becomes: 'record === null ? { ...life.state, due: [] } : { ...life.state, record }',
    seenBy: ['test/history/recorded.test.ts'],
  },
  {
    breaks: 'a new Capp with the same name is looked for in caches that are older than its ring',
    file: 'workflows/capp/steps/start-over.ts',
    inside: 'startOver',
    text: '    minimumVersions,\n',
    becomes: '',
    seenBy: ['test/history/ending.test.ts'],
  },
  {
    breaks: 'after a place that failed half-way, its work is not looked for',
    file: 'workflows/capp/steps/ship.ts',
    inside: 'place',
    text: 'mayHaveWorks: true',
    becomes: 'unsure: false',
    seenBy: ['test/history/rollout.test.ts'],
  },
  {
    breaks: 'the answer to a cancelled question counts',
    file: 'workflows/capp/listener.ts',
    inside: null,
    text: 'if (current.get(cluster) !== mine) return;',
    becomes: '',
    seenBy: ['test/history/rollout.test.ts'],
  },
  {
    breaks: 'a new copy that its site refuses is not given up',
    file: 'workflows/capp/steps/ship.ts',
    inside: 'endMove',
    text: 'life.state = shipFailed(life.state, life.runtime.now(), messageOf(error));',
    becomes: '',
    seenBy: ['test/history/keeping.test.ts'],
  },
];
