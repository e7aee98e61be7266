// Which news a Notification is told, and which Notifications a change concerns.
import type { Topic } from '../crds/notify/notification.ts';
import type { News } from './news/news.ts';
import { EVERYWHERE, siteKey, type NotifierCaches, type NotedObject } from './seen.ts';

export interface Scope {
  /** `*` for the whole hub. */
  readonly namespace: string;
  /** Absent: all. */
  readonly topics?: readonly Topic[];
}

type Told = Omit<NotifierCaches, 'notifications' | 'configs'>;

/** All that is so now. A namespace hears of a site's loss if a Capp of it is there. */
export function newsFor(caches: Told, { namespace, topics }: Scope): readonly News[] {
  const telling = (cache: NotifierCaches['capps'] | undefined): readonly News[] =>
    (cache?.by('telling', namespace) ?? []).flatMap(({ news }) => news);
  const ofHub = namespace === EVERYWHERE ? telling(caches.drains) : [];
  const lost = caches.clusters.by('telling', EVERYWHERE).flatMap((one) => lossOf(caches, namespace, one));
  const all = [
    ...telling(caches.capps),
    ...telling(caches.sets),
    ...telling(caches.bundles),
    ...ofHub,
    ...lost,
  ];
  return topics === undefined ? all : all.filter(({ topic }) => topics.includes(topic));
}

function lossOf({ capps }: Told, namespace: string, { metadata, news }: NotedObject): readonly News[] {
  const count = capps.count('site', siteKey(namespace, metadata.name));
  if (count === 0 && namespace !== EVERYWHERE) return [];
  const whose = namespace === EVERYWHERE ? '' : ` of namespace ${namespace}`;
  const there = count === 1 ? `1 Capp${whose} is there` : `${count} Capps${whose} are there`;
  return news.map((one) => ({ ...one, text: `${one.text} ${there}.` }));
}

/** What is told of the object has changed, or where it is. */
export function isOther(before: NotedObject | null, after: NotedObject): boolean {
  const said = (one: NotedObject | null): string =>
    JSON.stringify([one?.news.map(({ id }) => id) ?? [], one?.sites ?? []]);
  return said(before) !== said(after);
}
