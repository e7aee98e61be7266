// The agent's activity that checks an app of its site: about exactly the stamp that it was asked about, from
// the first measurement to the last. Its heartbeats tell what was counted, so that an agent that restarts
// counts on.
import { setTimeout as pause } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Kube } from '../../../kube/client.ts';
import { readChecked } from '../../../workflows/parse/verification.ts';
import type { Agent, CountedChecks, VerifyQuestion } from '../../../workflows/ports/agent.ts';
import type { CappRef } from '../../../workflows/capp/state.ts';
import { isAskedFor } from '../../../workflows/types/stamp.ts';
import type { Check, Figures, Measurement } from '../../../workflows/types/verification.ts';
import { raising } from '../../raise.ts';
import type { WatchedSite } from '../report/site-capps.ts';
import { sightOf } from '../report/verdict.ts';
import { AGENT_TIMES } from '../times.ts';
import { measureApp } from './ask.ts';
import { ingressOf, type OwnIngress } from './ingress.ts';
import { NoPlace, places, type WorkPlaces } from './places.ts';
import { measureMetrics, type SitePrometheus } from './query.ts';
import { runChecks, type RunningCheck } from './run.ts';
import { siteConfig } from './site-config.ts';
import type { Ingress } from './target.ts';

/**
 * Requests of all checks that are under way at once, to apps and to Prometheus; and those of one namespace.
 */
const MOST_AT_ONCE = { apps: 50, appsOfOne: 25, prometheus: 5, prometheusOfOne: 2 } as const;
const LONGEST_SAYING = 96;
const BEATS = 3;
/** So often the cache is looked at, which may lag behind the live read. */
const MOST_LOOKS = 10;

export interface VerifyOptions {
  readonly kube: Pick<Kube, 'get'>;
  readonly site: Pick<WatchedSite, 'get' | 'read'>;
  readonly ingress: OwnIngress;
  /** The folder of the credentials for the site's Prometheus; null where there are none. */
  readonly prometheusKey: string | null;
}

/** Where work waits for a place. */
interface Places {
  readonly atOnce: WorkPlaces;
  readonly atPrometheus: WorkPlaces;
}

export function agentVerify(options: VerifyOptions): Pick<Agent, 'verify' | 'verifyMetrics'> {
  const { apps, appsOfOne, prometheus, prometheusOfOne } = MOST_AT_ONCE;
  const waiting = { atOnce: places(apps, appsOfOne), atPrometheus: places(prometheus, prometheusOfOne) };
  const verify: Agent['verify'] = (capp, question) =>
    raising(async () => {
      const context = Context.current();
      const every = (context.info.heartbeatTimeoutMs ?? AGENT_TIMES.heartbeat.ms) / BEATS;
      const told: unknown = context.info.heartbeatDetails;
      let counted = readChecked(told) ?? NOTHING_COUNTED;
      const beat = setInterval(() => context.heartbeat(counted), every);
      const counting = {
        before: counted.figures,
        onCounted: (figures: readonly Figures[]): void => {
          counted = { figures };
          context.heartbeat(counted);
        },
      };
      try {
        const parts = { ...options, ...waiting, ...counting };
        return await verified(parts, capp, question, context.cancellationSignal);
      } finally {
        clearInterval(beat);
      }
    });
  return { verify, verifyMetrics: verify };
}

const NOTHING_COUNTED: CountedChecks = { figures: [] };

/** Without heartbeats. Throws ApiError, and the signal's reason. */
export async function verified(
  parts: VerifyOptions & Places & Partial<Pick<RunningCheck, 'before' | 'onCounted'>>,
  { namespace, name }: Pick<CappRef, 'namespace' | 'name'>,
  { stamp, checks }: VerifyQuestion,
  signal: AbortSignal,
): ReturnType<Agent['verify']> {
  const { kube, site, ingress: own, prometheusKey: folder, atOnce, atPrometheus } = parts;
  const { before = [], onCounted = () => undefined } = parts;
  const key = { namespace, name };
  // Read live: the cache may not show yet what the hub has heard of.
  const first = await site.read(key);
  if (first === null || !hasStamp(first, stamp)) return null;
  const config = await siteConfig(kube);
  const ways = { ingress: ingressOf(config, own), prometheus: { config, folder } };
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
      before,
      onCounted,
      pause: (ms, within) => pause(ms, undefined, { signal: within }),
      measure: (check, within) =>
        atPlace({ atOnce, atPrometheus }, { check, namespace, signal: within }, async () => {
          const capp = present();
          const measured = capp === null ? null : await measureOne({ capp, key, ways }, check, within);
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

interface Turn {
  readonly check: Check;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** What waits for its turn too long comes to nothing. The hub would take the agent for silent otherwise. */
async function atPlace(
  { atOnce, atPrometheus }: Places,
  { check, namespace, signal }: Turn,
  work: () => Promise<Measurement | null>,
): Promise<Measurement | null> {
  const [into, what] = check.metrics === undefined ? [atOnce, 'requests'] : [atPrometheus, 'queries'];
  try {
    return await into({ owner: namespace, longestMs: longestWait(check), signal }, work);
  } catch (error) {
    if (!(error instanceof NoPlace)) throw error;
    return { at: Date.now(), is: 'Error', says: `too many ${what} wait` };
  }
}

/** In milliseconds: all measurements of a check have to end by when the hub expects them (`longestOf`). */
export function longestWait({ intervalMs, count }: Check): number {
  const request = AGENT_TIMES.verifyRequest.ms;
  return Math.max(0, intervalMs - request) + Math.floor(AGENT_TIMES.verifyWait.ms / Math.max(1, count));
}

interface Measured {
  readonly capp: Capp;
  readonly key: { readonly namespace: string; readonly name: string };
  readonly ways: { readonly ingress: Ingress; readonly prometheus: SitePrometheus };
}

async function measureOne(
  { capp, key, ways }: Measured,
  { path, metrics, expect }: Check,
  signal: AbortSignal,
): Promise<Measurement> {
  const at = Date.now();
  const { is, says } = await (metrics === undefined
    ? measureApp(capp, ways.ingress, { path: path ?? '/', expect }, signal)
    : measureMetrics(ways.prometheus, { ...key, metrics, expect }, signal));
  return { at, is, says: says.slice(0, LONGEST_SAYING) };
}
