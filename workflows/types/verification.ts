// What agents measure of an app, and what follows from it. A measurement never becomes a success by being
// absent. Pure.
import { clock } from './clock.ts';

/** What the second try of the checks gets beyond their own time, in milliseconds. */
export const VERIFY_SPARE_MS = 60_000;

/** A check as it travels to an agent. */
export interface Check {
  readonly name: string;
  /** Of a check by a request to the app. */
  readonly path?: string;
  /** Of a check by a query to the site's Prometheus. */
  readonly metrics?: MetricsQuestion;
  readonly expect: string;
  readonly intervalMs: number;
  readonly count: number;
  readonly failureLimit: number;
  readonly inconclusiveLimit: number;
}

export const EMPTIES = ['Inconclusive', 'Failed', 'Successful'] as const;

export interface MetricsQuestion {
  /** As a person has written it: the agent forces it into the namespace of the Capp. */
  readonly query: string;
  /** What a query without a result is. */
  readonly empty: (typeof EMPTIES)[number];
}

/** Some of them are queries, which an agent of an earlier version does not know. */
export function hasMetrics(checks: readonly Pick<Check, 'metrics'>[]): boolean {
  return checks.some(({ metrics }) => metrics !== undefined);
}

/**
 * What is to be verified of a copy, beside its stamp: the key names the checks and why they are asked for.
 */
export interface VerificationOrder {
  readonly key: string;
  readonly checks: readonly Check[];
}

export const OUTCOMES = ['Successful', 'Failed', 'Inconclusive', 'Error'] as const;
export type OutcomeKind = (typeof OUTCOMES)[number];

export interface Measurement {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly is: OutcomeKind;
  /** At most 96 bytes. */
  readonly says: string;
}

/** What an agent has counted of one check. */
export interface Figures {
  readonly name: string;
  readonly successful: number;
  readonly failed: number;
  readonly inconclusive: number;
  readonly errors: number;
  /** Ten at most, in their order. */
  readonly last: readonly Measurement[];
}

export const VERDICTS = ['Passed', 'Failed', 'Inconclusive'] as const;
export type CheckVerdict = (typeof VERDICTS)[number];

/** How one check ended. `Stopped`: another one had failed by then. */
export interface JudgedCheck extends Figures {
  readonly is: CheckVerdict | 'Stopped';
  readonly says: string;
}

/** The verdict on a copy, for exactly this order and the stamp of the copy that has it. */
export interface Verification {
  readonly key: string;
  readonly verdict: CheckVerdict;
  /** One sentence: the check, the site, the figure, the limit and the time. */
  readonly says: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly checks: readonly JudgedCheck[];
}

/** Measurements of one check that are kept. */
export const MOST_KEPT = 10;

/** One request: it takes so long at most, in milliseconds. */
export const LONGEST_REQUEST_MS = 5_000;
/** For an agent to take the question up, and to see what it is about. */
const BEGINNING_MS = 30_000;

/** How long one try of all checks may take, in milliseconds. */
export function longestOf({ checks }: Pick<VerificationOrder, 'checks'>): number {
  const times = checks.map(({ intervalMs, count }) => count * Math.max(intervalMs, LONGEST_REQUEST_MS));
  return Math.max(0, ...times) + BEGINNING_MS;
}

export function nothingMeasured(name: string): Figures {
  return { name, successful: 0, failed: 0, inconclusive: 0, errors: 0, last: [] };
}

/** Of more than ten, failed measurements are kept longest. */
export function withMeasurement(figures: Figures, measured: Measurement): Figures {
  const all = [...figures.last, measured];
  const spare = all.findIndex(({ is }) => is === 'Successful');
  const others = all.findIndex(({ is }) => is !== 'Failed');
  const drop = spare !== -1 ? spare : Math.max(0, others);
  const last = all.length > MOST_KEPT ? all.filter((_, index) => index !== drop) : all;
  const field = FIELDS[measured.is];
  return { ...figures, [field]: figures[field] + 1, last };
}

