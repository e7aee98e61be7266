// The testbed of drain tests: a worker for drains and for fake Capp workflows, and a record of their
// messages.
import type { Client } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import { fileURLToPath } from 'node:url';
import { hubTurnRequests } from '../../../../activities/hub/drain/turn-request.ts';
import { EARLIER_FAIL } from '../../../../workers/hub/workflow-code.ts';
import type { DrainProgress } from '../../../../workflows/drain/decide/progress.ts';
import { progress } from '../../../../workflows/messages.ts';
import { CAPP_WORKFLOW, cappWorkflowId, HUB_QUEUE, turnsWorkflowId } from '../../../../workflows/names.ts';
import type { Hub } from '../../../../workflows/ports/hub.ts';
import type { Resident } from '../../../../workflows/drain/residents.ts';
import type { Settled } from '../../../../workflows/types/turns.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import type { Travel } from './drained-capp.ts';

export interface DrainTestbed {
  readonly client: Client;
  /** Starts the workflows of Capps on a cluster. */
  settle(from: string, names: readonly string[]): Promise<void>;
  /** A Capp asks for its turn as the hub does. */
  requestTurn(
    from: string,
    name: string,
    plain?: { readonly to?: string | null; readonly priority?: number },
  ): Promise<void>;
  /** What Capps were told, in order. */
  readonly heard: { readonly name: string; readonly what: 'Go' | 'Wait' | 'leave' }[];
  /** Who is under way now. */
  underWay(): string[];
  /** The most that have been under way at once. */
  most(): number;
  /** From now on whoever travels takes so long (milliseconds), or until `arrive`. */
  takes(milliseconds: number | null): void;
  /** All that are under way arrive. */
  arrive(outcome?: Settled['outcome'], reason?: string): void;
  /** What the hub's caches show. */
  residents: readonly Resident[];
  view(cluster: string): Promise<DrainProgress>;
  until(cluster: string, isSo: (seen: DrainProgress) => boolean, withinMs?: number): Promise<DrainProgress>;
  /** The hub worker dies, and another begins; what Capps do on their way goes on. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

/** Half a second to two, once for each test file. */
export async function drainBundle(): Promise<{ readonly code: string }> {
  const workflowsPath = fileURLToPath(new URL('drained-capp.ts', import.meta.url));
  return bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
}

export interface DrainTestbedOptions {
  readonly address: string;
  readonly namespace: string;
  readonly workflowBundle: { readonly code: string };
  /** Drain objects of the hub; without them there are none. */
  readonly objects?: Pick<Hub, 'readDrain' | 'reportDrain'>;
}

const NO_OBJECTS: Pick<Hub, 'readDrain' | 'reportDrain'> = {
  readDrain: async () => ({ drain: null }),
  reportDrain: async () => undefined,
};

type Arrival = (came: Pick<Settled, 'outcome' | 'reason'>) => void;

const PAGE = 20;
const MOVED = { outcome: 'Moved', reason: 'Tainted' } as const;

export async function openDrainTestbed({
  address,
  namespace,
  workflowBundle,
  objects = NO_OBJECTS,
}: DrainTestbedOptions): Promise<DrainTestbed> {
  const temporal = await TestWorkflowEnvironment.createFromExistingServer({
    address,
    namespace,
    client: { identity: 'test' },
  });
  const { client } = temporal;
  const underWay = new Map<string, Arrival>();
  const heard: DrainTestbed['heard'] = [];
  const clusters = new Set<string>();
  // Capps that another test has left behind find this worker, too.
  const mine = new Set<string>();
  let most = 0;
  let pace: number | null = 0;

  const travel: Travel = {
    hear: async (name, what) => void heard.push({ name, what }),
    travel: (name, what) =>
      new Promise((resolve) => {
        if (!mine.has(name)) return resolve(MOVED);
        heard.push({ name, what });
        const arrive: Arrival = (came) => {
          underWay.delete(name);
          if (came.outcome === 'Moved') self.residents = self.residents.filter((one) => one.name !== name);
          resolve(came);
        };
        underWay.set(name, arrive);
        most = Math.max(most, underWay.size);
        if (pace !== null) setTimeout(() => arrive(MOVED), pace);
      }),
  };
  const hub: Pick<Hub, 'cappsOn' | 'plan'> = {
    cappsOn: async (_cluster, after, bound) => {
      const start =
        self.residents.findIndex(
          ({ namespace: ns, name }) => ns === after?.namespace && name === after.name,
        ) + 1;
      const page = self.residents.slice(start, start + PAGE);
      const capps =
        bound !== null ? page : page.map((one) => ({ ...one, to: null, why: one.why ?? 'NotMoving' }));
      return { capps, isLast: start + PAGE >= self.residents.length };
    },
    plan: async (cluster) => ({
      cluster,
      at: '2026-03-01T12:00:00.000Z',
      capps: self.residents.length,
      moves: {},
      first: [],
      stays: [],
    }),
  };
  const asking = hubTurnRequests(client);
  const begin = async (): Promise<() => Promise<void>> => {
    const worker = await Worker.create({
      connection: temporal.nativeConnection,
      namespace,
      taskQueue: HUB_QUEUE,
      workflowBundle,
      activities: { ...hub, ...asking, ...objects },
      workflowFailureErrorTypes: EARLIER_FAIL,
      shutdownForceTime: '100ms',
    });
    const running = worker.run().catch(() => undefined);
    return async () => {
      worker.shutdown();
      await running;
    };
  };
  let end = await begin();
  const journeys = await Worker.create({
    connection: temporal.nativeConnection,
    namespace,
    taskQueue: 'journeys',
    activities: { ...travel },
    maxConcurrentActivityTaskExecutions: 500,
    shutdownForceTime: '100ms',
  });
  const travelling = journeys.run().catch(() => undefined);
  const view = (cluster: string): Promise<DrainProgress> =>
    client.workflow.getHandle(turnsWorkflowId(cluster)).query(progress);

  const self: DrainTestbed = {
    client,
    heard,
    underWay: () => [...underWay.keys()],
    residents: [],
    most: () => most,
    takes: (milliseconds) => {
      pace = milliseconds;
    },
    arrive: (outcome = 'Moved', reason = 'Tainted') => {
      for (const arrive of underWay.values()) arrive({ outcome, reason });
    },
    settle: async (from, names) => {
      clusters.add(from);
      for (const name of names) mine.add(name);
      await Promise.all(
        names.map(async (name) => {
          const workflowId = cappWorkflowId('apps', name);
          await client.workflow.start(CAPP_WORKFLOW, {
            workflowId,
            taskQueue: HUB_QUEUE,
            args: [{ namespace: 'apps', name, from }],
          });
        }),
      );
    },
    requestTurn: async (from, name, plain = {}) =>
      asking.requestTurn(from, { namespace: 'apps', name, to: 'site-2', priority: 0, ...plain }),
    view,
    until: (cluster, isSo, withinMs = 60_000) =>
      eventually(
        async () => {
          const seen = await view(cluster);
          if (isSo(seen)) return seen;
          throw new Error(`the drain is still ${JSON.stringify(seen)}`);
        },
        { withinMs },
      ),
    crash: async () => {
      await end();
      end = await begin();
    },
    close: async () => {
      for (const cluster of clusters) {
        const handle = client.workflow.getHandle(turnsWorkflowId(cluster));
        await handle.terminate('the test is over').catch(() => undefined);
      }
      const ending = end();
      journeys.shutdown();
      self.arrive();
      await Promise.all([ending, travelling]);
      await temporal.teardown();
    },
  };
  return self;
}
