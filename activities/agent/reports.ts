// The agent's activities: what it sees of a Capp on its site, when there is news or at once.
import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import type { Agent, Answer, Question } from '../../workflows/ports.ts';
import type { Feed } from './feed.ts';
import type { Told } from './told.ts';
import type { Sight } from './verdict.ts';

/** A third of the heartbeat timeout, so that two may be lost. */
const BEATS = 3;
const DEFAULT_HEARTBEAT_MS = 15_000;

export function agentReports(feed: Feed, told: Told): Pick<Agent, 'awaitVerdict' | 'report'> {
  return {
    awaitVerdict: async (capp, question) => {
      const every = (activityInfo().heartbeatTimeoutMs ?? DEFAULT_HEARTBEAT_MS) / BEATS;
      const beat = setInterval(() => heartbeat(), every);
      try {
        const sight = await feed.next(capp, question, cancellationSignal());
        told.note(capp, sight);
        return answerWith(sight, question);
      } finally {
        clearInterval(beat);
      }
    },
    report: async (capp, question) => {
      const sight = feed.look(capp);
      if (sight === null || sight.stamp !== question.stamp) return null;
      told.note(capp, sight);
      return answerWith(sight, question);
    },
  };
}

function answerWith({ finding, mirror }: Sight, { statusHash }: Question): Answer {
  return { finding, mirror: finding.statusHash === statusHash ? null : mirror };
}
