// The status that Knative's autoscaler writes for a revision without traffic, with scale-to-zero off for
// reachable revisions. Pure.
import type { KubeObject, ObjectMeta } from '../../../../kube/resource.ts';
import { condition, type KnativeCondition, type NewCondition } from './condition.ts';

/**
 * A revision may take this much longer to start than its Deployment's progress deadline, in milliseconds; as
 * in Knative.
 */
const ACTIVATION_BUFFER_MS = 30_000;

/**
 * A revision that became active keeps its Pods for so long, in milliseconds: half of Knative's stable window.
 * Knative's labeler may call the newest revision unreachable before it gets requests: for a moment, and for
 * ten seconds where the API server is slow.
 */
const STABLE_WINDOW_MS = 30_000;

export interface PodAutoscaler {
  readonly metadata: ObjectMeta;
  readonly spec: { readonly reachability?: string; readonly scaleTargetRef: { readonly name: string } };
  readonly status?: {
    readonly conditions?: readonly KnativeCondition[];
    readonly desiredScale?: number;
    readonly [field: string]: unknown;
  };
}

export interface ScaledDeployment extends KubeObject {
  readonly spec: { readonly replicas?: number; readonly progressDeadlineSeconds?: number };
  readonly status?: { readonly readyReplicas?: number };
}

export interface Scale {
  readonly status: Readonly<Record<string, unknown>>;
  readonly replicas: number;
  /** Milliseconds until time alone changes this result; null for never. */
  readonly again: number | null;
}

/**
 * An unreachable revision is scaled to zero: after the stable window if it was ready before, else when its
 * deadline passes, and then permanently. Any other revision keeps its minimum of replicas, at least one.
 */
export function scaleOf(autoscaler: PodAutoscaler, deployment: ScaledDeployment, now: number): Scale {
  const before = autoscaler.status?.conditions;
  const wasInitialized = has(before, 'ScaleTargetInitialized', 'True');
  const ready = deployment.status?.readyReplicas ?? 0;
  const hasGivenUp = !wasInitialized && has(before, 'Active', 'False');
  const { replicas, again } = hasGivenUp
    ? { replicas: 0, again: null }
    : replicasOf(autoscaler, { deployment, wasInitialized, now });
  const isInitialized = wasInitialized || (replicas > 0 && ready >= replicas);
  const active = activity(replicas, { ready, wasInitialized });
  const sks: NewCondition =
    ready > 0
      ? { type: 'SKSReady', status: 'True' }
      : { type: 'SKSReady', status: 'Unknown', reason: 'NotReady', message: 'NoHealthyBackends' };
  const conditions: NewCondition[] = [
    { type: 'Active', ...active },
    { type: 'Ready', ...readiness(active, sks) },
    sks,
  ];
  conditions.push({ type: 'ScaleTargetInitialized', status: isInitialized ? 'True' : 'Unknown' });
  const status = {
    observedGeneration: autoscaler.metadata.generation,
    serviceName: autoscaler.metadata.name,
    metricsServiceName: `${autoscaler.metadata.name}-private`,
    desiredScale: replicas,
    actualScale: ready,
    conditions: conditions.map((one) => condition(before, one, now)),
  };
  return { status, replicas, again };
}

type Verdict = Omit<NewCondition, 'type'>;

function activity(
  replicas: number,
  { ready, wasInitialized }: { ready: number; wasInitialized: boolean },
): Verdict {
  if (replicas === 0 && !wasInitialized)
    return { status: 'False', reason: 'TimedOut', message: 'The target could not be activated.' };
  if (replicas === 0)
    return { status: 'False', reason: 'NoTraffic', message: 'The target is not receiving traffic.' };
  if (ready >= replicas) return { status: 'True' };
  const message = 'Requests to the target are being buffered as resources are provisioned.';
  return { status: 'Unknown', reason: 'Queued', message };
}

function readiness(active: Verdict, { status, reason, message }: NewCondition): Verdict {
  if (active.status !== 'True' || status === 'True') return active;
  return {
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  };
}

interface Situation {
  readonly deployment: ScaledDeployment;
  readonly wasInitialized: boolean;
  readonly now: number;
}

function replicasOf(
  autoscaler: PodAutoscaler,
  { deployment, wasInitialized, now }: Situation,
): { replicas: number; again: number | null } {
  const annotation = (name: string, legacy: string): number => {
    const annotations = autoscaler.metadata.annotations ?? {};
    const value = Number(
      annotations[`autoscaling.knative.dev/${name}`] ?? annotations[`autoscaling.knative.dev/${legacy}`] ?? 0,
    );
    return Number.isInteger(value) && value > 0 ? value : 0;
  };
  const floor = Math.max(
    1,
    annotation('min-scale', 'minScale'),
    wasInitialized ? 0 : annotation('initial-scale', 'initialScale'),
  );
  const ceiling = annotation('max-scale', 'maxScale') || Number.POSITIVE_INFINITY;
  if (autoscaler.spec.reachability !== 'Unreachable')
    return { replicas: Math.min(floor, ceiling), again: null };
  if (wasInitialized) return keptUntil(windowEnd(autoscaler.status?.conditions), deployment, now);
  const began = Date.parse(deployment.metadata.creationTimestamp ?? '');
  const end = began + (deployment.spec.progressDeadlineSeconds ?? 600) * 1000 + ACTIVATION_BUFFER_MS;
  return keptUntil(end, deployment, now);
}

/** All times in Unix milliseconds. */
function keptUntil(
  end: number,
  { spec }: ScaledDeployment,
  now: number,
): { replicas: number; again: number | null } {
  return now < end ? { replicas: spec.replicas ?? 1, again: end - now } : { replicas: 0, again: null };
}

/** When the stable window of a revision ends; 0 for one that is not active. */
function windowEnd(conditions: readonly KnativeCondition[] = []): number {
  const active = conditions.find(({ type, status }) => type === 'Active' && status !== 'False');
  const since = Date.parse(active?.lastTransitionTime ?? '');
  return Number.isNaN(since) ? 0 : since + STABLE_WINDOW_MS;
}

function has(
  conditions: readonly KnativeCondition[] | undefined,
  type: string,
  status: KnativeCondition['status'],
): boolean {
  return conditions?.some((one) => one.type === type && one.status === status) === true;
}
