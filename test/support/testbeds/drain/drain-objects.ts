// Drain objects for flow tests: an API server of one kind in memory, with what the hub worker reads and
// writes there, and a cache for the bridge.
import { happeningOf, revisedStatus } from '../../../../activities/hub/drain/drain-status.ts';
import { DrainSpec, type Drain } from '../../../../crds/drain/drain.ts';
import { isSettledDrain, type DrainStatus } from '../../../../crds/drain/status.ts';
import type { BridgeWatched } from '../../../../bridge/changes/watched.ts';
import type { Change } from '../../../../kube/watch/store.ts';
import type { Hub } from '../../../../workflows/ports/hub.ts';

export interface DrainObjects {
  /** Of the bridge. */
  readonly watched: Pick<BridgeWatched, 'drains'>;
  readonly activities: Pick<Hub, 'readDrain' | 'reportDrain'>;
  create(site: string, spec?: Partial<DrainSpec>): void;
  edit(site: string, spec: Partial<DrainSpec>): void;
  remove(site: string): void;
  statusOf(site: string): DrainStatus;
  /** Somebody else writes the status. */
  say(site: string, status: DrainStatus): void;
  /**
   * When what the drain reported on its way was found out, in milliseconds since the epoch, of each write.
   */
  readonly writes: number[];
  /** The reasons of the events, in order. */
  readonly events: string[];
}

export function drainObjects(): DrainObjects {
  const held = new Map<string, Drain>();
  const listeners = new Set<(change: Change<Drain>) => void>();
  const writes: number[] = [];
  const events: string[] = [];
  let uids = 0;
  const tell = (change: Omit<Change<Drain>, 'initial'>): void => {
    for (const listener of listeners) listener({ ...change, initial: false } as Change<Drain>);
  };
  const put = (object: Drain): void => {
    const previous = held.get(object.metadata.name) ?? null;
    held.set(object.metadata.name, object);
    tell(
      previous === null
        ? { type: 'Added', object, previous }
        : ({ type: 'Modified', object, previous } as never),
    );
  };
  const cache = {
    get: ({ name }: { name: string }) => held.get(name),
    list: () => [...held.values()],
    subscribe: (listener: (change: Change<Drain>) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return {
    writes,
    events,
    watched: { drains: cache as unknown as BridgeWatched['drains'] },
    statusOf: (site) => held.get(site)?.status ?? {},
    say: (site, status) => {
      const drain = held.get(site);
      if (drain !== undefined) put({ ...drain, status });
    },
    create: (site, spec = {}) =>
      put({
        apiVersion: 'rcs.dana.io/v1alpha1',
        kind: 'Drain',
        metadata: { name: site, uid: `uid-${(uids += 1)}`, generation: 1 },
        spec: DrainSpec.parse(spec),
      }),
    edit: (site, spec) => {
      const drain = held.get(site);
      if (drain === undefined) throw new Error(`There is no Drain ${site}`);
      const generation = (drain.metadata.generation ?? 0) + 1;
      put({ ...drain, metadata: { ...drain.metadata, generation }, spec: { ...drain.spec, ...spec } });
    },
    remove: (site) => {
      const object = held.get(site);
      held.delete(site);
      if (object !== undefined) tell({ type: 'Deleted', object, previous: object } as never);
    },
    activities: {
      readDrain: async (cluster) => {
        const drain = held.get(cluster);
        if (drain === undefined) return { drain: null };
        const { uid = '', generation = 0 } = drain.metadata;
        const { dryRun, paused, width, perTarget, ratePerSecond } = drain.spec;
        const isOver = drain.status?.phase === 'Done' || drain.status?.phase === 'Stopped';
        return {
          drain: {
            uid,
            generation,
            dryRun,
            paused,
            lanes: { width, perTarget, ratePerSecond },
            isOver,
            isSettled: isSettledDrain(drain),
          },
        };
      },
      reportDrain: async (cluster, report) => {
        const drain = held.get(cluster);
        if (drain?.metadata.uid !== report.uid) return;
        const status = revisedStatus(drain, report);
        if (status === null) return;
        const happening = happeningOf(drain, status);
        if (happening !== null) events.push(happening.reason);
        if (report.phase !== 'Done') writes.push(report.at);
        put({ ...drain, status });
      },
    },
  };
}
