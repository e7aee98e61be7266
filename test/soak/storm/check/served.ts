// No gap: a Capp that has served and that nobody deletes always has a copy that serves. Pure.
//
// The record has one order for hub and sites, so a move that takes the old copy away one revision too early
// is seen, however short the gap is.
import type { Fact } from '../record/fact.ts';
import { nameOf, walk, type Newest } from '../record/history.ts';
import { breachAt } from './breach.ts';
import { isIllThere, type Illness } from './health.ts';

/** Sites on which a copy of the Capp serves and is not going. */
function serving(key: string, newest: Newest, sites: readonly string[]): string[] {
  return sites.filter((cluster) => {
    const copy = newest.get(nameOf({ cluster, kind: 'Capp', key }));
    return copy?.isServing === true && !copy.isLeaving;
  });
}

const isWanted = (key: string, newest: Newest): boolean => {
  const capp = newest.get(nameOf({ cluster: 'hub', kind: 'Capp', key }));
  return capp !== undefined && !capp.isLeaving;
};

/**
 * One breach for each gap, where it begins. A copy that the storm made ill may stop. One whose work is being
 * deleted is going, and counts no more: its site may hear of that much later, and nobody can take it back.
 */
export function gaps(
  facts: readonly Fact[],
  sites: readonly string[],
  illnesses: readonly Illness[] = [],
): string[] {
  const breaches: string[] = [];
  const up = new Set<string>();
  walk(facts, (fact, before, newest) => {
    const { capp: key, cluster } = cappOf(fact, before);
    if (key === null) return;
    const isUp = serving(key, newest, sites).some((site) => hasWork(key, site, newest));
    if (isUp) up.add(key);
    else if (up.delete(key) && isWanted(key, newest) && !isExcused(fact, illnesses))
      breaches.push(
        breachAt(fact, `no copy of ${key} served any more, since ${lastOf(fact)} on ${cluster}.`),
      );
  });
  return breaches;
}

/** The Capp of which a fact tells, or of whose work; null if it tells of neither. */
function cappOf(
  fact: Fact,
  before: Fact | undefined,
): { readonly capp: string | null; readonly cluster: string } {
  const { kind, key, of, cluster } = fact;
  if (kind === 'Capp') return { capp: key, cluster };
  const [site = ''] = key.split('/');
  return { capp: kind === 'ManifestWork' ? (of ?? before?.of ?? null) : null, cluster: site };
}

/** What the hub does to a work is no illness. */
const isExcused = (fact: Fact, illnesses: readonly Illness[]): boolean =>
  fact.kind === 'Capp' && isIllThere(fact, illnesses);

function lastOf({ kind, isGone, isLeaving }: Fact): string {
  const it = kind === 'Capp' ? 'it' : 'its work';
  return isGone ? `${it} was gone` : isLeaving ? `${it} was being deleted` : `${it} stopped`;
}

/**
 * The work of a copy that serves is deleted only when another copy serves, whose work stays, and users are
 * sent there.
 */
export function removals(facts: readonly Fact[], sites: readonly string[]): string[] {
  const breaches: string[] = [];
  walk(facts, (fact, before, newest) => {
    const capp = fact.of;
    const isRemoved = (fact.isGone || fact.isLeaving) && before?.isLeaving === false;
    if (fact.kind !== 'ManifestWork' || !isRemoved || capp === null || !isWanted(capp, newest)) return;
    const [site = ''] = fact.key.split('/');
    const up = serving(capp, newest, sites);
    if (!up.includes(site)) return;
    const others = up.filter((one) => one !== site && hasWork(capp, one, newest));
    const { served } = newest.get(nameOf({ cluster: 'hub', kind: 'Capp', key: capp })) ?? {};
    if (others.length === 0)
      breaches.push(breachAt(fact, `the work of ${capp} on ${site} was deleted, and no other copy served.`));
    else if (served === site)
      breaches.push(
        breachAt(fact, `the work of ${capp} on ${site} was deleted while users were sent there.`),
      );
  });
  return breaches;
}

function hasWork(capp: string, site: string, newest: Newest): boolean {
  return [...newest.values()].some(
    ({ kind, key, of, isLeaving }) =>
      kind === 'ManifestWork' && of === capp && !isLeaving && key.startsWith(`${site}/`),
  );
}
