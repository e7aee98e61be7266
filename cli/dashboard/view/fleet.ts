// The fleet: each site with what is on it, what is left of it, and whether it is being emptied.
import { isForOneAnswer } from '../../../crds/drain/drain.ts';
import { SITE_WORDS } from '../../explain/site-words.ts';
import { sitesFrom, type Site } from '../../explain/sites.ts';
import { appLineOf, type AppLine } from './apps.ts';
import { drainLines } from './drains.ts';
import type { DashboardFacts } from './facts.ts';
import { drainSheet } from './sheets/drain.ts';
import type { Sheet } from './sheets/sheet.ts';
import { countsOf, type Counts, type Tone } from '../../explain/tone.ts';

export interface SiteCard extends Omit<Site, 'capps'> {
  readonly tone: Tone;
  /** What is wrong with it, in words; empty where nothing is. */
  readonly troubles: readonly string[];
  readonly counts: Counts;
  /** Capps that are there, also those that come or leave. */
  readonly capps: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly drain: { readonly says: string; readonly share: number; readonly isOver: boolean } | null;
  readonly acts: readonly Sheet[];
  /** The person may read what an answer rests on to what would become of its Capps if it died. */
  readonly maySuppose: boolean;
}

/** As `suppose` in cli/hub/plan reads them, of the whole hub; without another one it says what is missing. */
const SUPPOSED = ['capps', 'managedclusters', 'rcsconfigs', 'placements', 'placementdecisions'] as const;

/** So many labels of a site reach the page. */
const MOST_LABELS = 20;

/** By `site/<name>`. Where ManagedClusters may not be read, the sites that Capps name. */
export function siteCards(facts: DashboardFacts): Record<string, SiteCard> {
  const here = appsBySite(facts);
  const drains = drainLines(facts);
  // What a plan or a drill has made for its answer gives way to a drain.
  const held = new Set(
    facts.drains.filter((one) => !isForOneAnswer(one)).map(({ metadata }) => metadata.name),
  );
  const sites = facts.hidesSites
    ? [...here.keys()].toSorted().map(hiddenSite)
    : sitesFrom(facts, SITE_WORDS, facts.now);
  const maySuppose = SUPPOSED.every((kind) => facts.may('list', kind, null));
  const labels = new Map(facts.clusters.map(({ metadata }) => [metadata.name, metadata.labels ?? {}]));
  return Object.fromEntries(
    sites.map(({ capps: _serving, ...site }) => {
      const lines = here.get(site.name) ?? [];
      const drain = drains[`drain/${site.name}`];
      const troubles = facts.hidesSites ? [] : troublesOf(site);
      const card: SiteCard = {
        ...site,
        tone: toneOfSite(site, troubles, lines),
        troubles,
        counts: countsOf(lines.map(({ tone }) => tone)),
        capps: lines.length,
        labels: Object.fromEntries(Object.entries(labels.get(site.name) ?? {}).slice(0, MOST_LABELS)),
        drain: drain === undefined ? null : { says: drain.says, share: drain.share, isOver: drain.isOver },
        acts:
          !held.has(site.name) && !facts.hidesSites && facts.may('create', 'drains', null)
            ? [drainSheet(site.name)]
            : [],
        maySuppose,
      };
      return [`site/${site.name}`, card];
    }),
  );
}

function appsBySite({ capps }: DashboardFacts): Map<string, AppLine[]> {
  const found = new Map<string, AppLine[]>();
  for (const line of capps.map(appLineOf))
    for (const site of line.sites) {
      const there = found.get(site);
      if (there === undefined) found.set(site, [line]);
      else there.push(line);
    }
  return found;
}

function hiddenSite(name: string): Site {
  return {
    name,
    state: 'Unknown',
    since: null,
    capps: 0,
    cpu: null,
    memory: null,
    scoredUntil: null,
    agent: { is: 'Unknown' },
    addOn: 'Unknown',
    taints: [],
    version: null,
  };
}

const STATES: Readonly<Record<Site['state'], string>> = {
  Ready: '',
  Unreachable: 'The hub cannot reach it.',
  NotAccepted: 'The hub has not accepted it.',
  Leaving: 'It is being removed from the hub.',
  Unknown: 'OCM has not said yet whether it can be reached.',
};

function troublesOf({ state, agent, addOn, taints }: Omit<Site, 'capps'>): string[] {
  const all = [
    STATES[state],
    agent.is === 'Silent' ? 'Its agent is silent: nobody there says how its Capps are.' : '',
    addOn === 'Missing' ? 'It has no add-on cappstan, so it runs no Capps.' : '',
    addOn === 'Unavailable' ? 'Its add-on cappstan is not available.' : '',
    taints.length > 0 ? `Tainted: ${taints.join(', ')}.` : '',
  ];
  return all.filter((one) => one !== '');
}

function toneOfSite(
  { state }: Omit<Site, 'capps'>,
  troubles: readonly string[],
  lines: readonly AppLine[],
): Tone {
  if (state === 'Unreachable' || lines.some(({ tone }) => tone === 'bad')) return 'bad';
  if (troubles.length > 0) return state === 'Ready' ? 'held' : 'unknown';
  if (state === 'Unknown') return 'unknown';
  return lines.some(({ tone }) => tone === 'moving') ? 'moving' : 'good';
}
