// Answers one admission request from memory. A refusal that rests on caches is checked again before it is
// given.
import { setTimeout as sleep } from 'node:timers/promises';
import type { PendingNotes } from '../../admission/pending.ts';
import type { NamedRevision } from '../../admission/known.ts';
import type { RuleResult } from '../../admission/rule.ts';
import type { AdmissionRequest } from '../../admission/request.ts';
import { answer, readReview, requestOf } from '../../admission/review.ts';
import { WEBHOOK_TIMES } from '../../admission/times.ts';
import type { Reply } from './door/server.ts';
import { claim } from './claims.ts';
import { withPlan } from './plan.ts';

export interface Answering {
  /** The results of all rules of the path, or null if there is no such path. */
  readonly judge: (
    path: string,
    request: AdmissionRequest,
    earlier: NamedRevision | undefined,
  ) => Required<RuleResult> | null;
  /** The spelling under which hostnames are compared. */
  readonly hostnameKey: (hostname: string) => string;
  /** Reads what a rollback names; undefined for all other requests. */
  readonly earlier?: (path: string, request: AdmissionRequest) => Promise<NamedRevision | undefined>;
  /** What would change, for a dry run that asks so; null for all other requests. */
  readonly plan?: (path: string, request: AdmissionRequest) => Promise<string | null>;
  readonly pending: PendingNotes;
  /**
   * How far behind the API server the caches may be, in milliseconds: a user may refer to what was made a
   * moment ago.
   */
  readonly cacheLagMs: number;
}

/** Takes a path and the text of an AdmissionReview. */
export async function reply(path: string, text: string, answering: Answering): Promise<Reply> {
  const review = readReview(text);
  if (review === null)
    return { status: 400, body: { message: 'The body is not an AdmissionReview of admission.k8s.io/v1.' } };
  const request = requestOf(review);
  const result = await settled(path, request, answering);
  const plan = (await answering.plan?.(path, request)) ?? null;
  if (result === null) return { status: 404, body: { message: `No webhook is served at ${path}.` } };
  return { status: 200, body: answer(review, withPlan(result, request, plan)) };
}

/** Checking and reserving, such as of a hostname, are one step, without a wait between them. */
async function settled(
  path: string,
  request: AdmissionRequest,
  answering: Answering,
): Promise<Required<RuleResult> | null> {
  const { judge, cacheLagMs } = answering;
  const earlier = await answering.earlier?.(path, request);
  const until = performance.now() + cacheLagMs;
  for (;;) {
    const begun = performance.now();
    const found = judge(path, request, earlier);
    const hasWaited = begun >= until;
    const result = found !== null && hasWaited ? { ...found, problems: proven(found.problems) } : found;
    if (result?.problems.length === 0) claim(path, request, answering);
    const mayChange =
      result !== null && result.problems.length > 0 && result.problems.every(({ fromCache }) => fromCache);
    if (!mayChange || hasWaited) return result;
    // What takes long to judge is judged seldom, so that no question has the thread for more than a fifth of
    // its wait.
    await sleep(Math.max(WEBHOOK_TIMES.cachePoll.ms, REST * (performance.now() - begun)));
  }
}

const REST = 4;

/** Anybody may have made the API server's question up, and with it a Capp that never comes. */
function proven(problems: Required<RuleResult>['problems']): Required<RuleResult>['problems'] {
  return problems.filter(({ isPassing }) => isPassing !== true);
}
