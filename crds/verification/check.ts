// Checks of an app, by which a gate is opened: the field `verify` of a stage (`job.ts`), and of
// `spec.migration` of a Capp. docs/verification.md explains them.
import { z } from 'zod';
import { rules } from '../definitions/rules.ts';
import { EXPECTATION, EXPECTED, LONGEST_EXPECTATION } from './expect.ts';
import { LONGEST_QUERY } from './promql/confine.ts';
import { LONGEST_RESULT_EXPECTATION, RESULT_EXPECTATION } from './result.ts';

/** Of one list. */
const MOST_CHECKS = 5;
const MOST_MEASUREMENTS = 100;
/** A check takes an hour at most, in seconds. */
const LONGEST_S = 3_600;
export const USUAL_COUNT = 3;
export const USUAL_INTERVAL = '10s';
/** Measurements without an answer that are borne where the check does not say how many, at most. */
const USUAL_INCONCLUSIVE = 3;

/** A third of all: with more, an app that has answered once and then never again could pass. */
function usuallyInconclusive(count: number): number {
  return Math.min(USUAL_INCONCLUSIVE, Math.floor(count / 3));
}

/**
 * A text that the API server refuses with a message of ours: that of a `pattern` has no remedy. CEL takes the
 * expression as a text in single quotes.
 */
const like = (most: number, pattern: string, message: string) => {
  const whole = new RegExp(pattern);
  const quoted = pattern.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  return z
    .string()
    .min(1)
    .max(most)
    .refine((value) => whole.test(value), message)
    .meta(rules([`self.matches('${quoted}')`, message]));
};

const path = () =>
  like(256, '^/[!-~]*$', 'must be a path that begins with "/", without spaces, such as /healthz');
const expectation = () =>
  like(
    LONGEST_EXPECTATION,
    EXPECTATION,
    "must be terms such as status == 200 and body.contains('ok'), joined by &&",
  );
const interval = () =>
  like(5, '^[1-9][0-9]{0,3}[sm]$', 'must be a number of seconds or minutes, such as 10s or 1m');

const HttpCheck = z
  .object({
    path: path().describe(
      "A path of the app, such as /healthz. It is asked for by GET on the site, under the app's own name, through the site's ingress. No redirect is followed.",
    ),
    expect: expectation()
      .default(EXPECTED)
      .describe(
        "What makes an answer successful: status compared with a number by ==, !=, <, <=, > or >=; body.contains('text'), or ! before it; several joined by &&.",
      ),
  })
  .describe('A request to the app, as its users reach it.');

/** What a query that gives nothing, or no number, says. */
export const EMPTIES = ['Inconclusive', 'Failed', 'Successful'] as const;
export type EmptyResult = (typeof EMPTIES)[number];

// The grammar of queries is beyond what a CRD can say: admission reads it, and the agent once more.
const PrometheusCheck = z
  .object({
    query: z
      .string()
      .min(1)
      .max(LONGEST_QUERY)
      .describe(
        "A query of PromQL, such as sum(rate(http_errors[5m])). It reads series of the Capp's own namespace alone. In its texts, namespace and name in double braces stand for those of the Capp.",
      ),
    empty: z
      .enum(EMPTIES)
      .default('Inconclusive')
      .describe('What a query without a result is, and one whose result is NaN.'),
  })
  .describe('A query to the Prometheus of the site, which the CappConfig there names.');

const resultExpectation = () =>
  like(LONGEST_RESULT_EXPECTATION, RESULT_EXPECTATION, 'must be terms such as result < 0.01, joined by &&');

export const counted = (least: number, most: number, such: number) => {
  const message = `must be a whole number from ${least} to ${most}, such as ${such}`;
  return z
    .int()
    .refine((value) => value >= least && value <= most, message)
    .meta(rules([`self >= ${least} && self <= ${most}`, message]));
};

const TOO_LONG = 'interval times count must be an hour at most: lower one of them';
const NEVER_FAILS = 'failureLimit must be below count, or the check could never fail: lower it';

const ONE_WAY = 'a check has exactly one of http and prometheus: write one of them, and leave the other out';
const WHERE_EXPECTED =
  'expect, such as result < 0.01, belongs to a check by prometheus: write it beside prometheus, and of a check by http inside of http';

