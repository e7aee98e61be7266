// The hub's two processes in the simulator: the real activities on real caches, and the real bridge, each on
// its own way to the API server.
import { ringForMisplaced, ringForStale, ringForUnready } from '../../../../bridge/resync/resync.ts';
import { workflowResync } from '../../../../bridge/resync/workflows.ts';
import { listen } from '../../../../bridge/changes/listen.ts';
import { ringer } from '../../../../bridge/ringer.ts';
import { keptBundles } from '../../../../bridge/fleet/bundles.ts';
import { keepFleets } from '../../../../bridge/fleet/keep.ts';
import { keptSets } from '../../../../bridge/fleet/sets.ts';
import { keepDrains } from '../../../../bridge/sites/drains.ts';
import { BRIDGE_TIMES } from '../../../../bridge/times.ts';
import { listenForSilence } from '../../../../bridge/sites/silence.ts';
import { openingsOf } from '../../../../bridge/changes/openings.ts';
import { watchHub } from '../../../../bridge/changes/watched.ts';
import { hubCaches } from '../../../../activities/hub/caches.ts';
import { RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { allSynced } from '../../../../kube/watch/cache.ts';
import { hubActivities } from '../../../../workers/hub/activities.ts';
import type { Hub } from '../../../../workflows/ports/hub.ts';
import { fateOf, SURE } from '../api/fate.ts';
import { kubeBy, type Fate } from '../api/line.ts';
import type { KubeRequest } from '../../../../kube/http/transport.ts';
import { HUB } from './names.ts';
import type { World } from './world.ts';

const MATCH_MS = 60_000;
const STALE_MS = 600_000;
const SILENCE_MS = 30_000;
/** In calm the census finds nothing, and is taken less often, which costs less. */
const SELDOM_MS = 1_200_000;
const SILENT_MS = 300_000;

const EMPTY = {
  size: () => 0,
  oldestAt: () => null,
  idle: () => Promise.resolve(),
  stop: () => Promise.resolve(),
};

/** A worker that is told to end lets what it has begun go on for so long. */
const GRACE_MS = 60_000;

export interface HubWorker {
  readonly hub: Hub;
  /** What it has begun goes on for a while. */
  readonly end: () => void;
}

export function startHubWorker(world: World): HubWorker {
  const { server, clock, meter } = world;
  const lag = (): number => world.between(2, world.isLagging() ? 5_000 : 150);
  const metered = (request: KubeRequest): Fate => {
    meter?.asked(request);
    return fateOf(world, request);
  };
  const watching = kubeBy({ server, clock, by: HUB, fateOf: () => SURE, lag });
  const process = world.trial?.process(world, 'hub worker');
  const kube = kubeBy({ server, clock, by: HUB, fateOf: metered, lag, trial: process?.ask });
  const caches = hubCaches(watching, () => undefined);
  const hub = hubActivities({
    kube,
    caches,
    // Events are told of by others, and cost much: they are counted only.
    events: { note: () => meter?.noted(), queue: EMPTY },
    audit: () => undefined,
    client: world.temporal.client(process?.tell),
    hubUid: 'uid-hub',
    config: RCS_CONFIG_KEY,
    gateway: null,
    reserved: [],
  });
  const end = (): void =>
    void clock.after(GRACE_MS, () => {
      for (const cache of Object.values(caches)) void cache.stop();
    });
  const tried = process === undefined ? hub : process.activities(hub, allSynced(caches));
  return { hub: meter === undefined ? tried : meter.activities(tried), end };
}

/** Gives the way to end it, as when its process dies: what it had to ring for is forgotten. */
export function startBridge(world: World): () => void {
  const { server, clock, temporal } = world;
  const lag = (): number => world.between(2, world.slips(0.05) ? 3_000 : 100);
  const watched = watchHub(
    kubeBy({ server, clock, by: 'bridge', fateOf: () => SURE, lag }),
    RCS_CONFIG_KEY,
    () => undefined,
  );
  const openings = openingsOf(watched);
  const client = temporal.client(world.trial?.process(world, 'bridge').tell);
  const bell = ringer(client, () => undefined, { pauseMs: () => BRIDGE_TIMES.yieldBlind.ms });
  const listening = listen(watched, bell, openings);
  const drains = keepDrains(client, watched, () => undefined);
  // Without sets nothing is asked of Temporal for them: the dice of other seeds stay as they were.
  const kinds = !world.hasFleets ? [] : [keptSets(watched, openings), keptBundles(watched, openings)];
  const fleets = keepFleets(client, kinds, () => undefined);
  const compare = (): void => {
    void drains.compare().catch(() => undefined);
    if (kinds.length > 0) void fleets.compare().catch(() => undefined);
  };
  let isAlive = true;
  const often = (ms: number, what: () => void): void => {
    clock.after(world.calm ? Math.max(ms, SELDOM_MS) : ms, () => {
      if (!isAlive) return;
      what();
      often(ms, what);
    });
  };
  const begin = (): void => {
    if (!isAlive) return;
    ringForUnready(watched, bell);
    ringForStale(watched, bell);
    ringForMisplaced(watched, bell);
    compare();
    const lastPoll = async (cluster: string): Promise<number | null> =>
      world.site(cluster)?.polledAt() ?? null;
    const silence = listenForSilence({
      watched,
      ringer: bell,
      lastPoll,
      silentAfterMs: SILENT_MS,
      onError: () => undefined,
    });
    const census = workflowResync(client, watched, bell);
    often(STALE_MS, () => ringForStale(watched, bell));
    often(SILENCE_MS, () => void silence.look());
    often(MATCH_MS, () => {
      compare();
      void census().catch(() => undefined);
    });
  };
  // A bridge that stops before its caches are filled never begins.
  void allSynced(watched).then(begin, () => undefined);
  return () => {
    isAlive = false;
    void listening.stop();
    void drains.stop();
    void fleets.stop();
    void bell.queue.stop();
    for (const cache of Object.values(watched)) void cache.stop();
  };
}
