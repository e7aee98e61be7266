// Checks of an app, by which a gate is opened: the field `verify` of a stage of a CappSet, and of
// `spec.migration` of a Capp. docs/verification.md explains them.
import { z } from 'zod';
import { rules } from '../definitions/rules.ts';
import { EXPECTATION, EXPECTED, LONGEST_EXPECTATION } from './expect.ts';

/** Of one list. */
export const MOST_CHECKS = 5;
const MOST_MEASUREMENTS = 100;
/** A check takes an hour at most, in seconds. */
const LONGEST_S = 3_600;
const USUAL_COUNT = 3;
/** Measurements without an answer that are borne where the check does not say how many. */
const USUAL_INCONCLUSIVE = 3;

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

const counted = (least: number, most: number, such: number) => {
  const message = `must be a whole number from ${least} to ${most}, such as ${such}`;
  return z
    .int()
    .refine((value) => value >= least && value <= most, message)
    .meta(rules([`self >= ${least} && self <= ${most}`, message]));
};

const TOO_LONG = 'interval times count must be an hour at most: lower one of them';
const NEVER_FAILS = 'failureLimit must be below count, or the check could never fail: lower it';

export const VerifyCheck = z
  .object({
    name: z
      .string()
      .min(1)
      .max(40)
      .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/),
    http: HttpCheck,
    interval: interval().default('10s').describe('Between two measurements, such as 10s or 1m.'),
    count: counted(1, MOST_MEASUREMENTS, 30).default(USUAL_COUNT).describe('So many measurements are made.'),
    failureLimit: counted(0, MOST_MEASUREMENTS - 1, 1)
      .default(0)
      .describe('So many measurements may fail. One more, and the check has failed.'),
    inconclusiveLimit: counted(0, MOST_MEASUREMENTS - 1, 3)
      .describe(
        `So many measurements may come to nothing, such as without an answer. One more, and a person has to decide. Default ${USUAL_INCONCLUSIVE}.`,
      )
      .exactOptional(),
  })
  .refine((check) => check.failureLimit < check.count, { message: NEVER_FAILS, path: ['failureLimit'] })
  .refine((check) => millisecondsOf(check.interval) * check.count <= LONGEST_S * 1_000, {
    message: TOO_LONG,
    path: ['count'],
  })
  .meta(
    rules(
      ['self.failureLimit < self.count', NEVER_FAILS, '.failureLimit'],
      [`duration(self.interval).getSeconds() * self.count <= ${LONGEST_S}`, TOO_LONG, '.count'],
    ),
  );
export type VerifyCheck = z.infer<typeof VerifyCheck>;

export const verifyList = () =>
  z
    .array(VerifyCheck)
    .min(1)
    .max(MOST_CHECKS)
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] });

/** A check as it travels to an agent, with all defaults. */
export interface Travelling {
  readonly name: string;
  readonly path: string;
  readonly expect: string;
  readonly intervalMs: number;
  readonly count: number;
  readonly failureLimit: number;
  readonly inconclusiveLimit: number;
}

export function travelling(checks: readonly VerifyCheck[]): readonly Travelling[] {
  return checks.map(({ name, http, interval, count, failureLimit, inconclusiveLimit }) => ({
    name,
    path: http.path,
    expect: http.expect,
    intervalMs: millisecondsOf(interval),
    count,
    failureLimit,
    inconclusiveLimit: inconclusiveLimit ?? USUAL_INCONCLUSIVE,
  }));
}

function millisecondsOf(interval: string): number {
  const amount = Number.parseInt(interval, 10);
  return amount * (interval.endsWith('m') ? 60_000 : 1_000);
}
