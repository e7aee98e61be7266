// Rings the workflow `bundle/<namespace>/<name>` when a Bundle changes, or what it reads, one of its works,
// what selects its sites, or one of them; and starts it if need be. Of works it knows metadata alone, so any
// change of one is a ring, a second later for all of a Bundle.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { isDeepStrictEqual } from 'node:util';
import type { Bundle } from '../../crds/bundle/bundle.ts';
import { bundleOfWork, isWorkOfBundle } from '../../crds/ocm/bundle-work.ts';
import { AVAILABLE, MANAGED_CLUSTER, MANIFEST_WORK, type ManagedCluster } from '../../crds/ocm/ocm.ts';
import { isOrphaning } from '../../kube/finalizer.ts';
import { keyText, keyTextOf, type KubeObject } from '../../kube/resource.ts';
import { bundleChanged } from '../../workflows/messages.ts';
import { BUNDLE_WORKFLOW, bundleOfWorkflowId, bundleWorkflowId, HUB_QUEUE } from '../../workflows/names.ts';
import type { Ring } from '../../workflows/types/ring.ts';
import { listenToSelection } from '../changes/selection.ts';
import type { Watched } from '../changes/watched.ts';
import { rings, type Changed, type Rings } from '../rings.ts';
import { BRIDGE_TIMES } from '../times.ts';

export type BundleWatched = Pick<
  Watched,
  'bundles' | 'works' | 'secrets' | 'configMaps' | 'clusters' | 'configs' | 'placements' | 'decisions'
>;

export interface BundleRings {
  /**
   * Starts missing workflows, as after a loss of Temporal's data, and those of Bundles that are gone and have
   * left works. Rings Bundles whose newest generation nobody has seen, and at its first call those that are
   * not Ready. Takes synced caches. Throws what the Temporal client throws.
   */
  compare(): Promise<void>;
  stop(): Promise<void>;
}

export function keepBundles(
  client: Pick<Client, 'workflow'>,
  watched: BundleWatched,
  onError: (bundle: string, error: unknown) => void,
): BundleRings {
  const { call, stop } = rings((key, changed) => ring(client, watched, key, changed), onError);
  const ends = listen(watched, call);
  let isFirst = true;
  return {
    compare: async () => {
      const running = new Set<string>();
      for await (const { workflowId } of client.workflow.list({
        query: `WorkflowType = '${BUNDLE_WORKFLOW}' AND ExecutionStatus = 'Running'`,
      })) {
        const bundle = bundleOfWorkflowId(workflowId);
        if (bundle !== null) running.add(keyText(bundle));
      }
      for (const bundle of watched.bundles.list()) {
        const key = keyTextOf(bundle);
        if (!running.has(key) || !isHeeded(bundle) || (isFirst && !isReady(bundle))) call(key, {});
      }
      for (const key of leftBy(watched)) if (!running.has(key)) call(key, {});
      isFirst = false;
    },
    stop: () => {
      for (const end of ends) end();
      return stop();
    },
  };
}

function listen(watched: BundleWatched, call: Rings['call']): (() => void)[] {
  const { bundles, works, secrets, configMaps } = watched;
  const all = (found: readonly Bundle[]): void => {
    for (const bundle of found) call(keyTextOf(bundle), {});
  };
  return [
    bundles.subscribe(({ type, object, previous }) => {
      if (type !== 'Modified' || isNews(previous, object)) call(keyTextOf(object), {});
    }),
    works.subscribe(({ object, initial }) => {
      const bundle = initial ? null : bundleOfWork(object);
      if (bundle !== null) call(keyText(bundle), versionOf(MANIFEST_WORK.kind, object), SOON);
    }),
    secrets.subscribe(({ object, initial }) => {
      if (!initial) all(bundles.by('secret', keyTextOf(object)));
    }),
    configMaps.subscribe(({ object, initial }) => {
      if (!initial) all(bundles.by('configMap', keyTextOf(object)));
    }),
    listenToSites(watched, call),
    ...listenToSelection(
      watched,
      () => bundles.list(),
      (bundle, object, kind) => call(keyTextOf(bundle), versionOf(kind, object)),
    ),
  ];
}

/** Many works and sites change within a second: they are one look. */
const SOON = BRIDGE_TIMES.bundleWork.ms;

/** Which sites a Placement selects is not known here, so each site concerns all that have a Placement. */
function listenToSites({ bundles, clusters }: BundleWatched, call: Rings['call']): () => void {
  return clusters.subscribe(({ type, object, previous, initial }) => {
    const isSame = type === 'Modified' && isDeepStrictEqual(factsOf(previous), factsOf(object));
    if (initial || isSame) return;
    const changed = versionOf(MANAGED_CLUSTER.kind, object);
    for (const bundle of bundles.by('cluster', object.metadata.name)) call(keyTextOf(bundle), changed);
    for (const bundle of bundles.list())
      if (bundle.spec.placement !== undefined) call(keyTextOf(bundle), changed, SOON);
  });
}

function versionOf(kind: string, { metadata: { resourceVersion } }: KubeObject): Changed {
  return resourceVersion === undefined ? {} : { [kind]: resourceVersion };
}

/** A change of the status alone is no news. */
function isNews(before: Bundle, { metadata }: Bundle): boolean {
  return (
    before.metadata.uid !== metadata.uid ||
    before.metadata.generation !== metadata.generation ||
    before.metadata.deletionTimestamp !== metadata.deletionTimestamp ||
    isOrphaning(before) !== isOrphaning({ metadata }) ||
    !isDeepStrictEqual(before.metadata.annotations, metadata.annotations)
  );
}

/** What of a managed cluster decides whether a Bundle may go there, and whether it can be reached. */
function factsOf({ metadata, spec, status }: ManagedCluster): unknown {
  const { labels, deletionTimestamp } = metadata;
  const available = status?.conditions?.find(({ type }) => type === AVAILABLE)?.status;
  return { labels, deletionTimestamp, accepted: spec?.hubAcceptsClient, taints: spec?.taints, available };
}

function isHeeded({ metadata, status }: Bundle): boolean {
  return status?.observedGeneration === metadata.generation;
}

function isReady({ status }: Bundle): boolean {
  return status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true;
}

/** "namespace/name" of Bundles that are gone and have left works. */
function leftBy({ bundles, works }: BundleWatched): Set<string> {
  const owners = works.list().flatMap((work) => {
    const owner = bundleOfWork(work);
    return owner !== null && isWorkOfBundle(work, owner) ? [owner] : [];
  });
  return new Set(owners.filter((owner) => bundles.get(owner) === undefined).map(keyText));
}

async function ring(
  client: Pick<Client, 'workflow'>,
  watched: BundleWatched,
  key: string,
  minimumVersions: Changed,
): Promise<void> {
  const [namespace = '', name = ''] = key.split('/');
  const workflowId = bundleWorkflowId(namespace, name);
  const news: Ring = { causes: ['work'], minimumVersions };
  // A workflow without a Bundle and without works has ended, or ends by itself.
  if (watched.bundles.get({ namespace, name }) === undefined && !leftBy(watched).has(key)) {
    await client.workflow.getHandle(workflowId).signal(bundleChanged, news).catch(ignoreEnded);
    return;
  }
  await client.workflow.signalWithStart(BUNDLE_WORKFLOW, {
    workflowId,
    taskQueue: HUB_QUEUE,
    args: [{ namespace, name }],
    signal: bundleChanged,
    signalArgs: [news],
    staticSummary: `Bundle ${namespace}/${name}`,
  });
}

function ignoreEnded(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
