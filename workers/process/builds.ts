// Which build of the hub worker is current while two run side by side: the newest one that polls. See
// decision 34.
import type { Client } from '@temporalio/client';
import type { WorkerDeploymentOptions } from '@temporalio/worker';
import { z } from 'zod';
import { HUB_QUEUE } from '../../workflows/names.ts';
import { PROCESS_TIMES } from './times.ts';

/** What the hub worker understands of builds. */
export const BUILD = {
  BUILD_NAME: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._]{0,63}$/)
    .default('dev')
    .describe('the version of the code: letters, digits, dots and underscores'),
  BUILD_REVISION: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe(
      'a whole number that grows with each rollout, such as Helm’s revision; without it the worker is not versioned',
    ),
} as const;

export interface WorkerBuild {
  readonly name: string;
  /** Grows with each roll-out. */
  readonly revision: number;
}

/** Takes what `BUILD` reads; null for a worker that is not versioned. */
export function buildOf(config: z.infer<z.ZodObject<typeof BUILD>>): WorkerBuild | null {
  return config.BUILD_REVISION === undefined
    ? null
    : { name: config.BUILD_NAME, revision: config.BUILD_REVISION };
}

/** The Worker Deployment of Temporal to which all builds of the hub worker belong. */
export const DEPLOYMENT = 'cappstan-hub';

/** TASK_QUEUE_TYPE_WORKFLOW, which the client does not export (temporal: api/enums/v1/task_queue.proto). */
const TURNS = 1;

/** Every workflow moves to the current build with its next workflow task. */
export function versioned(build: WorkerBuild): WorkerDeploymentOptions {
  const version = { deploymentName: DEPLOYMENT, buildId: buildIdOf(build) };
  return { version, useWorkerVersioning: true, defaultVersioningBehavior: 'AUTO_UPGRADE' };
}

/** Temporal's name for a build; the revision can be read from it again. */
export function buildIdOf({ name, revision }: WorkerBuild): string {
  return `${name}-${revision}`;
}

function revisionOf(buildId: string): number {
  return Number(/-(\d+)$/.exec(buildId)?.[1] ?? 0);
}

/** What Temporal knows of builds. */
export interface DeploymentState {
  /** The build that gets the turns; null if none does. */
  readonly current: string | null;
  /** Build → when it last began to poll, in milliseconds since the epoch. */
  readonly polled: Readonly<Record<string, number>>;
  /** Build → when Temporal first heard of it, in milliseconds since the epoch. */
  readonly since: Readonly<Record<string, number>>;
}

/** Whether a build should become current: none is, or an older one is, or one that no longer polls. */
export function isDue(build: WorkerBuild, { current, polled, since }: DeploymentState, now: number): boolean {
  const own = buildIdOf(build);
  if (current === own || since[own] === undefined) return false;
  if (current === null || now - (polled[current] ?? 0) > PROCESS_TIMES.buildGone.ms) return true;
  const revision = revisionOf(current);
  // A chart that is rendered without `helm install` has one revision for all builds.
  return (
    revision < build.revision || (revision === build.revision && since[own] > (since[current] ?? Infinity))
  );
}

type Service = Pick<Client, 'workflowService' | 'options'>;

export interface BuildKeeper {
  stop(): void;
}

/**
 * Sees to it that the newest build that runs gets the turns, also after Temporal has lost what it knew.
 * `onProblem` hears of a look that failed; the next one follows all the same. Reads only, unless something
 * has to change.
 */
export function keepCurrent(
  client: Service,
  build: WorkerBuild,
  onProblem: (error: unknown) => void,
): BuildKeeper {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    let next: number = PROCESS_TIMES.buildLook.ms;
    try {
      const state = await deploymentState(client);
      if (isDue(build, state, Date.now())) await makeCurrent(client, build);
      else if (!(buildIdOf(build) in state.since)) next = PROCESS_TIMES.buildUnknown.ms;
    } catch (error) {
      onProblem(error);
    }
    if (!isStopped) timer = setTimeout(() => void look(), next);
  };
  void look();
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

async function deploymentState({
  workflowService,
  options: { namespace },
}: Service): Promise<DeploymentState> {
  const [info, { pollers }] = await Promise.all([
    deploymentOf(workflowService, namespace),
    workflowService.describeTaskQueue({ namespace, taskQueue: { name: HUB_QUEUE }, taskQueueType: TURNS }),
  ]);
  const polled = (pollers ?? []).map(
    (poller) => [poller.deploymentOptions?.buildId ?? '', timeOf(poller.lastAccessTime)] as const,
  );
  const known = info?.versionSummaries ?? [];
  return {
    current: info?.routingConfig?.currentDeploymentVersion?.buildId ?? null,
    polled: Object.fromEntries(polled.toSorted((a, b) => a[1] - b[1])),
    since: Object.fromEntries(
      known.map((one) => [one.deploymentVersion?.buildId ?? '', timeOf(one.createTime)]),
    ),
  };
}

/** The id of the current build, or null. */
export async function currentBuild({
  workflowService,
  options: { namespace },
}: Service): Promise<string | null> {
  const info = await deploymentOf(workflowService, namespace);
  return info?.routingConfig?.currentDeploymentVersion?.buildId ?? null;
}

type Time = { readonly seconds?: unknown; readonly nanos?: number | null } | null | undefined;

function timeOf(time: Time): number {
  return Number(time?.seconds ?? 0) * 1000 + Math.floor((time?.nanos ?? 0) / 1_000_000);
}

/** gRPC's NOT_FOUND: Temporal has not heard of any build yet. */
const NOT_FOUND = 5;

async function deploymentOf(service: Service['workflowService'], namespace: string) {
  try {
    const { workerDeploymentInfo } = await service.describeWorkerDeployment({
      namespace,
      deploymentName: DEPLOYMENT,
    });
    return workerDeploymentInfo;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === NOT_FOUND) return null;
    throw error;
  }
}

async function makeCurrent(
  { workflowService, options: { namespace } }: Service,
  build: WorkerBuild,
): Promise<void> {
  await workflowService.setWorkerDeploymentCurrentVersion({
    namespace,
    deploymentName: DEPLOYMENT,
    buildId: buildIdOf(build),
    identity: buildIdOf(build),
    ignoreMissingTaskQueues: true,
  });
}
