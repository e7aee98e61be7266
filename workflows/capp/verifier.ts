// Has each site's agent check the app there, beside the loop and beside the questions about the Capp itself:
// a verdict takes as long as its checks do.
import { readChecked } from '../parse/verification.ts';
import type { CountedChecks } from '../ports/agent.ts';
import { isFailed, isUnknownActivity, messageOf } from '../engine/failed.ts';
import type { WorkBeside, Runtime } from '../engine/runtime.ts';
import { hasMetrics, longestOf, type VerificationOrder } from '../types/verification.ts';
import type { CappRef } from './state.ts';

/** Which copy is to be verified. */
export interface Verifying {
  readonly cluster: string;
  readonly stamp: string;
  readonly order: VerificationOrder;
}

type Checked =
  | { readonly outcome: 'Checked'; readonly checked: CountedChecks }
  /** The site does not have that stamp. */
  | { readonly outcome: 'Absent' }
  /** `why` is a sentence. */
  | { readonly outcome: 'Unanswered'; readonly why: string };

/** How that ended. */
export type Verified = Verifying & Checked;

export interface Verifier {
  /** Has exactly these copies verified: begins what is new, and ends everything else. */
  follow(wanted: readonly Verifying[]): void;
  hasNews(): boolean;
  /** Takes the oldest outcome. It is returned once. */
  take(): Verified | null;
}

type Asker = Pick<Runtime, 'beside' | 'agentVerify'>;

interface Running {
  readonly verifying: Verifying;
  readonly working: WorkBeside<unknown>;
}

/** `onUnread` is called for an answer that cannot be read: nothing was measured then. */
export function verifier(capp: CappRef, runtime: Asker, onUnread: () => void): Verifier {
  const current = new Map<string, Running>();
  const news: Verified[] = [];
  const begin = (verifying: Verifying): void => {
    const { cluster, stamp, order } = verifying;
    const summary = `Check the app on ${cluster}`;
    const working = runtime.beside<unknown>(() => {
      const agent = runtime.agentVerify(cluster, summary, longestOf(order));
      const question = { stamp, checks: order.checks };
      return hasMetrics(order.checks) ? agent.verifyMetrics(capp, question) : agent.verify(capp, question);
    });
    const mine = { verifying, working };
    current.set(cluster, mine);
    const settle = (ended: Checked): void => {
      // A question that was dropped is no longer the current one. Its end is ignored, whatever it is.
      if (current.get(cluster) !== mine) return;
      current.delete(cluster);
      news.push({ ...verifying, ...ended });
    };
    void working.result.then(
      (given) => {
        if (given === null) return settle({ outcome: 'Absent' });
        const checked = readChecked(given);
        if (checked !== null) return settle({ outcome: 'Checked', checked });
        onUnread();
        return settle({ outcome: 'Unanswered', why: UNREAD });
      },
      (error: unknown) =>
        settle({ outcome: 'Unanswered', why: isFailed(error) ? whySilent(messageOf(error)) : UNREAD }),
    );
  };
  return {
    follow: (wanted) => {
      for (const [cluster, { verifying, working }] of current) {
        const now = wanted.find((one) => one.cluster === cluster);
        if (now !== undefined && isSame(now, verifying)) continue;
        current.delete(cluster);
        working.cancel();
      }
      const told = new Set(news.map(({ cluster }) => cluster));
      for (const one of wanted) if (!current.has(one.cluster) && !told.has(one.cluster)) begin(one);
    },
    hasNews: () => news.length > 0,
    take: () => news.shift() ?? null,
  };
}

const UNREAD = 'the answer of its agent cannot be read.';

function whySilent(said: string): string {
  if (isUnknownActivity(said)) return 'its agent does not know such checks yet. Upgrade the agent there.';
  return `its agent did not answer in time. See whether it runs, and whether agent and gateway have this version of Cappstan.`;
}

function isSame(a: Verifying, b: Verifying): boolean {
  return a.stamp === b.stamp && a.order.key === b.order.key;
}
