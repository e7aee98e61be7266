// The agent's activity that checks an app of its site: about exactly the stamp that it was asked about, from
// the first measurement to the last.
import { setTimeout as pause } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { isMet } from '../../../crds/verification/expect.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Kube } from '../../../kube/client.ts';
import type { Agent, VerifyQuestion } from '../../../workflows/ports/agent.ts';
import type { CappRef } from '../../../workflows/capp/state.ts';
import { isAskedFor } from '../../../workflows/types/stamp.ts';
import type { Check, Measurement } from '../../../workflows/types/verification.ts';
import { raising } from '../../raise.ts';
import type { WatchedSite } from '../report/site-capps.ts';
import { sightOf } from '../report/verdict.ts';
import { AGENT_TIMES } from '../times.ts';
import { ask } from './ask.ts';
import { ingressOf, type OwnIngress } from './ingress.ts';
import { places, type WorkPlaces } from './places.ts';
import { runChecks } from './run.ts';
import { targetOf, type Ingress } from './target.ts';

/** Requests of all checks that are under way at once. */
const MOST_AT_ONCE = 50;
const LONGEST_SAYING = 96;
const BEATS = 3;
/** So often the cache is looked at, which may lag behind the live read. */
const MOST_LOOKS = 10;

export interface VerifyOptions {
  readonly kube: Pick<Kube, 'get'>;
  readonly site: Pick<WatchedSite, 'get' | 'read'>;
  readonly ingress: OwnIngress;
}

export function agentVerify(options: VerifyOptions): Pick<Agent, 'verify'> {
  const atOnce = places(MOST_AT_ONCE);
  return {
    verify: (capp, question) =>
      raising(async () => {
        const context = Context.current();
        const every = (context.info.heartbeatTimeoutMs ?? AGENT_TIMES.heartbeat.ms) / BEATS;
        const beat = setInterval(() => context.heartbeat(), every);
        try {
          return await verified({ ...options, atOnce }, capp, question, context.cancellationSignal);
        } finally {
          clearInterval(beat);
        }
      }),
  };
}

/** Without heartbeats. Throws ApiError, and the signal's reason. */
export async function verified(
  { kube, site, ingress: own, atOnce }: VerifyOptions & { readonly atOnce: WorkPlaces },
  { namespace, name }: Pick<CappRef, 'namespace' | 'name'>,
  { stamp, checks }: VerifyQuestion,
  signal: AbortSignal,
): ReturnType<Agent['verify']> {
  const key = { namespace, name };
  // Read live: the cache may not show yet what the hub has heard of.
  const first = await site.read(key);
  if (first === null || !hasStamp(first, stamp)) return null;
  const ingress = await ingressOf(kube, own);
  const present = (): Capp | null => {
    const seen = site.get(key);
    return seen === undefined ? null : hasStamp(seen, stamp) ? seen : null;
  };
  for (let tries = 0; tries < MOST_LOOKS && present() === null; tries += 1)
    await pause(AGENT_TIMES.verifyLag.ms, undefined, { signal });
  const figures = await runChecks(
    checks,
    {
      now: () => Date.now(),
      pause: (ms, within) => pause(ms, undefined, { signal: within }),
      measure: (check, within) =>
        atOnce(within, async () => {
          const capp = present();
          const measured = capp === null ? null : await measureOne(capp, ingress, check, within);
          // What was answered while the Capp was changed may have been answered by what came after.
          return present() === null ? null : measured;
        }),
    },
    signal,
  );
  return figures === null ? null : { figures };
}

function hasStamp(capp: Capp, stamp: string): boolean {
  const sight = sightOf(capp);
  return sight !== null && isAskedFor(sight.stamp, stamp);
}

async function measureOne(
  capp: Capp,
  ingress: Ingress,
  { path, expect }: Check,
  signal: AbortSignal,
): Promise<Measurement> {
  const at = Date.now();
  const target = targetOf(capp, ingress);
  if (typeof target === 'string') return { at, is: 'Error', says: target.slice(0, LONGEST_SAYING) };
  try {
    const answered = await ask(target, path, signal);
    const isAsExpected = isMet(expect, answered);
    const is = isAsExpected === null ? 'Inconclusive' : isAsExpected ? 'Successful' : 'Failed';
    const cut = isAsExpected === null ? ', and the body is longer than 64 KiB' : '';
    return { at, is, says: `status ${answered.status}${cut}` };
  } catch (error) {
    signal.throwIfAborted();
    return { at, is: 'Error', says: wordsFor(error) };
  }
}

/** The code alone: a message may name addresses of the site. */
function wordsFor(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  if (name === 'TimeoutError' || name === 'AbortError') return 'no answer in time';
  const said = typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? ` (${code})` : '';
  return `the ingress did not answer${said}`;
}
