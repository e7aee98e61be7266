// Asks each site's agent one question at a time, beside the loop, so that rings are heard while an answer is
// awaited.
import { readAnswer } from '../parse/answer.ts';
import type { Answer, Question } from '../ports.ts';
import type { Beside, Runtime } from '../engine/runtime.ts';
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
  /**
   * Asks and says true, unless the same is being asked already; drops another question to that cluster that
   * is under way.
   */
  ask(inquiry: Inquiry): boolean;
  /** What is being asked of any cluster. */
  asking(): readonly Inquiry[];
  hasNews(): boolean;
  /** Takes the oldest news, once. */
  take(): News | null;
  /** Gives up what is being asked of a cluster, or of all. */
  drop(cluster?: string): void;
}

type Asker = Pick<Runtime, 'beside' | 'sleep' | 'agentReport' | 'agentVerdict'>;

type Heard = Pick<News, 'answer' | 'silent'>;

/** As long as an agent is waited for that does not take up the question (`agentVerdict` in proxies.ts). */
const UNHEARD_MS = 60_000;

interface Asking {
  readonly inquiry: Inquiry;
  readonly answering: Beside<Heard>;
}

/** `onUnheard` is called for an answer that cannot be read. */
export function listener(capp: CappRef, runtime: Asker, onUnheard: () => void): Listener {
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
    const mine = { inquiry, answering: runtime.beside(() => heardFrom(runtime, capp, inquiry, onUnheard)) };
    current.set(cluster, mine);
    // A question that was dropped is not the current one any more: its end, by cancellation too, is nobody's
    // news.
    const settle = (answer: Answer | null, silent: boolean): void => {
      if (current.get(cluster) !== mine) return;
      current.delete(cluster);
      news.push({ cluster, stamp: inquiry.question.stamp, answer, silent });
    };
    void mine.answering.result.then(
      (heard) => settle(heard.answer, heard.silent),
      () => settle(null, true),
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

/** An agent that says what cannot be read is as one that does not answer, and is given up no sooner. */
async function heardFrom(
  runtime: Asker,
  capp: CappRef,
  inquiry: Inquiry,
  onUnheard: () => void,
): Promise<Heard> {
  const given = await put(runtime, capp, inquiry);
  // Null is a word of its own: the site has no such stamp. Only a look can say that.
  if (given === null && inquiry.kind === 'report') return { answer: null, silent: false };
  const answer = readAnswer(given);
  if (answer !== null) return { answer, silent: false };
  onUnheard();
  await runtime.sleep(UNHEARD_MS, `The answer of ${inquiry.cluster} cannot be read`);
  return { answer: null, silent: true };
}

function put(by: Asker, capp: CappRef, { kind, cluster, question }: Inquiry): Promise<unknown> {
  if (kind === 'report') return by.agentReport(cluster, `Ask ${cluster} for a report`).report(capp, question);
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
