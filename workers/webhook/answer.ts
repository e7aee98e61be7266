// One question of the API server, answered from memory; a refusal that rests on what the caches show is looked at again before it is given.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Claims } from '../../admission/claims.ts';
import { canonicalHostname } from '../../crds/capp/hostname.ts';
import type { Known } from '../../admission/known.ts';
import { textAt } from '../../admission/fields.ts';
import type { Opinion } from '../../admission/opinion.ts';
import { hasChanged, type Request } from '../../admission/request.ts';
import { answer, readReview, requestOf } from '../../admission/review.ts';
import { judge, PATHS } from '../../admission/router.ts';
import { WEBHOOK_TIMES } from '../../admission/times.ts';

export interface Reply {
  readonly status: 200 | 400 | 404;
  readonly body: object;
}

export interface Answering {
  readonly known: () => Known;
  readonly claims: Claims;
  /** How far behind the API server the caches may be, in milliseconds: a user may refer to what was made a moment ago. */
  readonly patienceMs: number;
}

/** Takes a path and the text of an AdmissionReview. */
export async function reply(path: string, text: string, answering: Answering): Promise<Reply> {
  const review = readReview(text);
  if (review === null) return { status: 400, body: { message: 'The body is not an AdmissionReview of admission.k8s.io/v1.' } };
  const request = requestOf(review);
  const opinion = await settled(path, request, answering);
  if (opinion === null) return { status: 404, body: { message: `No webhook is served at ${path}.` } };
  return { status: 200, body: answer(review, opinion) };
}

/** Judging and claiming are one step: nobody is judged in between. */
async function settled(path: string, request: Request, answering: Answering): Promise<Required<Opinion> | null> {
  const { known, claims, patienceMs } = answering;
  const until = performance.now() + patienceMs;
  for (;;) {
    const opinion = judge(path, request, known());
    if (opinion?.problems.length === 0) claim(path, request, claims);
    const mayChange = opinion !== null && opinion.problems.length > 0 && opinion.problems.every(({ looked }) => looked);
    if (!mayChange || performance.now() >= until) return opinion;
    await sleep(WEBHOOK_TIMES.cachePoll.ms);
  }
}

function claim(path: string, request: Request, claims: Claims): void {
  const hostname = textAt(request.object, 'spec', 'routeSpec', 'hostname');
  const { namespace, name, dryRun } = request;
  if (path !== PATHS.validateCapp || dryRun || name === '' || hostname === '' || !hasChanged(request, 'spec', 'routeSpec', 'hostname'))
    return;
  claims.note(canonicalHostname(hostname), { namespace, name, deleting: false }, Date.now());
}
