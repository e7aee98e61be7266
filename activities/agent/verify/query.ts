// One query to the site's Prometheus, forced into the namespace of the Capp, and what its numbers say. Of the
// answer nothing is kept but numbers.
import { confined } from '../../../crds/verification/promql/confine.ts';
import { isResultMet } from '../../../crds/verification/result.ts';
import type { AnsweredCheck } from '../../../crds/verification/expect.ts';
import type { Measurement, MetricsQuestion } from '../../../workflows/types/verification.ts';
import { AGENT_TIMES } from '../times.ts';
import { numbersIn } from './numbers.ts';
import { askedOnce, unansweredBy, type OnceOptions } from './once.ts';
import { prometheusIn, prometheusKey, type PrometheusKey, type PrometheusPlace } from './prometheus.ts';

export interface SitePrometheus {
  /** The spec of the site's CappConfig, unvalidated; null without one. */
  readonly config: unknown;
  /** Of the credentials; null where there are none. */
  readonly folder: string | null;
}

interface Asked {
  readonly namespace: string;
  readonly name: string;
  readonly metrics: MetricsQuestion;
  readonly expect: string;
}

const OK = 200;

/** Rejects with the signal's reason alone. */
export async function measureMetrics(
  { config, folder }: SitePrometheus,
  asked: Asked,
  signal: AbortSignal,
): Promise<Omit<Measurement, 'at'>> {
  const found = confined(asked.metrics.query, asked);
  if ('fault' in found) return { is: 'Error', says: `the query is not asked: ${found.fault}` };
  try {
    const key = await prometheusKey(folder);
    const place = prometheusIn(config, key);
    if (typeof place === 'string') return { is: 'Error', says: place };
    if (key.authorization !== null && !place.isTls)
      return {
        is: 'Error',
        says: 'credentials go over TLS alone: set an https:// address as url of the Secret',
      };
    return judged(await askedOnce(request(place, key, found.query), signal), asked);
  } catch (error) {
    signal.throwIfAborted();
    return { is: 'Error', says: unansweredBy('Prometheus', error) };
  }
}

/** Thanos and its like answer with a part of what there is unless they are told not to. */
function request({ prefix, ...where }: PrometheusPlace, key: PrometheusKey, query: string): OnceOptions {
  const timeout = `${AGENT_TIMES.verifyRequest.ms}ms`;
  const given = new URLSearchParams({ query, timeout, partial_response: 'false' });
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...(key.authorization === null ? {} : { authorization: key.authorization }),
  };
  const path = `${prefix}/api/v1/query?${given.toString()}`;
  return { ...where, path, headers, ...(key.ca === null ? {} : { ca: key.ca }) };
}

function judged({ status, body, isCut }: AnsweredCheck, { metrics, expect }: Asked): Omit<Measurement, 'at'> {
  if (status !== OK) return { is: 'Error', says: `Prometheus answered with status ${status}` };
  if (isCut)
    return { is: 'Error', says: 'the result is longer than 64 KiB: make it fewer samples, such as by sum()' };
  const numbers = numbersIn(body);
  if (typeof numbers === 'string') return { is: 'Error', says: numbers };
  const known = numbers.filter((one) => !Number.isNaN(one));
  const says = saying(numbers);
  if (known.some((one) => !isResultMet(expect, one))) return { is: 'Failed', says };
  return { is: known.length === numbers.length && numbers.length > 0 ? 'Successful' : metrics.empty, says };
}

function saying(numbers: readonly number[]): string {
  const [first] = numbers;
  if (first === undefined) return 'no result';
  if (numbers.length === 1) return `result ${shown(first)}`;
  const known = numbers.filter((one) => !Number.isNaN(one));
  const span = known.length === 0 ? 'NaN' : `${shown(least(known))} to ${shown(most(known))}`;
  const others = known.length > 0 && known.length < numbers.length ? ', and NaN' : '';
  return `${numbers.length} results, ${span}${others}`;
}

const least = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.min(a, b));
const most = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b));

function shown(number: number): string {
  return String(Number(number.toPrecision(6)));
}
