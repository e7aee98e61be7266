// What every process measures of itself, of its watches and of its queues.
import { readFileSync } from 'node:fs';
import type { Cache } from '../../kube/watch/cache.ts';
import type { KeyedQueue } from '../../kube/queue.ts';
import type { KubeObject } from '../../kube/resource.ts';
import type { Logger } from '../process/log.ts';
import type { Meter } from './meter.ts';

/** The version of the package that this process runs. */
function versionOf(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

export function measureProcess(meter: Meter, process: string): void {
  const version = versionOf();
  meter.gauge('cappstan_build_info', () => [{ labels: { process, version }, value: 1 }]);
  meter.gauge('cappstan_memory_bytes', () => [
    { labels: { process }, value: globalThis.process.memoryUsage.rss() },
  ]);
}

type Seen = Pick<Cache<KubeObject>, 'onSeen'>;

/** How long ago each of these caches was last shown to be up to date. */
export function measureCaches(meter: Meter, process: string, caches: object): void {
  const ages = Object.entries(caches as Readonly<Record<string, Seen>>).map(([cache, { onSeen }]) => {
    let seenAt = Date.now();
    onSeen(() => (seenAt = Date.now()));
    return (): { labels: Record<string, string>; value: number } => ({
      labels: { process, cache },
      value: (Date.now() - seenAt) / 1000,
    });
  });
  meter.gauge('cappstan_cache_age_seconds', () => ages.map((age) => age()));
}

export function measureQueue(meter: Meter, queue: string, keys: Pick<KeyedQueue, 'size' | 'oldestAt'>): void {
  meter.gauge('cappstan_queue_keys', () => [{ labels: { queue }, value: keys.size() }]);
  meter.gauge('cappstan_queue_oldest_seconds', () => {
    const since = keys.oldestAt();
    return [{ labels: { queue }, value: since === null ? 0 : (Date.now() - since) / 1000 }];
  });
}

/** For watches: counts and logs each restart. */
export function watchProblems(
  meter: Meter,
  process: string,
  log: Pick<Logger, 'warn'>,
): (kind: string, error: unknown) => void {
  return (kind, error) => {
    meter.count('cappstan_watch_restarts_total', { process, kind });
    log.warn({ kind, err: error }, 'watch restarted');
  };
}
