// When an object of a kind is ready, when it has failed for good, and whose words say why: what kubectl,
// kstatus and Argo CD agree on. Pure.
import { groupOf } from '../../../../crds/bundle/manifests.ts';
import type { Manifest } from '../../../../crds/ocm/ocm.ts';
import { isBuiltIn } from '../manifests/identify.ts';
import { count, flag, has, NOT_BEHIND, number, OBSERVED, text, type Sign } from './cel.ts';

export interface KindRule {
  /** In CEL. */
  readonly ready: string;
  /** Waiting does not help: these conditions, once the present generation is observed, or this CEL. */
  readonly failed?: readonly Sign[];
  readonly failedWhen?: string;
  /** Conditions that say what it waits for. */
  readonly waits?: readonly Sign[];
  /** Where it has none: a CEL, and our words while that is so. */
  readonly waitsWhen?: readonly [when: string, words: string];
  /** The agent watches the object; otherwise it looks every few seconds. It watches fifty objects at most. */
  readonly isWatched?: boolean;
}

const WANTED = number('spec.replicas', 1);
const PARTITION = number('spec.updateStrategy.rollingUpdate.partition', 0);
const ON_DELETE = `${text('spec.updateStrategy.type')} == 'OnDelete'`;
const AVAILABLE = `${count('availableReplicas')} >= ${WANTED}`;

const APPS: Readonly<Record<string, KindRule>> = {
  // While the rollout of a Deployment is paused, nothing more is asked of it.
  Deployment: {
    ready: `${OBSERVED} && (${flag('spec.paused')} || (${count('updatedReplicas')} >= ${WANTED} && ${count('replicas')} <= ${count('updatedReplicas')} && ${AVAILABLE}))`,
    failed: [['Progressing', 'False', 'ProgressDeadlineExceeded']],
    waits: [['ReplicaFailure', 'True']],
    isWatched: true,
  },
  // With OnDelete, or above a partition, the old Pods stay as long as their owner wants.
  StatefulSet: {
    ready: `${OBSERVED} && ${AVAILABLE} && (${ON_DELETE} || ${count('updatedReplicas')} >= ${WANTED} - ${PARTITION})`,
    isWatched: true,
  },
  DaemonSet: {
    ready: `${OBSERVED} && ${count('numberAvailable')} >= ${count('desiredNumberScheduled')} && (${ON_DELETE} || ${count('updatedNumberScheduled')} >= ${count('desiredNumberScheduled')})`,
    isWatched: true,
  },
  ReplicaSet: { ready: `${OBSERVED} && ${AVAILABLE}`, waits: [['ReplicaFailure', 'True']] },
};

const JOB: KindRule = {
  ready: `${flag('spec.suspend')} || ${has(['Complete', 'True'])}`,
  failed: [['Failed', 'True']],
  isWatched: true,
};

const CORE: Readonly<Record<string, KindRule>> = {
  Pod: {
    ready: `${text('status.phase')} == 'Succeeded' || ${has(['Ready', 'True'])}`,
    failedWhen: `${text('status.phase')} == 'Failed'`,
    waits: [['PodScheduled', 'False']],
  },
  PersistentVolumeClaim: {
    ready: `${text('status.phase')} == 'Bound'`,
    failedWhen: `${text('status.phase')} == 'Lost'`,
    waitsWhen: [
      `${text('status.phase')} == 'Pending'`,
      'no volume is bound to it. If its StorageClass has WaitForFirstConsumer, ship a Pod that uses it, or write a rule for it in spec.ready',
    ],
  },
};

const LOAD_BALANCER: KindRule = { ready: `size(object.?status.?loadBalancer.?ingress.orValue([])) > 0` };

const DEFINITION: KindRule = {
  ready: has(['Established', 'True']),
  failed: [['NamesAccepted', 'False']],
};

const API_SERVICE: KindRule = { ready: has(['Available', 'True']), waits: [['Available', 'False']] };

const AUTOSCALER: KindRule = {
  ready: `${has(['AbleToScale', 'True'])} && (${has(['ScalingActive', 'True'])} || ${has(['ScalingActive', 'False', 'ScalingDisabled'])})`,
  waits: [
    ['AbleToScale', 'False'],
    ['ScalingActive', 'False'],
  ],
};

const BUDGET: KindRule = {
  ready: `${OBSERVED} && ${count('currentHealthy')} >= ${count('desiredHealthy')}`,
  waits: [['DisruptionAllowed', 'False', 'SyncFailed']],
};

/** Kinds whose controllers always say Ready. */
const SAYS_READY: KindRule = {
  ready: `${NOT_BEHIND} && ${has(['Ready', 'True'])}`,
  failed: [
    ['Stalled', 'True'],
    // Of cert-manager's requests.
    ['Denied', 'True'],
    ['InvalidRequest', 'True'],
  ],
  waits: [
    ['Ready', 'False'],
    ['Ready', 'Unknown'],
  ],
};

/** A Service whose revision cannot start says so here; other conditions that are False may pass. */
const KNATIVE: KindRule = { ...SAYS_READY, failed: [['ConfigurationsReady', 'False']] };

/** By the rules of kstatus: an object that says nothing is ready when it is applied. */
const ANY: KindRule = {
  ready: `${NOT_BEHIND} && !${has(['Reconciling', 'True'], ['Stalled', 'True'], ['Ready', 'False'], ['Ready', 'Unknown'])}`,
  failed: [['Stalled', 'True']],
  waits: [
    ['Reconciling', 'True'],
    ['Ready', 'False'],
    ['Ready', 'Unknown'],
  ],
};

const BY_GROUP: Readonly<Record<string, Readonly<Record<string, KindRule>>>> = {
  '': CORE,
  apps: APPS,
  batch: { Job: JOB },
  autoscaling: { HorizontalPodAutoscaler: AUTOSCALER },
  policy: { PodDisruptionBudget: BUDGET },
  'apiextensions.k8s.io': { CustomResourceDefinition: DEFINITION },
  'apiregistration.k8s.io': { APIService: API_SERVICE },
};

/** The rule of a manifest's kind; null if it is ready as soon as it is applied. */
export function ruleOf({ apiVersion, kind, spec }: Manifest): KindRule | null {
  const group = groupOf(apiVersion);
  if (group === '' && kind === 'Service')
    return (spec as { type?: unknown } | null | undefined)?.type === 'LoadBalancer' ? LOAD_BALANCER : null;
  if (isBuiltIn(group)) {
    const kinds = BY_GROUP[group] ?? {};
    return Object.hasOwn(kinds, kind) ? (kinds[kind] ?? null) : null;
  }
  if (group === 'serving.knative.dev') return KNATIVE;
  return group === 'cert-manager.io' ? SAYS_READY : ANY;
}
