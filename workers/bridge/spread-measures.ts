// What the bridge measures of CappSets and Bundles, by what their statuses say: never by their names or
// sites.
import type { BridgeWatched } from '../../bridge/changes/watched.ts';
import type { Meter, MetricSample } from '../metrics/meter.ts';

export function measureSpread(
  meter: Meter,
  { sets, bundles }: Pick<BridgeWatched, 'sets' | 'bundles'>,
): void {
  meter.gauge('cappstan_sets', () => byReason(sets.list(), 'SitesReady'));
  meter.gauge('cappstan_set_sites', () => {
    const counts = { Ready: 0, Failed: 0, Offline: 0, UnderWay: 0 };
    for (const { status: { sites = 0, ready = 0, failed = 0, offline = 0 } = {} } of sets.list()) {
      counts.Ready += ready;
      counts.Failed += failed;
      counts.Offline += offline;
      counts.UnderWay += Math.max(0, sites - ready - failed - offline);
    }
    return byState(counts);
  });
  meter.gauge('cappstan_bundles', () => byReason(bundles.list(), 'Ready'));
  meter.gauge('cappstan_bundle_sites', () => {
    const counts = { Ready: 0, Failed: 0, UnderWay: 0 };
    for (const { status: { sites = 0, ready = 0, failed = 0 } = {} } of bundles.list()) {
      counts.Ready += ready;
      counts.Failed += failed;
      counts.UnderWay += Math.max(0, sites - ready - failed);
    }
    return byState(counts);
  });
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
}

interface Spread {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/**
 * The reason of those that are as asked is shown from 0 on. All sites of what is Ready are as asked, and it
 * may still wait for a person: then that is the reason.
 */
function byReason(all: readonly Spread[], whenReady: string): MetricSample[] {
  const counts = new Map<string, MetricSample>();
  const add = (reason: string, stalled: string, by: number): void => {
    const key = `${reason} ${stalled}`;
    const value = (counts.get(key)?.value ?? 0) + by;
    counts.set(key, { labels: { reason, stalled }, value });
  };
  add(whenReady, 'False', 0);
  for (const { status: { conditions = [] } = {} } of all) {
    const of = (type: string): Condition | undefined => conditions.find((one) => one.type === type);
    const [ready, stalled] = [of('Ready'), of('Stalled')];
    const isStalled = stalled?.status === 'True';
    const first = isStalled && ready?.status === 'True' ? stalled : ready;
    add(first?.reason ?? 'NotObserved', isStalled ? 'True' : 'False', 1);
  }
  return [...counts.values()];
}

function byState(counts: Readonly<Record<string, number>>): MetricSample[] {
  return Object.entries(counts).map(([state, value]) => ({ labels: { state }, value }));
}
