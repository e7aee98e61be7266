// Asks each site's agent one question at a time, beside the loop, so that the loop takes rings while it waits
// for an answer.
import { isGone, readAnswer } from '../parse/answer.ts';
import type { Answer, ReportQuestion } from '../ports/agent.ts';
import type { WorkBeside, Runtime } from '../engine/runtime.ts';
import type { CappRef } from './state.ts';

/** What comes of a question to an agent. */
export type Heard =
  | { readonly outcome: 'Answered'; readonly answer: Answer }
  /** The site has no such stamp. `gone`: it has nothing else of the Capp either, which was asked for. */
  | { readonly outcome: 'Absent'; readonly gone: boolean }
  | { readonly outcome: 'Silent' };

/** The outcome of a question, and the copy that it was about. */
export type VerdictNews = { readonly cluster: string; readonly stamp: string } & Heard;

export interface Inquiry {
  readonly kind: 'verdict' | 'report';
  readonly cluster: string;
  readonly question: ReportQuestion;
}

export interface Listener {
  /**
   * Asks and returns true, unless the same question is under way. Cancels another question to that cluster.
   */
  ask(inquiry: Inquiry): boolean;
  /** The questions that are under way. */
  asking(): readonly Inquiry[];
  hasNews(): boolean;
  /** Takes the oldest outcome. It is returned once. */
  take(): VerdictNews | null;
  /** Cancels the question to a cluster, or all questions. */
  drop(cluster?: string): void;
}

type Asker = Pick<Runtime, 'beside' | 'sleep' | 'agentReport' | 'agentVerdict'>;

/**
 * After an unreadable answer, the agent counts as silent this much later: as late as an agent that does not
 * take up the question (`agentVerdict` in proxies.ts).
 */
const UNHEARD_MS = 60_000;

interface Asking {
  readonly inquiry: Inquiry;
  readonly answering: WorkBeside<Heard>;
}

export interface Heeding {
  /** Is called for an answer that cannot be read. */
  onUnheard(): void;
  /** Is called for each outcome when it is heard, and before it is taken. */
  onNews(news: VerdictNews): void;
}

export function listener(capp: CappRef, runtime: Asker, { onUnheard, onNews }: Heeding): Listener {
  const current = new Map<string, Asking>();
  let news: VerdictNews[] = [];

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
    // A cancelled question is no longer the current one. Its end is ignored, whatever it is.
    const settle = (said: Heard): void => {
      if (current.get(cluster) !== mine) return;
      current.delete(cluster);
      const heard = { cluster, stamp: inquiry.question.stamp, ...said };
      news.push(heard);
      onNews(heard);
    };
    void mine.answering.result.then(settle, () => settle({ outcome: 'Silent' }));
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

/** An agent whose answer cannot be read counts as silent, no sooner than an agent that does not answer. */
async function heardFrom(
  runtime: Asker,
  capp: CappRef,
  inquiry: Inquiry,
  onUnheard: () => void,
): Promise<Heard> {
  const given = await put(runtime, capp, inquiry);
  // Null is an answer: the site has no such stamp. Only a report can give it.
  if (given === null && inquiry.kind === 'report') return { outcome: 'Absent', gone: false };
  if (inquiry.question.gone === true && isGone(given)) return { outcome: 'Absent', gone: true };
  const answer = readAnswer(given);
  if (answer !== null) return { outcome: 'Answered', answer };
  onUnheard();
  await runtime.sleep(UNHEARD_MS, `The answer of ${inquiry.cluster} cannot be read`);
  return { outcome: 'Silent' };
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
    a.question.known?.reason === b.question.known?.reason &&
    a.question.known?.hostname === b.question.known?.hostname
  );
}
