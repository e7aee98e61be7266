// When what runs Pods is ready: Deployments and their kin, and Jobs. Pure.
import { groupOf } from '../../../../crds/bundle/manifests.ts';
import type { Manifest } from '../../../../crds/ocm/ocm.ts';
import { count, flag, has, number, OBSERVED, text } from './cel.ts';
import type { KindRule } from './kind-rule.ts';

/** What the spec of the manifest asks; undefined where it says nothing. */
type Asked = (...path: readonly string[]) => unknown;

function at(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isThere ? at((value as Record<string, unknown>)[name], rest) : undefined;
}

const WANTED = number('spec.replicas', 1);
const PARTITION = number('spec.updateStrategy.rollingUpdate.partition', 0);
const ON_DELETE = `${text('spec.updateStrategy.type')} == 'OnDelete'`;
const AVAILABLE = `${count('availableReplicas')} >= ${WANTED}`;

/** A ReplicaSet, and what was there before it: more Pods than are wanted are still going. */
export const REPLICATED: KindRule = {
  ready: `${OBSERVED} && ${AVAILABLE} && ${count('replicas')} <= ${WANTED}`,
  waits: [['ReplicaFailure', 'True']],
};

const UPDATED = `${count('updatedReplicas')} >= ${WANTED}`;
const ROLLED = `${UPDATED} && ${count('replicas')} <= ${count('updatedReplicas')} && ${AVAILABLE}`;
/** What somebody has set on the site, and the manifest does not ask, only says why an object is not ready. */
const HELD = 'has been set on the site, and not by this manifest: take it back there, or write it here';
const NODES_UPDATED = `${count('updatedNumberScheduled')} >= ${count('desiredNumberScheduled')}`;

const APPS: Readonly<Record<string, (asked: Asked) => KindRule>> = {
  // While it asks that its rollout is paused, nothing more is asked of a Deployment.
  Deployment: (asked) => ({
    ready: `${OBSERVED} && (${asked('paused') === true ? `${flag('spec.paused')} || ` : ''}(${ROLLED}))`,
    failed: [['Progressing', 'False', 'ProgressDeadlineExceeded']],
    waits: [
      ['ReplicaFailure', 'True'],
      ['Progressing', 'False', 'ReplicaSetCreateError'],
      ['Available', 'False'],
    ],
    ...(asked('paused') === true ? {} : { waitsWhen: [flag('spec.paused'), `spec.paused ${HELD}`] }),
    isWatched: true,
  }),
  // With OnDelete, or above a partition, the old Pods stay as long as their owner wants.
  StatefulSet: (asked) => {
    const partition = Number(asked('updateStrategy', 'rollingUpdate', 'partition') ?? 0) > 0;
    const term = onDelete(asked, `${UPDATED}${partition ? ` - ${PARTITION}` : ''}`);
    const isHeld = partition ? ON_DELETE : `(${ON_DELETE} || ${PARTITION} > 0)`;
    return {
      ready: `${OBSERVED} && ${AVAILABLE} && ${count('replicas')} <= ${WANTED} && (${term})`,
      ...heldBy(asked, isHeld),
      isWatched: true,
    };
  },
  DaemonSet: (asked) => ({
    ready: `${OBSERVED} && ${count('numberAvailable')} >= ${count('desiredNumberScheduled')} && (${onDelete(asked, NODES_UPDATED)})`,
    ...heldBy(asked, ON_DELETE),
    isWatched: true,
  }),
  ReplicaSet: () => REPLICATED,
};

function onDelete(asked: Asked, otherwise: string): string {
  return asked('updateStrategy', 'type') === 'OnDelete' ? `${ON_DELETE} || ${otherwise}` : otherwise;
}

function heldBy(asked: Asked, when: string): Pick<KindRule, 'waitsWhen'> {
  return asked('updateStrategy', 'type') === 'OnDelete'
    ? {}
    : { waitsWhen: [when, `spec.updateStrategy ${HELD}`] };
}

/**
 * A Job that is a check: only its end says anything. One that a queue holds back, such as Kueue, has passed
 * nothing.
 */
export const CHECKING_JOB: KindRule = {
  ready: has(['Complete', 'True']),
  // It will fail, and its Pods are being stopped.
  failed: [
    ['Failed', 'True'],
    ['FailureTarget', 'True'],
  ],
  isWatched: true,
};

/** One that asks not to run yet, as by `isHeld` in CEL, is as it asks to be. */
const heldJob = (isHeld: string): KindRule => ({
  ...CHECKING_JOB,
  ready: `(${isHeld} && !${has(['Failed', 'True'])}) || ${has(['Complete', 'True'])}`,
});

const SUSPENDED = flag('spec.suspend');
/** Kubernetes: such a Job is paused until the number is raised. */
const IDLE = `${number('spec.parallelism', 1)} == 0`;

const JOB: KindRule = {
  ...CHECKING_JOB,
  waitsWhen: [
    `${SUSPENDED} || ${IDLE}`,
    'a person or a queue, such as Kueue, has suspended it on the site: it is ready when it has run. To have it wait, write spec.suspend in the manifest',
  ],
};

function jobRule(asked: Asked): KindRule {
  const held = [
    ...(asked('suspend') === true ? [SUSPENDED] : []),
    ...(asked('parallelism') === 0 ? [IDLE] : []),
  ];
  const [first, second] = held;
  if (first === undefined) return JOB;
  return heldJob(second === undefined ? first : `(${first} || ${second})`);
}

/**
 * Null for another kind. What the rollout of a workload waits for is what the manifest asks: somebody on the
 * site may have paused or suspended it, and then it is not as the manifest asks.
 */
export function workloadRule({ apiVersion, kind, spec }: Manifest): KindRule | null {
  const asked: Asked = (...path) => at(spec, path);
  const group = groupOf(apiVersion);
  if (group === 'batch' && kind === 'Job') return jobRule(asked);
  return group === 'apps' && Object.hasOwn(APPS, kind) ? (APPS[kind]?.(asked) ?? null) : null;
}
