// What is wrong with a revision, from its Pods: Knative itself reports it only after minutes.
import type { CappFault } from '../objects/fault.ts';
import { conditionOf, type ContainerStatus, type Pod } from '../../crds/kubernetes/core.ts';
import { KNATIVE_REVISION_LABEL, type KnativeRevision } from '../../crds/kubernetes/knative.ts';

/** A kubelet reports these after it has tried. */
const PULL_FAILURES = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);
const START_FAILURES = new Set([
  'CrashLoopBackOff',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'PreCreateHookError',
  'PostStartHookError',
]);

/**
 * Reasons for a condition that is False but may well come true: a node may yet appear. Of `FailedCreate` more
 * is said (`withoutPods`).
 */
const WAITING = new Set(['Unschedulable', 'Deploying', 'ResolvingDigests', 'FailedCreate']);

/** Null while nothing is wrong. Messages are ours: they never contain a container's output. */
export function faultOf(revision: KnativeRevision, pods: readonly Pod[]): CappFault | null {
  if (conditionOf(revision.status?.conditions, 'Ready')?.status === 'True') return null;
  return podFault(revision, pods) ?? conditionFault(revision);
}

/** The Pods of a revision that are not being deleted. */
export function podsOf({ metadata: { name } }: KnativeRevision, pods: readonly Pod[]): Pod[] {
  const own = pods.filter((pod) => pod.metadata.labels?.[KNATIVE_REVISION_LABEL] === name);
  return own.filter((pod) => pod.metadata.deletionTimestamp === undefined);
}

function podFault(revision: KnativeRevision, pods: readonly Pod[]): CappFault | null {
  const live = podsOf(revision, pods);
  if (live.some((pod) => conditionOf(pod.status?.conditions, 'Ready')?.status === 'True')) return null;
  for (const pod of live) {
    const containers = [
      ...(pod.status?.initContainerStatuses ?? []),
      ...(pod.status?.containerStatuses ?? []),
    ];
    const fault = containers
      .map((container) => containerFault(container, revision.metadata.name))
      .find((found) => found !== null);
    if (fault !== undefined) return fault;
  }
  return null;
}

function containerFault(container: ContainerStatus, revision: string): CappFault | null {
  const waiting = container.state?.waiting?.reason ?? '';
  const where = `container ${container.name} of revision ${revision}`;
  if (PULL_FAILURES.has(waiting)) {
    return {
      reason: 'ImageNeverReady',
      message: `The image of ${where} cannot be pulled (${waiting}). Correct the image, or its pull secret.`,
    };
  }
  if (!START_FAILURES.has(waiting)) return null;
  const exit = container.lastState?.terminated?.exitCode;
  const detail = exit === undefined ? waiting : `${waiting}, exit code ${exit}`;
  return {
    reason: 'RolloutFailed',
    message: `The ${where} does not start (${detail}). Look at its events and logs.`,
  };
}

function conditionFault(revision: KnativeRevision): CappFault | null {
  const { name } = revision.metadata;
  const bad = ['ContainerHealthy', 'ResourcesAvailable']
    .map((type) => conditionOf(revision.status?.conditions, type))
    .find((condition) => condition?.status === 'False' && !WAITING.has(condition.reason ?? ''));
  if (bad === undefined) return null;
  const reason = bad.reason ?? 'Unknown';
  if (reason === 'ContainerMissing' || PULL_FAILURES.has(reason)) {
    return {
      reason: 'ImageNeverReady',
      message: `The image of revision ${name} cannot be pulled (${reason}). Correct the image, or its pull secret.`,
    };
  }
  return {
    reason: 'RolloutFailed',
    message: `Revision ${name} cannot serve (${reason}). Look at its pods, their events and logs.`,
  };
}

export interface NoPods {
  /** Final until somebody changes the Capp, a quota or a policy. */
  readonly isRefused: boolean;
  readonly message: string;
}

/** Of the API server's sentence; it speaks of the Pod, never for a container. */
const LONGEST = 200;
const LONGEST_NAME = 63;

/** A new namespace gets its ServiceAccount only a moment after its first Pod may need it. */
const PASSING = /error looking up service account|failed calling webhook/;
const REFUSED = /is invalid:|is forbidden:/;

/**
 * Null when Pods could be made, or when there is one that answers: a revision that cannot grow still serves.
 */
export function withoutPods(revision: KnativeRevision, pods: readonly Pod[]): NoPods | null {
  const available = conditionOf(revision.status?.conditions, 'ResourcesAvailable');
  if (available?.status !== 'False' || available.reason !== 'FailedCreate') return null;
  const answers = podsOf(revision, pods).some(
    (pod) => conditionOf(pod.status?.conditions, 'Ready')?.status === 'True',
  );
  if (answers) return null;
  const words = available.message ?? '';
  const said = words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
  const why = (accountMissing(words) ?? said) || 'the site does not say why';
  const message = `No Pod of revision ${revision.metadata.name} could be created: ${why}`;
  return { isRefused: REFUSED.test(words) && !PASSING.test(words), message };
}

/** Null unless a ServiceAccount is missing that the Capp names: `default` is there a moment later. */
function accountMissing(words: string): string | null {
  const [, name = ''] = /error looking up service account [^/\s]+\/([^:\s]+):/.exec(words) ?? [];
  if (name === '' || name === 'default') return null;
  return `the site has no ServiceAccount ${name.slice(0, LONGEST_NAME)} there, and a Capp brings none. Create it, or take serviceAccountName out of the template.`;
}
