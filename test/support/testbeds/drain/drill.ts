// The testbed of drills: a real Temporal with the bridge, a hub worker and agents, and Drains in memory.
import type { WorkflowHandle } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { keepDrills } from '../../../../bridge/sites/drills.ts';
import type { WorkflowKeeper } from '../../../../bridge/kept/keep.ts';
import { asksForDrill } from '../../../../crds/drain/drain.ts';
import type { Rehearsal } from '../../../../crds/drain/rehearsal.ts';
import { agentQueue, drillWorkflowId, HUB_QUEUE } from '../../../../workflows/names.ts';
import type { DrillCapp, DrillReport, Drills } from '../../../../workflows/drill/port.ts';
import type { Inspected, InspectQuestion } from '../../../../workflows/types/inspection.ts';
import { workflowBundle } from '../../flow/bundle.ts';
import { drainObjects, type DrainObjects } from './drain-objects.ts';

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

const PAGE = 25;

export interface DrillTestbed {
  readonly objects: DrainObjects;
  /** What is on each site, in order. */
  readonly capps: Map<string, readonly DrillCapp[]>;
  /** What was asked of the hub and of agents, in order. */
  readonly asked: string[];
  readonly reports: DrillReport[];
  readonly errors: unknown[];
  rehearsalOf(site: string): Rehearsal | undefined;
  isRunning(site: string): Promise<boolean>;
  historyOf(site: string): Promise<History>;
  /** An agent that answers so; what it returns ends it. */
  startAgent(
    site: string,
    inspect: (question: InspectQuestion) => Promise<Inspected> | Inspected,
  ): Promise<() => Promise<void>>;
  /** An agent of an earlier version. */
  startOldAgent(site: string): Promise<() => Promise<void>>;
  /** The hub worker dies, and another begins. */
  crash(): Promise<void>;
  readonly bridge: () => WorkflowKeeper;
  close(): Promise<void>;
}

export async function openDrillTestbed(): Promise<DrillTestbed> {
  const temporal = await TestWorkflowEnvironment.createFromExistingServer({
    address: process.env['FLOW_TEMPORAL_ADDRESS'] ?? '',
    namespace: 'drills',
  });
  const { client } = temporal;
  const objects = drainObjects();
  const capps = new Map<string, readonly DrillCapp[]>();
  const asked: string[] = [];
  const reports: DrillReport[] = [];
  const errors: unknown[] = [];
  const ends: (() => Promise<void>)[] = [];
  const drainOf = (site: string) => objects.watched.drains.get({ namespace: null, name: site });
  const hub: Drills = {
    readDrill: async (site) => {
      const drain = drainOf(site);
      if (drain === undefined || !asksForDrill(drain)) return { drill: null };
      const { uid = '', generation = 0 } = drain.metadata;
      return { drill: { uid, generation } };
    },
    drillPage: async (site, after, bound) => {
      asked.push(`page of ${site} after ${after?.name ?? 'none'} with ${bound.length}`);
      const all = capps.get(site) ?? [];
      const from = all.findIndex(({ name }) => name === after?.name) + 1;
      return { capps: all.slice(from, from + PAGE), isLast: from + PAGE >= all.length, all: all.length };
    },
    reportDrill: async (site, report) => {
      reports.push(report);
      const drain = drainOf(site);
      if (drain?.metadata.uid !== report.uid || !asksForDrill(drain)) return;
      objects.say(site, { ...drain.status, rehearsal: report.rehearsal });
    },
  };
  const start = async (taskQueue: string, activities: object): Promise<() => Promise<void>> => {
    const worker = await Worker.create({
      connection: temporal.nativeConnection,
      namespace: 'drills',
      taskQueue,
      ...(taskQueue === HUB_QUEUE ? { workflowBundle: await workflowBundle() } : {}),
      activities,
      shutdownForceTime: '100ms',
    });
    const running = worker.run().catch(() => undefined);
    const end = async (): Promise<void> => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
    };
    ends.push(end);
    return end;
  };
  let endHub = await start(HUB_QUEUE, hub);
  const bridge = keepDrills(client, objects.watched, (_site, error) => void errors.push(error));
  const handle = (site: string) => client.workflow.getHandle(drillWorkflowId(site));
  return {
    objects,
    capps,
    asked,
    reports,
    errors,
    rehearsalOf: (site) => objects.statusOf(site).rehearsal,
    isRunning: (site) =>
      handle(site)
        .describe()
        .then(
          ({ status }) => status.name === 'RUNNING',
          () => false,
        ),
    historyOf: (site) => handle(site).fetchHistory(),
    startAgent: (site, inspect) =>
      start(agentQueue(site), {
        inspect: async (question: InspectQuestion) => {
          asked.push(`agent of ${site} about ${question.namespaces.length}`);
          return inspect(question);
        },
      }),
    startOldAgent: (site) => start(agentQueue(site), { measure: () => Promise.resolve(null) }),
    crash: async () => {
      await endHub();
      endHub = await start(HUB_QUEUE, hub);
    },
    bridge: () => bridge,
    close: async () => {
      await bridge.stop();
      await Promise.all(ends.map((end) => end()));
      await temporal.teardown();
    },
  };
}
