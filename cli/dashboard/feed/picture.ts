// The picture of one view: what the page is given, and nothing else of the hub.
import { appLines } from '../view/apps.ts';
import { appView } from '../view/app.ts';
import { drainLines } from '../view/drains.ts';
import type { DashboardFacts } from '../view/facts.ts';
import { siteCards } from '../view/fleet.ts';
import { fleetObjects, rolloutLines, rolloutModel } from '../view/rollout/rollouts.ts';
import { timeLine } from '../view/past/time-line.ts';
import type { Gone } from './gone.ts';
import type { Picture } from './differences.ts';

/** Which picture a page asks for, as its query says. */
export interface Viewed {
  readonly view: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Of the time line alone: what happened there; empty for all. */
  readonly site: string;
}

export function viewedIn(query: URLSearchParams): Viewed {
  const at = (name: string): string => query.get(name) ?? '';
  return {
    view: at('view'),
    kind: at('kind'),
    namespace: at('namespace'),
    name: at('name'),
    site: at('site'),
  };
}

/** Empty for a view that there is none of. */
export function pictureOf(viewed: Viewed, facts: DashboardFacts, gone: Gone): Picture {
  switch (viewed.view) {
    case 'fleet':
      return { ...siteCards(facts), ...drainLines(facts) };
    case 'apps':
      return appLines(facts);
    case 'app':
      return appPicture(viewed, facts, gone);
    case 'rollouts':
      return rolloutLines(facts);
    case 'rollout':
      return rolloutPicture(viewed, facts, gone);
    case 'drains':
      return drainLines(facts);
    case 'time':
      return timeLine(facts, { site: viewed.site, namespace: viewed.namespace });
    default:
      return {};
  }
}

/** What an address names and the hub does not have. */
export interface MissingObject {
  /** RFC 3339; null if it was never there while the dashboard ran. */
  readonly goneAt: string | null;
}

function appPicture({ namespace, name }: Viewed, facts: DashboardFacts, gone: Gone): Picture {
  const found = facts.capps.find(
    ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
  );
  if (found !== undefined) return { app: appView(found, facts) };
  return { missing: { goneAt: gone.at('Capp', `${namespace}/${name}`) } satisfies MissingObject };
}

function rolloutPicture({ kind, namespace, name }: Viewed, facts: DashboardFacts, gone: Gone): Picture {
  const found = fleetObjects(facts).find(
    ({ is, object: { metadata } }) =>
      is === kind && metadata.name === name && metadata.namespace === namespace,
  );
  if (found !== undefined) return { rollout: rolloutModel(found, facts) };
  return { missing: { goneAt: gone.at(kind, `${namespace}/${name}`) } satisfies MissingObject };
}
