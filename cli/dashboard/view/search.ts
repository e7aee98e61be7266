// What a person may mean by a few letters: names, namespaces, sites and hostnames.
import { appLineOf } from './apps.ts';
import type { DashboardFacts } from './facts.ts';
import { fleetObjects } from './rollout/rollouts.ts';

export interface Hit {
  readonly kind: 'Capp' | 'CappSet' | 'Bundle' | 'site';
  readonly name: string;
  /** Why it was found, where its name does not say. */
  readonly says: string;
  /** Its address within the page. */
  readonly href: string;
}

const MOST = 20;

/** Names that begin with it first. Nothing for an empty text. */
export function hitsFor(text: string, facts: DashboardFacts): Hit[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  const found = allOf(facts).filter(({ name, says }) => `${name} ${says}`.toLowerCase().includes(wanted));
  const rank = ({ name }: Hit): number => {
    const last = name.slice(name.indexOf('/') + 1).toLowerCase();
    return last === wanted ? 0 : last.startsWith(wanted) ? 1 : name.toLowerCase().includes(wanted) ? 2 : 3;
  };
  return found.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1)).slice(0, MOST);
}

function allOf(facts: DashboardFacts): Hit[] {
  const sites = facts.clusters.map(({ metadata: { name } }): Hit => ({
    kind: 'site',
    name,
    says: '',
    href: `/fleet?site=${encodeURIComponent(name)}`,
  }));
  const apps = facts.capps.map((capp): Hit => {
    const { namespace, name, site, hostname } = appLineOf(capp);
    const says = [site === null ? '' : `on ${site}`, hostname ?? ''].filter((one) => one !== '').join(', ');
    return { kind: 'Capp', name: `${namespace}/${name}`, says, href: `/apps/${namespace}/${name}` };
  });
  const rollouts = fleetObjects(facts).map(({ is, object }): Hit => {
    const { namespace = '', name } = object.metadata;
    return { kind: is, name: `${namespace}/${name}`, says: '', href: `/rollouts/${is}/${namespace}/${name}` };
  });
  return [...sites, ...rollouts, ...apps];
}
