// What Temporal's frontend, etcd and the hub's watches count by themselves. They do not say for whom, so what
// they count at rest is subtracted.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countersIn, grown, type Counters } from '../../testbed/counts/metrics.ts';
import { tenth } from '../../testbed/quantiles.ts';
import type { TestbedStack } from '../../testbed/stack.ts';

/** Sums since the servers' start, by what is counted; `at` is in milliseconds. */
export interface MeterReading {
  readonly at: number;
  readonly counters: Counters;
}

const BYTES = 'bytes written to etcd';
/** Asked by this benchmark, by idle workers, and by what looks whether they are there. */
const UNCOUNTED = /^(Describe|Get|List|Poll|Query|RespondQuery)/;
const WATCHED = new Set(['capps', 'manifestworks', 'events', 'capprevisions']);

export async function readMeters({ hub, layout }: TestbedStack): Promise<MeterReading> {
  const ports = JSON.parse(readFileSync(join(layout.state, 'ports.json'), 'utf8')) as Record<string, number>;
  const served = async (port: string): Promise<string> =>
    (await fetch(`http://127.0.0.1:${ports[port] ?? 0}/metrics`)).text();
  const temporal = countersIn(await served('temporal-metrics'), (name, labels) => {
    const operation = labels.get('operation') ?? '';
    const isCall = name === 'service_requests' && labels.get('service_name') === 'frontend';
    return isCall && !UNCOUNTED.test(operation) ? `call ${operation}` : null;
  });
  const etcd = countersIn(await served('etcd'), (name) =>
    name === 'etcd_debugging_mvcc_total_put_size_in_bytes' ? BYTES : null,
  );
  const watches = countersIn(String(await hub.raw('GET', '/metrics')), (name, labels) => {
    const resource = labels.get('resource') ?? '';
    return name === 'apiserver_watch_events_total' && WATCHED.has(resource)
      ? `watch event ${resource}`
      : null;
  });
  return { at: performance.now(), counters: new Map([...temporal, ...etcd, ...watches]) };
}

/** For one life, what a rest takes in the same time subtracted. */
export function eachOf(
  lives: number,
  [before, after]: readonly [MeterReading, MeterReading],
  rest: readonly [MeterReading, MeterReading],
): Readonly<Record<string, number>> {
  const idle = grown(rest[0].counters, rest[1].counters);
  const share = (after.at - before.at) / (rest[1].at - rest[0].at);
  const each = [...grown(before.counters, after.counters)].map(
    ([what, count]) => [what, tenth((count - (idle.get(what) ?? 0) * share) / lives)] as const,
  );
  return Object.fromEntries(each.filter(([, count]) => count > 0));
}