/** The fields of every check. */
export const CHECK_FIELDS = {
  name: z
    .string()
    .min(1)
    .max(40)
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/),
  http: HttpCheck.exactOptional(),
  prometheus: PrometheusCheck.exactOptional(),
  expect: resultExpectation()
    .describe(
      'Of a check by prometheus: result compared with a number by ==, !=, <, <=, > or >=; several joined by &&. Every sample of the result has to be so.',
    )
    .exactOptional(),
  interval: interval().default(USUAL_INTERVAL).describe('Between two measurements, such as 10s or 1m.'),
  count: counted(1, MOST_MEASUREMENTS, 30).default(USUAL_COUNT).describe('So many measurements are made.'),
  failureLimit: counted(0, MOST_MEASUREMENTS - 1, 1)
    .default(0)
    .describe('So many measurements may fail. One more, and the check has failed.'),
  inconclusiveLimit: counted(0, MOST_MEASUREMENTS - 1, 3)
    .describe(
      `So many measurements may come to nothing, such as without an answer. One more, and a person has to decide. Below count. Default: a third of count, and ${USUAL_INCONCLUSIVE} at most.`,
    )
    .exactOptional(),
};

interface Bounded {
  readonly prometheus?: unknown;
  readonly expect?: string;
  readonly interval: string;
  readonly count: number;
  readonly failureLimit: number;
}

/** What holds for every check, as `CHECK_RULES` say it to the API server. */
export function bounded<T extends z.ZodType<Bounded>>(check: T): T {
  return check
    .refine(({ prometheus, expect }) => (expect === undefined) === (prometheus === undefined), {
      message: WHERE_EXPECTED,
      path: ['expect'],
    })
    .refine(({ failureLimit, count }) => failureLimit < count, {
      message: NEVER_FAILS,
      path: ['failureLimit'],
    })
    .refine((one) => millisecondsOf(one.interval) * one.count <= LONGEST_S * 1_000, {
      message: TOO_LONG,
      path: ['count'],
    });
}

export const CHECK_RULES = [
  ['has(self.expect) == has(self.prometheus)', WHERE_EXPECTED],
  ['self.failureLimit < self.count', NEVER_FAILS, '.failureLimit'],
  [`duration(self.interval).getSeconds() * self.count <= ${LONGEST_S}`, TOO_LONG, '.count'],
] as const;

export const VerifyCheck = bounded(
  z
    .object(CHECK_FIELDS)
    .refine(({ http, prometheus }) => (http === undefined) !== (prometheus === undefined), ONE_WAY),
).meta(rules(['has(self.http) != has(self.prometheus)', ONE_WAY], ...CHECK_RULES));
export type VerifyCheck = z.infer<typeof VerifyCheck>;

/** A list of checks, which have names of their own. */
export const listOf = <T extends z.ZodType>(check: T) =>
  z
    .array(check)
    .min(1)
    .max(MOST_CHECKS)
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] });

export const verifyList = () => listOf(VerifyCheck);

/** A check as it travels to an agent, with all defaults. */
export interface Travelling {
  readonly name: string;
  /** Of a request. */
  readonly path?: string;
  /** Of a query. */
  readonly metrics?: { readonly query: string; readonly empty: EmptyResult };
  readonly expect: string;
  readonly intervalMs: number;
  readonly count: number;
  readonly failureLimit: number;
  readonly inconclusiveLimit: number;
}

export function travelling(checks: readonly VerifyCheck[]): readonly Travelling[] {
  return checks.map(({ name, http, prometheus, expect = '', interval, ...limits }) => ({
    name,
    ...(http === undefined ? { expect } : { path: http.path, expect: http.expect }),
    ...(prometheus === undefined ? {} : { metrics: prometheus }),
    intervalMs: millisecondsOf(interval),
    count: limits.count,
    failureLimit: limits.failureLimit,
    inconclusiveLimit: limits.inconclusiveLimit ?? usuallyInconclusive(limits.count),
  }));
}

function millisecondsOf(interval: string): number {
  const amount = Number.parseInt(interval, 10);
  return amount * (interval.endsWith('m') ? 60_000 : 1_000);
}
