// Nothing is written at rest. Pure.
import type { CountedRequest } from '../../../../testbed/counts/requests.ts';
import type { Fact } from '../record/fact.ts';
import { nameOf } from '../record/history.ts';
import { breachAt } from './breach.ts';

const WRITES = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** What is written to be renewed, and reviews, which are questions by POST. */
const RENEWALS = /^\w+ (addonplacementscores(\/status)?|\w+reviews|leases|serviceaccounts\/token)( |$)/;

/** By their accounts, and agents by what they call themselves, as the stand-ins of a site do. */
const OURS = /^(hub|bridge|webhook|gateway|notifier|agent|site|cappstan-(?!stand-ins$).+)$/;

/** What our processes wrote, of the requests in an audit log; `cluster` is whose log it is. */
export function writesAtRest(cluster: string, asked: readonly CountedRequest[]): string[] {
  const isWrite = ({ request }: CountedRequest): boolean => WRITES.has(request.split(' ')[0] ?? '');
  return asked
    .filter((one) => OURS.test(one.process) && isWrite(one) && !RENEWALS.test(one.request))
    .map(({ process, request, about }) => `At rest, ${process} wrote to ${cluster}: ${request}, ${about}.`);
}

/** What changed after that time, whoever changed it. */
export function changesAtRest(facts: readonly Fact[], since: number): string[] {
  return facts
    .filter(({ at }) => at >= since)
    .map((fact) => breachAt(fact, `at rest, ${nameOf(fact)} was ${fact.isGone ? 'deleted' : 'written'}.`));
}
