// The agent's activities: they report on a Capp of the site, at once or as soon as it changes.
import { Context } from '@temporalio/activity';
import type { Agent, Answer, NothingThere, ReportQuestion } from '../../../workflows/ports/agent.ts';
import type { CappRef } from '../../../workflows/capp/state.ts';
import { incarnationOf, isAskedFor, uidOf, UNSTAMPED } from '../../../workflows/types/stamp.ts';
import { raising } from '../../raise.ts';
import type { ReportFeed } from './feed.ts';
import type { WatchedSite } from './site-capps.ts';
import type { ReportedSights } from '../ring/told.ts';
import { sightOf, type CappSight } from './verdict.ts';
import type { CountRestarts } from './restarts.ts';
import { AGENT_TIMES } from '../times.ts';

/** A third of the heartbeat timeout, so that two may be lost. */
const BEATS = 3;

/** A report is a live read: it confirms a copy before another is removed, or confirms that one is gone. */
export function agentReports(
  site: Pick<WatchedSite, 'read' | 'readAny'>,
  feed: ReportFeed,
  told: ReportedSights,
  restarts: CountRestarts = () => Promise.resolve(null),
): Pick<Agent, 'awaitVerdict' | 'report'> {
  return {
    awaitVerdict: async (capp, question) => {
      const context = Context.current();
      const every = (context.info.heartbeatTimeoutMs ?? AGENT_TIMES.heartbeat.ms) / BEATS;
      const beat = setInterval(() => context.heartbeat(), every);
      try {
        const sight = await feed.next(capp, question, context.cancellationSignal);
        told.note(capp, sight);
        return await answerWith(sight, { capp, question, restarts });
      } finally {
        clearInterval(beat);
      }
    },
    report: (capp, question) =>
      raising(async () => {
        const found = await site.read({ namespace: capp.namespace, name: capp.name });
        if (found === null) return question.gone === true ? await goneFrom(site, capp, question) : null;
        const sight = sightOf(found);
        if (sight === null || !isAskedFor(sight.stamp, question.stamp)) return null;
        told.note(capp, sight);
        return answerWith(sight, { capp, question, restarts });
      }),
  };
}

/**
 * Nothing of the Capp is there: no Capp of its name, or one that another hub has shipped. One that was handed
 * to another hub and is as we have shipped it may serve, and so may one of which nobody says who brought it.
 * Takes Capps that its own hub does not have there: what this hub has under the name serves its users, also
 * if it was shipped for an object of the hub that was deleted and made again. Handed to another hub, that one
 * is known by its work, which is the one that is asked about.
 */
async function goneFrom(
  site: Pick<WatchedSite, 'readAny'>,
  { namespace, name, uid }: CappRef,
  { stamp: asked }: Pick<ReportQuestion, 'stamp'>,
): Promise<NothingThere | null> {
  const found = await site.readAny({ namespace, name });
  if (found === null) return { gone: true };
  const stamp = sightOf(found)?.stamp ?? UNSTAMPED;
  const isOurs = uidOf(stamp) === uid || incarnationOf(stamp) === incarnationOf(asked);
  return isOurs || stamp === UNSTAMPED ? null : { gone: true };
}

interface Answering {
  readonly capp: CappRef;
  readonly question: ReportQuestion;
  readonly restarts: CountRestarts;
}

async function answerWith(
  { finding, mirror }: CappSight,
  { capp, question, restarts }: Answering,
): Promise<Answer> {
  const count = question.restarts === true ? await restarts(capp) : null;
  return {
    finding: count === null ? finding : { ...finding, restarts: count },
    mirror: finding.statusHash === question.statusHash ? null : mirror,
  };
}
