// What a check asks for, in words. Pure.
import type { CheckByJob } from '../../../crds/verification/job.ts';
import { jobSecondsOf } from '../../../crds/verification/job.ts';
import { travelling, VerifyCheck } from '../../../crds/verification/check.ts';

/** Empty of what the CRD of another version let in, and this one cannot read. */
export function askedIfKnown(check: unknown): string {
  const { success, data } = VerifyCheck.safeParse(check);
  return success ? askedBy(data) : '';
}

/** What is asked, what every answer must be, how often, and how many may be otherwise. */
function askedBy(check: VerifyCheck): string {
  const [one] = travelling([check]);
  if (one === undefined) return '';
  const { path = '', metrics, expect, intervalMs, count, failureLimit, inconclusiveLimit } = one;
  const what = metrics === undefined ? `GET ${withoutQuery(path)} of the app` : `the query ${metrics.query}`;
  const often = count === 1 ? 'once' : `${count} times, every ${intervalMs / 1_000} s`;
  return `${what}, where ${expect} is expected, ${often}; ${failureLimit} may fail, and ${inconclusiveLimit} may come to nothing`;
}

/** What is told is passed on in tickets, and a query may have a token. */
function withoutQuery(path: string): string {
  const [only = '', ...query] = path.split('?');
  return query.length === 0 ? only : `${only}?…`;
}

export function askedByJob(check: CheckByJob): string {
  return `a Job on the site, which has to succeed within ${jobSecondsOf(check)} s`;
}
