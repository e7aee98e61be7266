// The testbed of flow tests of Bundles: Bundles and works in memory with the bridge's caches over them, and a
// worker for their workflows whose turns a test answers.
import type { Client } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { openingsOf } from '../../../../bridge/changes/openings.ts';
import { keptBundles, type BundlesWatched } from '../../../../bridge/fleet/bundles.ts';
import { keepFleets } from '../../../../bridge/fleet/keep.ts';
import type { WorkflowKeeper } from '../../../../bridge/kept/keep.ts';
import type { Bundle } from '../../../../crds/bundle/bundle.ts';
import { sourcesOf } from '../../../../crds/bundle/bundle.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { keyTextOf } from '../../../../kube/resource.ts';
import type { Change } from '../../../../kube/watch/store.ts';
import type { Fleets } from '../../../../workflows/fleet/port.ts';
import { HUB_QUEUE } from '../../../../workflows/names.ts';
import { workflowBundle } from '../../flow/bundle.ts';
import type { FlowNamespace } from '../../flow/setup.ts';

type Listener<T extends KubeObject> = (change: Change<T>) => void;

/** A cache that a test fills, with the indexes of the bridge's. */
export function held<T extends KubeObject>(indexes: Readonly<Record<string, (object: T) => string[]>> = {}) {
  const objects = new Map<string, T>();
  const listeners = new Set<Listener<T>>();
  const tell = (change: object): void => {
    for (const listener of listeners) listener({ initial: false, ...change } as Change<T>);
  };
  return {
    put: (object: T): void => {
      const previous = objects.get(keyTextOf(object));
      objects.set(keyTextOf(object), object);
      tell({ type: previous === undefined ? 'Added' : 'Modified', object, previous: previous ?? null });
    },
    drop: (object: T): void => {
      objects.delete(keyTextOf(object));
      tell({ type: 'Deleted', object, previous: object });
    },
    cache: {
      get: ({ namespace, name }: { namespace: string | null; name: string }) =>
        objects.get(namespace === null ? name : `${namespace}/${name}`),
      list: () => [...objects.values()],
      changedAt: () => '',
      by: (index: string, value: string) =>
        [...objects.values()].filter((object) => indexes[index]?.(object).includes(value)),
      subscribe: (listener: Listener<T>) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  };
}

const readsOf = (kind: 'configMap' | 'secret') => (bundle: Bundle) =>
  sourcesOf(bundle, kind).map((name) => `${bundle.metadata.namespace ?? ''}/${name}`);

export function hubInMemory() {
  const bundles = held<Bundle>({
    secret: readsOf('secret'),
    configMap: readsOf('configMap'),
  });
  const [works, secrets, configMaps, clusters, configs] = [held(), held(), held(), held(), held()];
  const [placements, decisions, clusterSets, setBindings] = [held(), held(), held(), held()];
  const spread = { clusters, configs, placements, decisions, clusterSets, setBindings };
  const caches = { bundles, works, secrets, configMaps, ...spread };
  const watched = Object.fromEntries(
    Object.entries(caches).map(([name, { cache }]) => [name, cache]),
  ) as unknown as BundlesWatched;
  return { ...caches, watched };
}

export interface BundleTestbed {
  readonly client: Client;
  readonly bridge: WorkflowKeeper;
  close(): Promise<void>;
}

export type Turn = Fleets['turnFleet'];

export async function openBundleTestbed(
  namespace: FlowNamespace,
  watched: BundlesWatched,
  turnFleet: Turn,
): Promise<BundleTestbed> {
  const address = process.env['FLOW_TEMPORAL_ADDRESS'] ?? '';
  const temporal = await TestWorkflowEnvironment.createFromExistingServer({ address, namespace });
  const worker = await Worker.create({
    connection: temporal.nativeConnection,
    namespace,
    taskQueue: HUB_QUEUE,
    workflowBundle: await workflowBundle(),
    activities: { turnFleet },
    shutdownForceTime: '100ms',
  });
  const running = worker.run().catch(() => undefined);
  const errors: unknown[] = [];
  const bridge = keepFleets(
    temporal.client,
    [keptBundles(watched, openingsOf(watched))],
    (_workflow, error) => void errors.push(error),
  );
  return {
    client: temporal.client,
    bridge,
    close: async () => {
      await bridge.stop();
      worker.shutdown();
      await running;
      await temporal.teardown();
      if (errors.length > 0) throw errors[0];
    },
  };
}
