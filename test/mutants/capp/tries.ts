// Faults in how an activity’s try heeds Temporal.
import type { Mutant } from '../mutant.ts';

export const TRIES: readonly Mutant[] = [
  {
    breaks: 'an agent that waits sends no heartbeats',
    file: 'activities/agent/report/reports.ts',
    inside: 'agentReports',
    text: 'context.heartbeat()',
    becomes: 'undefined',
    seenBy: ['test/unit/agent/await-verdict.test.ts'],
  },
  {
    breaks: 'an agent waits on for a question that was withdrawn',
    file: 'activities/agent/report/reports.ts',
    inside: 'agentReports',
    text: 'context.cancellationSignal',
    becomes: 'new AbortController().signal',
    seenBy: ['test/unit/agent/await-verdict.test.ts'],
  },
  {
    breaks: 'a try on the hub goes on after Temporal has ended it',
    file: 'activities/trying.ts',
    inside: 'boundsByTemporal',
    text: 'signal: context.cancellationSignal',
    becomes: 'signal: new AbortController().signal',
    seenBy: ['test/unit/activities/trying.test.ts'],
  },
  {
    breaks: 'a drain that was cancelled goes on telling Capps',
    file: 'activities/hub/drain/answer.ts',
    inside: 'inTime',
    text: 'signal.throwIfAborted();',
    becomes: '',
    seenBy: ['test/unit/hub/drain/answer.test.ts'],
  },
];
