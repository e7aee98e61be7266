// Answers one admission request from memory. A refusal that rests on caches is checked again before it is
// given.
import { setTimeout as sleep } from 'node:timers/promises';
import type { PendingHostnames } from '../../admission/pending-hostnames.ts';
import { canonicalHostname } from '../../crds/capp/hostname.ts';
import type { Earlier, Known } from '../../admission/known.ts';
import { textAt } from '../../admission/fields.ts';
import type { RuleResult } from '../../admission/rule.ts';
import { hasChanged, type Request } from '../../admission/request.ts';
import { answer, readReview, requestOf } from '../../admission/review.ts';
import { applyRules, PATHS } from '../../admission/router.ts';
import { WEBHOOK_TIMES } from '../../admission/times.ts';

export interface Reply {
  readonly status: 200 | 400 | 404;
  readonly body: object;
}

export interface Answering {
  readonly known: () => Known;
  /** Reads what a rollback names; undefined for all other requests. */
  readonly earlier?: (path: string, request: Request) => Promise<Earlier | undefined>;
  readonly pendingHostnames: PendingHostnames;
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
  if (result === null) return { status: 404, body: { message: `No webhook is served at ${path}.` } };
  return { status: 200, body: answer(review, result) };
}

/** Checking and reserving a hostname are one step, without a wait between them. */
async function settled(
  path: string,
  request: Request,
  answering: Answering,
): Promise<Required<RuleResult> | null> {
  const { known, pendingHostnames, cacheLagMs } = answering;
  const earlier = await answering.earlier?.(path, request);
  const asked = earlier === undefined ? {} : { earlier };
  const until = performance.now() + cacheLagMs;
  for (;;) {
    const result = applyRules(path, request, { ...known(), ...asked });
    if (result?.problems.length === 0) claim(path, request, pendingHostnames);
    const mayChange =
      result !== null && result.problems.length > 0 && result.problems.every(({ fromCache }) => fromCache);
    if (!mayChange || performance.now() >= until) return result;
    await sleep(WEBHOOK_TIMES.cachePoll.ms);
  }
}

function claim(path: string, request: Request, pendingHostnames: PendingHostnames): void {
  const hostname = textAt(request.object, 'spec', 'routeSpec', 'hostname');
  const { namespace, name, dryRun } = request;
  if (
    path !== PATHS.validateCapp ||
    dryRun ||
    name === '' ||
    hostname === '' ||
    !hasChanged(request, 'spec', 'routeSpec', 'hostname')
  )
    return;
  pendingHostnames.note(canonicalHostname(hostname), { namespace, name, deleting: false }, Date.now());
}
