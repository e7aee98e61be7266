// The site operator: reconciles a Capp whenever something of it changes on its site. It needs only its site's
// API server.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Capp } from '../crds/capp/capp.ts';
import { FINALIZER, RECORD_FINALIZER } from '../crds/labels.ts';
import { stopAll } from '../kube/watch/cache.ts';
import type { Kube } from '../kube/client.ts';
import { keyedQueue, type KeyedQueue } from '../kube/queue.ts';
import type { KubeObject } from '../kube/resource.ts';
import { countConditions, type ConditionCount } from './status/condition-counts.ts';
import { recorder, type Recorder } from './recorder.ts';
import { hasFinalizer, releaseFinalizer, removeOwnerless } from './ending/finalizer.ts';
import { predecessor } from './predecessor.ts';
import { isHeld, removeRecords } from './route/cluster-record.ts';
import { tidyNamespaces } from './ending/namespace.ts';
import { history } from './revisions/history.ts';
import { refusals } from './objects/refusals.ts';
import type { WrittenStatus } from './status/publish.ts';
import { reconcile } from './reconcile.ts';
import { refuseHub } from './refuse-hub.ts';
import { liveConfig, type LiveConfig, type OnProblems } from './config/live.ts';
import { steps } from './workload/steps.ts';
import { unrouted } from './route/unrouted.ts';
import type { Wake } from './workload/lasting.ts';
import { undeployed } from './workload/undeployed.ts';
import { unserved } from './workload/unserved.ts';
import { unmade } from './workload/unmade.ts';
import { unstarted } from './workload/unstarted.ts';
import { sealing, type SiteSealing } from './sealing/sealing.ts';
import { openings } from './namespaces/openings.ts';
import { optionalKinds, watchSite, type OperatedSite, type Watched } from './watched.ts';
import { SITE_TIMES } from './times.ts';
import { listen } from './listen.ts';

export interface SiteOperator {
  /**
   * Resolves once all that there is has been listed. Until then nothing is written, and nothing ever is if it
   * rejects: because this is a hub (`refuseHub`), or because it was stopped before.
   */
  readonly synced: Promise<void>;
  /** Capps that wait for a reconcile, are reconciled or back off. */
  waiting(): number;
  /** How many Capps have each condition, with each status. */
  conditions(): readonly ConditionCount[];
  /** Resolves when no Capp waits for a reconcile. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

export interface SiteOptions {
  /** Namespaces in which no Capp may run, besides those that never may. */
  readonly reserved?: readonly string[];
  /** The operator's own Namespace. */
  readonly place?: string;
  /** Called when a watch is interrupted: its kind and why. */
  readonly onProblem: (kind: string, error: unknown) => void;
  /**
   * Called when something else of the site's CappConfig has no effect, or is superseded by it: a sentence for
   * each.
   */
  readonly onConfigProblems?: (problems: readonly string[]) => void;
  /**
   * Called when container-app-operator is found to run here too, so that this operator writes nothing, and
   * when it has stopped.
   */
  readonly onPredecessor?: (runs: boolean) => void;
  /** Called after each reconcile, with the seconds that it took. */
  readonly onReconciled?: (result: 'success' | 'error', seconds: number) => void;
  /** Called when a reconcile failed and will be retried; the key is "namespace/name". */
  readonly onError: (key: string, error: unknown, failures: number) => void;
}

/** Where the add-on puts it, unless the chart says otherwise. */
const PLACE = 'open-cluster-management-agent-addon';

export function siteOperator(kube: Kube, options: SiteOptions): SiteOperator {
  const watched = watchSite(kube, options.onProblem);
  const newest = newestStatus();
  const events = recorder(kube, watched);
  const { reserved = [], onConfigProblems = () => undefined, onPredecessor = () => undefined } = options;
  const wake: Wake = (key, delayMs) => queue.add(key, delayMs);
  const site: OperatedSite = {
    kube,
    watched,
    config: configOf(watched, events, onConfigProblems),
    steps: steps({ wake }),
    recorder: events,
    history: history(kube, watched.cappRevisions),
    reserved,
    refusals: refusals(),
    ...noticing(wake),
    openings: openings(kube, watched, options.place ?? PLACE),
  };
  const queue: KeyedQueue = keyedQueue({
    work: (key) =>
      timed(() => reconcileOrEnd(site, newest, { key, isOurs: () => !older.runs() }), options.onReconciled),
    slowestMs: SITE_TIMES.retryLongest.ms,
    onError: options.onError,
  });
  const secrets = sealingOf(site, options);
  const namespaces = tidyNamespaces(kube, watched, options.onError);
  const older = predecessor(kube, watched.capps, {
    onFound: (capp) => {
      events.standsBack(capp);
      onPredecessor(true);
    },
    onError: options.onError,
  });
  const begin = once(() => {
    events.start();
    namespaces.start();
    secrets.start();
    return listen(site, (key, delayMs) => queue.add(key, delayMs));
  });
  const synced = sync(watched).then(() => refuseHub(kube));
  synced.then(
    () =>
      older.watch(() => {
        begin()();
        onPredecessor(false);
      }),
    () => undefined,
  );
  return {
    synced,
    waiting: () => queue.size(),
    conditions: () => countConditions(watched.capps.list()),
    idle: () => queue.idle(),
    stop: async () => {
      older.stop();
      await Promise.all([stopAll(watched), queue.stop(), namespaces.stop(), events.stop(), secrets.stop()]);
    },
  };
}