const FIELDS = {
  Successful: 'successful',
  Failed: 'failed',
  Inconclusive: 'inconclusive',
  Error: 'errors',
} as const satisfies Readonly<Record<OutcomeKind, keyof Figures>>;

/** More measurements have failed than may. */
export function hasFailed({ failureLimit }: Check, { failed }: Figures): boolean {
  return failed > failureLimit;
}

/** All measurements have been made, or more came to nothing than may. */
export function isOver(check: Check, figures: Figures): boolean {
  return hasFailed(check, figures) || isLost(check, figures) || madeOf(figures) >= check.count;
}

function isLost({ inconclusiveLimit }: Check, { inconclusive, errors }: Figures): boolean {
  return inconclusive + errors > inconclusiveLimit;
}

function madeOf({ successful, failed, inconclusive, errors }: Figures): number {
  return successful + failed + inconclusive + errors;
}

/**
 * The verdict by the figures, whatever their agent makes of them: all checks of the order have passed, one
 * has failed, or nobody knows. Figures of a check that was not asked for count for nothing.
 */
export function judge(
  order: VerificationOrder,
  site: string,
  given: readonly Figures[],
  at: number,
): Verification {
  const figures = order.checks.map(
    ({ name }) => given.find((one) => one.name === name) ?? nothingMeasured(name),
  );
  const isFailed = order.checks.some((check, index) => hasFailed(check, figureAt(figures, index)));
  const checks = order.checks.map((check, index) => judgeOne(check, figureAt(figures, index), isFailed));
  const bad = checks.find(({ is }) => is === 'Failed') ?? checks.find(({ is }) => is === 'Inconclusive');
  if (checks.length === 0) return unmeasured(order, site, 'no check can be read.', at);
  const verdict = bad === undefined ? 'Passed' : bad.is === 'Failed' ? 'Failed' : 'Inconclusive';
  return { key: order.key, verdict, at, checks, says: sentence(bad, site, order.checks) };
}

function figureAt(figures: readonly Figures[], index: number): Figures {
  return figures[index] ?? nothingMeasured('');
}

function judgeOne(check: Check, figures: Figures, isStopped: boolean): JudgedCheck {
  const { successful, failed, inconclusive, errors } = figures;
  const made = madeOf(figures);
  const counts = `${successful} of ${made} measurements were successful, ${failed} failed (failureLimit ${check.failureLimit}), ${inconclusive + errors} came to nothing (inconclusiveLimit ${check.inconclusiveLimit})`;
  if (hasFailed(check, figures)) return { ...figures, is: 'Failed', says: counts };
  const isWhole = made >= check.count && successful > 0 && !isLost(check, figures);
  if (isWhole) return { ...figures, is: 'Passed', says: counts };
  if (isStopped) return { ...figures, is: 'Stopped', says: `${counts}, when another check had failed` };
  return { ...figures, is: 'Inconclusive', says: `${counts}, of ${check.count} to be made` };
}

function sentence(bad: JudgedCheck | undefined, site: string, checks: readonly Check[]): string {
  const all = checks.length === 1 ? 'The check' : `All ${checks.length} checks`;
  if (bad === undefined) return `${all} passed on ${site}.`;
  const last = bad.last.findLast(({ is }) => (is === 'Failed') === (bad.is === 'Failed'));
  const when = last === undefined ? '' : `; the last at ${clock(last.at)}: ${last.says}`;
  if (bad.is !== 'Failed') return `Check ${bad.name} came to no verdict on ${site}: ${bad.says}${when}.`;
  const expected = checks.find(({ name }) => name === bad.name)?.expect ?? '';
  return `Check ${bad.name} failed on ${site}: ${bad.says}${when}, where ${expected} is expected.`;
}

/** Nobody measured: that is no success, and no failure of the app. */
export function unmeasured(order: VerificationOrder, site: string, why: string, at: number): Verification {
  const checks = order.checks.map(({ name }) => ({
    ...nothingMeasured(name),
    is: 'Inconclusive' as const,
    says: 'nothing was measured',
  }));
  return {
    key: order.key,
    verdict: 'Inconclusive',
    at,
    checks,
    says: `Nothing was measured on ${site}: ${why}`,
  };
}
