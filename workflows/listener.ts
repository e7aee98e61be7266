// One question at a time to the agent of each site, asked beside the loop so that a ring is heard while the answer is awaited.
import { isCancellation } from '@temporalio/workflow';
import type { Answer, Question } from './ports.ts';
import type { Beside, Calls, Runtime } from './runtime.ts';
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
  /** Asks and says true, unless the same is being asked already; drops another question to that cluster that is under way. */
  ask(inquiry: Inquiry): boolean;
  /** What is being asked of any cluster. */
  asking(): readonly Inquiry[];
  hasNews(): boolean;
  /** Takes the oldest news, once. */
  take(): News | null;
  /** Gives up what is being asked of a cluster, or of all. */
  drop(cluster?: string): void;
}

interface Asking {
  readonly inquiry: Inquiry;
  readonly answering: Beside<Answer | null>;
}

export function listener(capp: CappRef, runtime: Pick<Runtime, 'beside' | 'agentReport' | 'agentVerdict'>): Listener {
  const current = new Map<string, Asking>();
  let news: News[] = [];

  function drop(cluster?: string): void {
    for (const [name, { answering }] of current) {
      if (cluster !== undefined && name !== cluster) continue;
      current.delete(name);
      answering.cancel();
    }
    news = news.filter((one) => cluster !== undefined && one.cluster !== cluster);
  }

  function ask(inquiry: Inquiry): boolean {
    const { cluster } = inquiry;
    const before = current.get(cluster);
    if (before !== undefined && isSame(before.inquiry, inquiry)) return false;
    drop(cluster);
    const mine = { inquiry, answering: runtime.beside(() => put(runtime, capp, inquiry)) };
    current.set(cluster, mine);
    const settle = (answer: Answer | null, silent: boolean): void => {
      if (current.get(cluster) !== mine) return;
      current.delete(cluster);
      news.push({ cluster, stamp: inquiry.question.stamp, answer, silent });
    };
    void mine.answering.result.then(
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
    asking: () => [...current.values()].map(({ inquiry }) => inquiry),
    hasNews: () => news.length > 0,
    take: () => news.shift() ?? null,
  };
}

function put(by: Pick<Calls, 'agentReport' | 'agentVerdict'>, capp: CappRef, { kind, cluster, question }: Inquiry): Promise<Answer | null> {
  if (kind === 'report') return by.agentReport(cluster, `What does ${cluster} see?`).report(capp, question);
  const after = question.known === null ? '' : ` after ${question.known.reason}`;
  return by.agentVerdict(cluster, `Await the verdict of ${cluster}${after}`).awaitVerdict(capp, question);
}

function isSame(a: Inquiry, b: Inquiry): boolean {
  return (
    a.kind === b.kind &&
    a.question.stamp === b.question.stamp &&
    a.question.known?.verdict === b.question.known?.verdict &&
    a.question.known?.reason === b.question.known?.reason
  );
}
