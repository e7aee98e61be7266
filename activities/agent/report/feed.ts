// Serves many waiting questions from one watch of a site's Capps: a question costs a promise, not a
// connection.
import type { ReportQuestion } from '../../../workflows/ports/agent.ts';
import { isAskedFor } from '../../../workflows/types/stamp.ts';
import type { Finding } from '../../../workflows/types/copy.ts';
import type { SiteCapps } from './site-capps.ts';
import type { WatchAccess } from './access.ts';
import { sightOf, unattended, unreachable, type CappSight } from './verdict.ts';
import { AGENT_TIMES } from '../times.ts';

export interface Patience {
  /** After how long without an operator's observation a Capp is reported as unattended, in milliseconds. */
  readonly unobservedMs: number;
  /** How long a reason that decides nothing must last before it is reported, in milliseconds. */
  readonly settleMs: number;
}

export const PATIENCE: Patience = {
  unobservedMs: AGENT_TIMES.unobserved.ms,
  settleMs: AGENT_TIMES.settle.ms,
};

interface Name {
  readonly namespace: string;
  readonly name: string;
}

export interface ReportFeed {
  look(capp: Name): CappSight | null;
  /** Resolves with news about the stamp; rejects with the signal's reason. */
  next(capp: Name, question: ReportQuestion, signal: AbortSignal): Promise<CappSight>;
  /** Whether an activity waits for news of this Capp, so that a ring is not needed. */
  isAwaited(capp: Name): boolean;
  /** Calls when an activity stops waiting: what changed meanwhile has not been reported. */
  onAbandoned(listener: (capp: Name) => void): () => void;
}

export function feed(
  capps: Pick<SiteCapps, 'get' | 'subscribe' | 'access' | 'onAccess'>,
  patience = PATIENCE,
): ReportFeed {
  const waiting = new Map<string, number>();
  const abandoned = new Set<(capp: Name) => void>();
  const look = (capp: Name): CappSight | null => {
    const found = capps.get(capp);
    return found === undefined ? null : sightOf(found);
  };
  const count = (capp: Name, by: number): void => {
    const key = `${capp.namespace}/${capp.name}`;
    const left = (waiting.get(key) ?? 0) + by;
    if (left > 0) waiting.set(key, left);
    else waiting.delete(key);
  };
  return {
    look,
    isAwaited: ({ namespace, name }) => waiting.has(`${namespace}/${name}`),
    onAbandoned: (listener) => {
      abandoned.add(listener);
      return () => void abandoned.delete(listener);
    },
    next: async (capp, question, signal) => {
      signal.throwIfAborted();
      count(capp, 1);
      try {
        return await new Promise<CappSight>((resolve, reject) => {
          const vigil = keepVigil({
            question,
            patience,
            access: () => capps.access(),
            look: () => look(capp),
            tell: resolve,
          });
          const unsubscribe = capps.subscribe(({ object: { metadata } }) => {
            if (metadata.name === capp.name && metadata.namespace === capp.namespace) vigil.look();
          });
          const unwatch = capps.onAccess(() => vigil.look());
          const end = (): void => {
            vigil.end();
            unsubscribe();
            unwatch();
          };
          vigil.onEnd(end);
          signal.addEventListener('abort', () => (end(), reject(asError(signal.reason))), { once: true });
          vigil.look();
        });
      } finally {
        count(capp, -1);
        if (signal.aborted) for (const listener of abandoned) listener(capp);
      }
    },
  };
}

interface VigilOptions {
  readonly question: ReportQuestion;
  readonly patience: Patience;
  readonly access: () => WatchAccess;
  readonly look: () => CappSight | null;
  readonly tell: (sight: CappSight) => void;
}

interface Vigil {
  look(): void;
  onEnd(then: () => void): void;
  end(): void;
}

/** Looks when the Capp changes and when patience runs out, until there is something to report. */
function keepVigil({ question, patience, access, look, tell }: VigilOptions): Vigil {
  let pondered: { key: string; timer: NodeJS.Timeout } | null = null;
  let onEnd: () => void = () => undefined;
  const end = (): void => clearTimeout(pondered?.timer);
  const answer = (sight: CappSight): void => {
    onEnd();
    tell(sight);
  };
  /** Reports a sight, unless another replaces it within the time given. */
  const ponder = (sight: CappSight, ms: number): void => {
    const key = `${sight.finding.verdict}/${sight.finding.reason}`;
    if (pondered?.key === key) return;
    clearTimeout(pondered?.timer);
    pondered = { key, timer: setTimeout(() => answer(sight), ms) };
  };
  const consider = (): void => {
    const sight = look();
    const ours = sight !== null && isAskedFor(sight.stamp, question.stamp) ? sight : null;
    const isSeen = ours?.observed === true;
    const news = isSeen ? ours : unseen(question.stamp, ours, access());
    if (news === null || isKnown(question, news)) return ponderNothing();
    if (isSeen && isSettled(question, news.finding)) return answer(news);
    ponder(news, isSeen ? patience.settleMs : patience.unobservedMs);
  };
  const ponderNothing = (): void => {
    clearTimeout(pondered?.timer);
    pondered = null;
  };
  return { look: consider, end, onEnd: (then) => (onEnd = then) };
}

/**
 * The report on a stamp that no operator is known to have observed. Null: it may still be on its way here.
 */
function unseen(stamp: string, ours: CappSight | null, access: WatchAccess): CappSight | null {
  if (access === 'Unreachable') return unreachable(stamp, ours);
  return ours === null && access === 'Open' ? null : unattended(stamp, ours);
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('The question was withdrawn', { cause: reason });
}

function isKnown({ known }: ReportQuestion, { finding }: CappSight): boolean {
  if (known === null || known.verdict !== finding.verdict || known.reason !== finding.reason) return false;
  return finding.verdict !== 'Ready' || known.hostname === finding.hostname?.reason;
}

/** Of a Ready Capp, another reason why its hostname is not answered decides nothing. */
function isSettled({ known }: ReportQuestion, { verdict, hostname }: Finding): boolean {
  if (verdict === 'Progressing') return false;
  return known?.verdict !== verdict || known.hostname === undefined || hostname === undefined;
}
