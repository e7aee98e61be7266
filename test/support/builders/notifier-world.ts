// A world in memory for one Notification: an API server with one object, a Secret, a receiver, and a clock.
// Calls can be the last thing before the end of the process.
import { NOTIFICATION, type Notification } from '../../../crds/notify/notification.ts';
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { SECRET } from '../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import type { News } from '../../../notify/news/news.ts';
import type { NotifierCaches, NotedObject } from '../../../notify/seen.ts';
import { notifierTimes } from '../../../notify/times.ts';
import type { TurnOptions } from '../../../notify/turn.ts';

export class Killed extends Error {}

const KEY = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const START = Date.parse('2026-11-27T10:00:00.000Z');

export interface World {
  readonly options: TurnOptions;
  /** Bodies that have arrived, by the id of their message. */
  readonly arrived: Map<string, string[]>;
  readonly news: News[];
  now: number;
  /** Whether the next call is the last one before the end. */
  isFatal: () => 'before' | 'after' | null;
  receives: () => boolean;
  current: Notification;
  former: Notification;
  writes: number;
  reads: number;
  retryAfterMs: number | null;
}

export function world(): World {
  const notification: Notification = {
    apiVersion: NOTIFICATION.apiVersion,
    kind: NOTIFICATION.kind,
    metadata: { namespace: 'team-a', name: 'chat', uid: 'n', generation: 1, resourceVersion: '1' },
    spec: { format: 'CloudEvents' },
  };
  const self: World = {
    options: undefined as unknown as TurnOptions,
    arrived: new Map(),
    news: [],
    now: START,
    isFatal: () => null,
    receives: () => true,
    current: notification,
    former: notification,
    writes: 0,
    reads: 0,
    retryAfterMs: null,
  };
  const mortal = async <T>(work: () => T): Promise<T> => {
    const end = self.isFatal();
    if (end === 'before') throw new Killed();
    const result = work();
    if (end === 'after') throw new Killed();
    return Promise.resolve(result);
  };
  return Object.assign(self, {
    options: {
      kube: kubeOf(self, mortal),
      caches: cachesOf(self),
      place: { namespace: 'cappstan-system', configKey: RCS_CONFIG_KEY },
      source: 'test',
      times: notifierTimes(),
      now: () => self.now,
      onEnded: () => undefined,
      send: (_target, { body, headers }) =>
        mortal(() => {
          if (!self.receives())
            return {
              delivered: false,
              reason: 'Refused',
              message: 'x',
              isFinal: false,
              retryAfterMs: self.retryAfterMs,
            };
          const id = headers['webhook-id'] ?? '';
          self.arrived.set(id, [...(self.arrived.get(id) ?? []), body]);
          return { delivered: true };
        }),
    } satisfies TurnOptions,
  });
}

type Mortal = <T>(work: () => T) => Promise<T>;

function kubeOf(self: World, mortal: Mortal): TurnOptions['kube'] {
  const data = Object.fromEntries(
    Object.entries({ 'chat.url': 'https://receiver.test/x', 'chat.key': KEY }).map(([key, value]) => [
      key,
      Buffer.from(value).toString('base64'),
    ]),
  );
  return {
    get: (resource: Resource) =>
      mortal(() => {
        self.reads += resource.kind === SECRET.kind ? 1 : 0;
        return resource.kind === SECRET.kind
          ? { metadata: { name: 'cappstan-notifications' }, data }
          : self.current;
      }),
    apply: (_resource: Resource, object: KubeObject) =>
      mortal(() => {
        const { resourceVersion } = object.metadata;
        if (resourceVersion !== self.current.metadata.resourceVersion)
          throw new ApiError({ method: 'PATCH', path: '/x', code: 409, reason: 'Conflict' });
        self.former = self.current;
        self.writes += 1;
        const metadata = { ...self.current.metadata, resourceVersion: String(Number(resourceVersion) + 1) };
        self.current = {
          ...self.current,
          metadata,
          status: structuredClone((object as Notification).status ?? {}),
        };
        return self.current;
      }),
  } as unknown as Pick<Kube, 'get' | 'apply'>;
}

function cachesOf(self: World): NotifierCaches {
  const none = { by: () => [], count: () => 0, list: () => [], get: () => undefined };
  const config = {
    metadata: { ...RCS_CONFIG_KEY, resourceVersion: '1' },
    spec: { notifications: { hosts: [{ host: 'receiver.test', port: 443 }] } },
  };
  return {
    notifications: { ...none, list: () => [self.current] },
    configs: { ...none, get: () => config },
    capps: {
      ...none,
      by: () => [{ metadata: { name: 'all' }, news: self.news, sites: [] } satisfies NotedObject],
    },
    sets: none,
    drains: none,
    clusters: none,
  } as unknown as NotifierCaches;
}

export function happening(name: string, now: number): News {
  const at = new Date(now).toISOString();
  const about = { kind: 'Capp', namespace: 'team-a', name };
  return {
    id: name,
    topic: 'AppStuck',
    reason: 'R',
    about,
    text: `about ${name}.`,
    at,
    dueAt: now,
    isPast: false,
  };
}
