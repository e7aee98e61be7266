// What happened to all sites, Capps, rollouts and drains, newest first, from what their objects keep.
import { LOCAL_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { historyOf, type PastHappening } from '../../../explain/capp/history.ts';
import { bundleHistoryOf, setHistoryOf } from '../../../explain/set/history.ts';
import type { DashboardFacts } from '../facts.ts';
import { fleetObjects } from '../rollout/rollouts.ts';
import { dated, type DatedMoment, type Moment } from './moment.ts';
import { newestOf } from './newest.ts';
import { momentsOfSite } from './site-moments.ts';

/** Which part of it a page asks for; empty for all. */
export interface TimeLineFilter {
  readonly site: string;
  readonly namespace: string;
}

/** What a person may filter by. */
export interface TimeLineChoices {
  readonly sites: readonly string[];
  readonly namespaces: readonly string[];
}

const MOST = 300;

/**
 * By `moment/<what it is>`, the newest 300 of those that fit: a key is of its moment alone, so that a new one
 * does not change the keys of the others. And the `choices`.
 */
export function timeLine(
  facts: DashboardFacts,
  { site, namespace }: TimeLineFilter,
): Record<string, Moment | TimeLineChoices> {
  const clusters = facts.clusters.filter(({ metadata }) => metadata.name !== LOCAL_CLUSTER);
  const newest = newestOf(
    MOST,
    ({ moment }) =>
      (site === '' || moment.sites.includes(site)) && (namespace === '' || moment.namespace === namespace),
  );
  const ofSites = new Map(clusters.map((one) => [one.metadata.name, momentsOfSite(one)]));
  for (const one of ofSites.values()) newest.add(one);
  for (const capp of facts.capps) newest.add(momentsOfCapp(capp));
  for (const one of fleetObjects(facts)) newest.add(momentsOfRollout(one));
  for (const drain of facts.drains) newest.add(momentsOfDrain(drain));
  const lines: Record<string, Moment | TimeLineChoices> = {};
  for (const one of newest.kept())
    lines[keyOf(one.moment, lines)] = { ...one.moment, cause: causeOf(one, ofSites) };
  const namespaces = new Set(facts.capps.map(({ metadata }) => metadata.namespace ?? ''));
  return {
    ...lines,
    choices: {
      sites: clusters.map(({ metadata }) => metadata.name).toSorted(),
      namespaces: [...namespaces].toSorted(),
    },
  };
}

function keyOf({ at, name, what, reason, text }: Moment, taken: Readonly<Record<string, unknown>>): string {
  const key = `moment/${at}/${what}/${name}/${reason}/${text}`;
  let [same, next] = [key, 2];
  while (Object.hasOwn(taken, same)) same = `${key}/${next++}`;
  return same;
}

/** Which reasons of a move are of its site, and what that is called on the time line. */
const FOLLOWS: Readonly<Record<string, 'lost' | 'taint'>> = {
  SiteLost: 'lost',
  SiteGone: 'lost',
  Tainted: 'taint',
};

/** What became of the site before that; empty where its object does not keep it any more. */
function causeOf({ follows, ms }: DatedMoment, ofSites: ReadonlyMap<string, DatedMoment[]>): string {
  if (follows === null) return '';
  const { site, what } = follows;
  const before = ofSites.get(site)?.find((one) => one.ms <= ms && one.moment.what === what);
  return before === undefined ? '' : `${site}: ${before.moment.text}`;
}

const known = new WeakMap<Capp, DatedMoment[]>();

function momentsOfCapp(capp: Capp): DatedMoment[] {
  const { namespace = '', name } = capp.metadata;
  const about = { name: `${namespace}/${name}`, href: `/apps/${namespace}/${name}`, namespace };
  const { from = '', reason = '' } = capp.status?.migration?.lastMove ?? {};
  const what = FOLLOWS[reason];
  const follows = what === undefined ? null : { site: from, what };
  const found =
    known.get(capp) ??
    historyOf(capp, []).map((one) => dated(momentOf(one, about), one.what === 'move' ? follows : null));
  known.set(capp, found);
  return found;
}

function momentOf(
  { sites = [], ...happening }: PastHappening,
  about: Pick<Moment, 'name' | 'href' | 'namespace'>,
): Moment {
  return { ...happening, ...about, sites, cause: '' };
}

function momentsOfRollout(one: ReturnType<typeof fleetObjects>[number]): DatedMoment[] {
  const { namespace = '', name } = one.object.metadata;
  const past = one.is === 'CappSet' ? setHistoryOf(one.object, [], []) : bundleHistoryOf(one.object, [], []);
  const about = { name: `${namespace}/${name}`, href: `/rollouts/${one.is}/${namespace}/${name}`, namespace };
  return past.map((happening) => dated(momentOf(happening, about)));
}

/** The newest first. */
function momentsOfDrain({
  metadata: { name },
  spec,
  status,
}: DashboardFacts['drains'][number]): DatedMoment[] {
  const about = { name, href: `/drains/${name}`, what: 'drain', namespace: '', sites: [name], cause: '' };
  const by = status?.requestedBy ?? 'Somebody';
  const why = spec.reason === undefined ? '' : `: ${spec.reason}`;
  const { startedAt, endedAt, phase = '', moved = 0, stayed = 0 } = status ?? {};
  const ended = `The drain ended: ${moved} moved, ${stayed} stayed`;
  return [
    ...(endedAt === undefined ? [] : [dated({ ...about, at: endedAt, reason: phase, text: ended })]),
    ...(startedAt === undefined
      ? []
      : [dated({ ...about, at: startedAt, reason: 'Begun', text: `${by} drains ${name}${why}` })]),
  ];
}
