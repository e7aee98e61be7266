// The agents of the world in memory: they answer what their sites show, and whoever waits hears of news.
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import type { Agent, Answer, ReportQuestion } from '../../../../workflows/ports/agent.ts';
import type { Finding } from '../../../../workflows/types/copy.ts';
import type { Deeds } from './world-deeds.ts';
import type { World } from './world.ts';

interface Vigil {
  readonly question: ReportQuestion;
  readonly waiters: Set<() => void>;
  readonly look: () => Answer | null;
}

interface Shown {
  /** What sites make of a stamp. */
  readonly findingOn: (stamp: string) => Finding;
  /** Are called when sites show something else. */
  readonly waiters: Set<() => void>;
}

export function agentsOf(
  self: () => World,
  does: Deeds['does'],
  { findingOn, waiters }: Shown,
): (cluster: string) => Agent {
  const look = (cluster: string, question: ReportQuestion): Answer | null =>
    self().works.get(cluster)?.stamp === question.stamp
      ? answerOf(question, self().sick.get(cluster) ?? findingOn(question.stamp))
      : null;
  return (cluster) => ({
    awaitVerdict: (_capp, question) =>
      does('awaitVerdict', () => awaitVerdict({ question, waiters, look: () => look(cluster, question) })),
    report: (_capp, question) => does('report', () => look(cluster, question)),
    verify: (_capp, question) =>
      does(
        'verify',
        () => self().checked(cluster, question, cancellationSignal()) as ReturnType<Agent['verify']>,
      ),
    verifyMetrics: (_capp, question) =>
      does(
        'verifyMetrics',
        () => self().checked(cluster, question, cancellationSignal()) as ReturnType<Agent['verify']>,
      ),
    inspect: () =>
      does('inspect', () => ({
        nodes: [],
        moreNodes: 0,
        quotas: [],
        areAllQuotas: true,
        images: [],
        absent: [],
      })),
    measure: () => does('measure', () => ({ figures: [{ name: 'cpuAvailable', value: 50 }] })),
  });
}

function answerOf({ statusHash }: ReportQuestion, finding: Finding): Answer {
  const isKnown = finding.statusHash === statusHash;
  return { finding, mirror: isKnown ? null : { applicationLinks: { consoleLink: 'http://app' } } };
}

/** As the real agent: news about exactly this stamp, and beats meanwhile. */
async function awaitVerdict({ question: { known }, waiters, look }: Vigil): Promise<Answer> {
  const signal = cancellationSignal();
  const beat = setInterval(() => heartbeat(), 2_000);
  const news = Promise.withResolvers<Answer>();
  const wake = (): void => {
    const answer = look();
    if (answer === null) return;
    const { verdict, reason } = answer.finding;
    if (known?.verdict !== verdict || known.reason !== reason) news.resolve(answer);
  };
  const end = (): void => news.reject(signal.reason as Error);
  signal.addEventListener('abort', end, { once: true });
  waiters.add(wake);
  try {
    wake();
    return await news.promise;
  } finally {
    clearInterval(beat);
    waiters.delete(wake);
    signal.removeEventListener('abort', end);
  }
}
