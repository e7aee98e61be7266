// One question to the agent of a site at a time, asked beside the loop so that a ring is heard while the answer is awaited.
import { CancellationScope, isCancellation } from '@temporalio/workflow';
import type { Answer, Question } from './ports.ts';
import { agentReport, agentVerdict } from './proxies.ts';
import type { CappRef } from './state.ts';

/** What came of a question: an answer (null: the site has no such stamp), or silence. */
export interface News {
  readonly cluster: string;
  readonly stamp: string;
  readonly answer: Answer | null;
  readonly silent: boolean;
}

export interface Inquiry {
  readonly kind: 'verdict' | 'report';
  readonly cluster: string;
  readonly question: Question;
}

export interface Listener {
  /** Asks and says true, unless the same is being asked already; drops another question that is under way. */
  ask(inquiry: Inquiry): boolean;
  /** What is being asked, or null. */
  asking(): Inquiry | null;
  hasNews(): boolean;
  /** Takes the news, once. */
  take(): News | null;
  drop(): void;
}

export function listener(capp: CappRef): Listener {
  let current: { inquiry: Inquiry; scope: CancellationScope } | null = null;
  let news: News | null = null;

  function drop(): void {
    current?.scope.cancel();
    current = null;
    news = null;
  }

  function ask(inquiry: Inquiry): boolean {
    if (current !== null && isSame(current.inquiry, inquiry)) return false;
    drop();
    const scope = new CancellationScope();
    const mine = { inquiry, scope };
    current = mine;
    const settle = (answer: Answer | null, silent: boolean): void => {
      if (current !== mine) return;
      current = null;
      news = { cluster: inquiry.cluster, stamp: inquiry.question.stamp, answer, silent };
    };
    void scope
      .run(() => put(capp, inquiry))
      .then(
        (answer) => settle(answer, false),
        (error: unknown) => {
          if (!isCancellation(error)) settle(null, true);
        },
      );
    return true;
  }

  return {
    ask,
    drop,
    asking: () => current?.inquiry ?? null,
    hasNews: () => news !== null,
    take: () => {
      const taken = news;
      news = null;
      return taken;
    },
  };
}

function put(capp: CappRef, { kind, cluster, question }: Inquiry): Promise<Answer | null> {
  if (kind === 'report') return agentReport(cluster, `What does ${cluster} see?`).report(capp, question);
  const after = question.known === null ? '' : ` after ${question.known.reason}`;
  return agentVerdict(cluster, `Await the verdict of ${cluster}${after}`).awaitVerdict(capp, question);
}

function isSame(a: Inquiry, b: Inquiry): boolean {
  return (
    a.kind === b.kind &&
    a.cluster === b.cluster &&
    a.question.stamp === b.question.stamp &&
    a.question.known?.verdict === b.question.known?.verdict &&
    a.question.known?.reason === b.question.known?.reason
  );
}