function sealingOf(
  { kube, watched, reserved, openings: { admits } }: OperatedSite,
  { place = PLACE, onError }: SiteOptions,
): SiteSealing {
  return sealing({ kube, sealed: watched.cappSecrets, place, reserved, admits, onError });
}

function configOf(
  watched: Watched,
  events: Pick<Recorder, 'superseded'>,
  onProblems: NonNullable<SiteOptions['onConfigProblems']>,
): LiveConfig {
  const older = [watched.autoscaleDefaults, watched.dnsConfig];
  const tell: OnProblems = (problems, superseded) => {
    for (const { object, message } of superseded) events.superseded(object, message);
    onProblems([...problems, ...superseded.map(({ message }) => message)]);
  };
  return liveConfig(watched.cappConfigs, tell, older);
}

async function timed(work: () => Promise<void>, onReconciled: SiteOptions['onReconciled']): Promise<void> {
  const began = performance.now();
  let result: 'success' | 'error' = 'error';
  try {
    await work();
    result = 'success';
  } finally {
    onReconciled?.(result, (performance.now() - began) / 1000);
  }
}

type Notices = Pick<OperatedSite, 'unserved' | 'unrouted' | 'undeployed' | 'unmade' | 'unstarted'>;

/** What Knative and kubelets never say: it is noticed when it lasts. */
function noticing(wake: Wake): Notices {
  return {
    unserved: unserved(wake),
    unrouted: unrouted(wake),
    undeployed: undeployed(wake),
    unmade: unmade(wake),
    unstarted: unstarted(wake),
  };
}

/** What is due for one Capp: to be reconciled, to end, or to be forgotten. Throws what is to be retried. */
async function reconcileOrEnd(
  site: OperatedSite,
  newest: ReturnType<typeof newestStatus>,
  { key, isOurs }: { readonly key: string; readonly isOurs: () => boolean },
): Promise<void> {
  const { kube, watched } = site;
  const [namespace = '', name = ''] = key.split('/');
  const capp = watched.capps.get({ namespace, name });
  if (capp === undefined) return forget(site, key);
  if (!isOurs()) return;
  await site.openings.known();
  if (capp.metadata.deletionTimestamp === undefined) {
    newest.learn(await reconcile(site, newest.of(capp)));
    await releaseFinalizer(kube, capp, FINALIZER);
    return;
  }
  if (hasFinalizer(capp)) await removeOwnerless(kube, watched, capp);
  if (hasFinalizer(capp) || isHeld(capp)) await removeRecords(kube, capp);
  await releaseFinalizer(kube, capp, FINALIZER, RECORD_FINALIZER);
}

function forget({ steps, ...site }: OperatedSite, key: string): void {
  const { refusals, unserved, unrouted, undeployed, unmade, unstarted, history } = site;
  for (const memory of [refusals, unserved, unrouted, undeployed, unmade, unstarted, history])
    memory.forget(key);
  steps.end(key);
}

async function sync(watched: Watched): Promise<void> {
  const { capps, pods, namespaces, cappConfigs, autoscaleDefaults, dnsConfig } = watched;
  const kinds = optionalKinds(watched).map((kind) => kind.known);
  // No Capp depends on it, so an API server that does not say must not hold them up.
  const config = Promise.race([
    Promise.all([cappConfigs.known, autoscaleDefaults.known, dnsConfig.known]),
    sleep(SITE_TIMES.configFirst.ms, undefined, { ref: false }),
  ]);
  await Promise.all([capps.synced, pods.synced, namespaces.synced, config, ...kinds]);
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/**
 * The watch shows our own writes a moment later; until then the answer to the write is the newest version
 * known.
 */
function newestStatus() {
  const written = new Map<string, WrittenStatus>();
  return {
    learn: (capp: WrittenStatus | null): void => {
      if (capp !== null) written.set(capp.metadata.uid ?? '', capp);
    },
    of: (capp: Capp): Capp => {
      const uid = capp.metadata.uid ?? '';
      const own = written.get(uid);
      if (own === undefined) return capp;
      if (version(capp) < version(own))
        return { ...capp, ...(own.status === undefined ? {} : { status: own.status }) };
      written.delete(uid);
      return capp;
    },
  };
}

function version({ metadata }: KubeObject): bigint {
  return BigInt(metadata.resourceVersion ?? '0');
}
