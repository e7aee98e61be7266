// Workloads of each kind, and what their rule says of them.

export type Case = readonly [what: string, object: object, said: string];

export const on = (type: string, status: string, reason = '', message = '') => ({
  type,
  status,
  reason,
  message,
});
const settled = { observedGeneration: 2, replicas: 2, updatedReplicas: 2, availableReplicas: 2 };
const onDelete = { updateStrategy: { type: 'OnDelete' } };

const copies = {
  spec: { replicas: 2 },
  status: { observedGeneration: 2, replicas: 2, availableReplicas: 2 },
};

/** What makes Pods without a rollout: a ReplicaSet, and a ReplicationController from before there was one. */
const REPLICATED: readonly Case[] = [
  ['its Pods are there', copies, 'Ready'],
  ['nothing is said yet', { spec: { replicas: 2 } }, 'Waits'],
  ['the edit is not observed', { ...copies, status: { ...copies.status, observedGeneration: 1 } }, 'Waits'],
  ['a Pod is missing', { ...copies, status: { ...copies.status, availableReplicas: 1 } }, 'Waits'],
  ['a Pod is too many', { ...copies, status: { ...copies.status, replicas: 3 } }, 'Waits'],
  [
    'a quota stands in the way',
    {
      ...copies,
      status: {
        observedGeneration: 2,
        conditions: [on('ReplicaFailure', 'True', 'FailedCreate', 'exceeded quota')],
      },
    },
    'Waits: FailedCreate: exceeded quota',
  ],
];

export const WORKLOADS: Readonly<Record<string, readonly Case[]>> = {
  'apps/v1/Deployment': [
    ['all is up to date', { spec: { replicas: 2 }, status: settled }, 'Ready'],
    ['nothing is said yet', { spec: { replicas: 2 } }, 'Waits'],
    [
      'the edit is not observed',
      { spec: { replicas: 2 }, status: { ...settled, observedGeneration: 1 } },
      'Waits',
    ],
    ['an old Pod still runs', { spec: { replicas: 2 }, status: { ...settled, replicas: 3 } }, 'Waits'],
    ['a Pod is missing', { spec: { replicas: 3 }, status: settled }, 'Waits'],
    ['none is wanted', { spec: { replicas: 0 }, status: { observedGeneration: 2 } }, 'Ready'],
    [
      'it is paused',
      { spec: { replicas: 2, paused: true }, status: { ...settled, updatedReplicas: 0 } },
      'Ready',
    ],
    [
      'a quota stands in the way',
      {
        status: {
          observedGeneration: 2,
          conditions: [on('ReplicaFailure', 'True', 'FailedCreate', 'exceeded quota')],
        },
      },
      'Waits: FailedCreate: exceeded quota',
    ],
    [
      'no Pod is available, and a quota stands in the way',
      {
        status: {
          observedGeneration: 2,
          conditions: [
            on('Available', 'False', 'MinimumReplicasUnavailable', 'none'),
            on('ReplicaFailure', 'True', 'FailedCreate', 'exceeded quota'),
          ],
        },
      },
      'Waits: FailedCreate: exceeded quota',
    ],
    [
      'no Pod is available',
      {
        status: {
          observedGeneration: 2,
          conditions: [on('Available', 'False', 'MinimumReplicasUnavailable', 'too few')],
        },
      },
      'Waits: MinimumReplicasUnavailable: too few',
    ],
    [
      'its deadline has passed',
      {
        status: {
          observedGeneration: 2,
          conditions: [on('Progressing', 'False', 'ProgressDeadlineExceeded', 'timed out')],
        },
      },
      'Failed: ProgressDeadlineExceeded: timed out',
    ],
    [
      'the deadline of the former generation has passed',
      {
        status: {
          observedGeneration: 1,
          conditions: [on('Progressing', 'False', 'ProgressDeadlineExceeded', 'x')],
        },
      },
      'Waits',
    ],
  ],
  'apps/v1/ReplicaSet': REPLICATED,
  'v1/ReplicationController': REPLICATED,
  'apps/v1/StatefulSet': [
    ['all is up to date', { spec: { replicas: 2 }, status: settled }, 'Ready'],
    ['an old Pod still runs', { spec: { replicas: 2 }, status: { ...settled, updatedReplicas: 1 } }, 'Waits'],
    ['a Pod too many is still there', { spec: { replicas: 1 }, status: settled }, 'Waits'],
    [
      'old Pods stay, with OnDelete',
      { spec: { replicas: 2, ...onDelete }, status: { ...settled, updatedReplicas: 0 } },
      'Ready',
    ],
    [
      'a Pod is not available, with OnDelete',
      { spec: { replicas: 3, ...onDelete }, status: settled },
      'Waits',
    ],
    [
      'old Pods stay below a partition',
      {
        spec: { replicas: 2, updateStrategy: { rollingUpdate: { partition: 1 } } },
        status: { ...settled, updatedReplicas: 1 },
      },
      'Ready',
    ],
    [
      'a Pod above the partition is old',
      {
        spec: { replicas: 2, updateStrategy: { rollingUpdate: { partition: 1 } } },
        status: { ...settled, updatedReplicas: 0 },
      },
      'Waits',
    ],
    [
      'the partition is above all',
      {
        spec: { replicas: 2, updateStrategy: { rollingUpdate: { partition: 5 } } },
        status: { ...settled, updatedReplicas: 0 },
      },
      'Ready',
    ],
  ],
  'apps/v1/DaemonSet': [
    [
      'it runs on every node',
      {
        spec: {},
        status: {
          observedGeneration: 2,
          desiredNumberScheduled: 2,
          updatedNumberScheduled: 2,
          numberAvailable: 2,
        },
      },
      'Ready',
    ],
    ['no node is meant', { spec: {}, status: { observedGeneration: 2 } }, 'Ready'],
    [
      'an old Pod still runs',
      { spec: {}, status: { observedGeneration: 2, desiredNumberScheduled: 2, numberAvailable: 2 } },
      'Waits',
    ],
    [
      'old Pods stay, with OnDelete',
      { spec: onDelete, status: { observedGeneration: 2, desiredNumberScheduled: 2, numberAvailable: 2 } },
      'Ready',
    ],
  ],
  'batch/v1/Job': [
    ['it has only begun', { spec: {}, status: { active: 1 } }, 'Waits'],
    ['it has finished', { spec: {}, status: { conditions: [on('Complete', 'True')] } }, 'Ready'],
    [
      'it is suspended',
      { spec: { suspend: true }, status: { conditions: [on('Suspended', 'True')] } },
      'Ready',
    ],
    [
      'it has failed, and somebody has suspended it',
      {
        spec: { suspend: true },
        status: { conditions: [on('Failed', 'True', 'DeadlineExceeded', 'too long')] },
      },
      'Failed: DeadlineExceeded: too long',
    ],
    [
      'it has finished by its success policy, and says so first',
      {
        spec: {},
        status: {
          conditions: [
            on('SuccessCriteriaMet', 'True', 'SuccessPolicy'),
            on('Complete', 'True', 'SuccessPolicy'),
          ],
        },
      },
      'Ready',
    ],
    [
      'it runs again after it was suspended',
      { spec: {}, status: { conditions: [on('Suspended', 'False')] } },
      'Waits',
    ],
    [
      'it has failed',
      {
        spec: {},
        status: { conditions: [on('Failed', 'True', 'BackoffLimitExceeded', 'has reached the limit')] },
      },
      'Failed: BackoffLimitExceeded: has reached the limit',
    ],
    [
      'a rule for its Pods has made it fail, and some still stop',
      {
        spec: {},
        status: { active: 1, conditions: [on('FailureTarget', 'True', 'PodFailurePolicy', 'exit code 42')] },
      },
      'Failed: PodFailurePolicy: exit code 42',
    ],
    [
      'all that it needed is done, and some Pods still stop',
      { spec: {}, status: { active: 1, conditions: [on('SuccessCriteriaMet', 'True')] } },
      'Waits',
    ],
  ],
  'v1/Pod': [
    ['it runs', { status: { phase: 'Running', conditions: [on('Ready', 'True')] } }, 'Ready'],
    ['it is done', { status: { phase: 'Succeeded', conditions: [on('Ready', 'False')] } }, 'Ready'],
    [
      'no node takes it',
      { status: { phase: 'Pending', conditions: [on('PodScheduled', 'False', 'Unschedulable', '0/3')] } },
      'Waits: Unschedulable: 0/3',
    ],
    [
      'what goes before its containers has not ended',
      {
        status: {
          phase: 'Pending',
          conditions: [
            on('PodScheduled', 'True'),
            on('Initialized', 'False', 'ContainersNotInitialized', 'incomplete: [migrate]'),
            on('ContainersReady', 'False', 'ContainersNotReady', 'unready: [web]'),
          ],
        },
      },
      'Waits: ContainersNotInitialized: incomplete: [migrate]',
    ],
    [
      'a container does not start',
      {
        status: {
          phase: 'Pending',
          conditions: [on('ContainersReady', 'False', 'ContainersNotReady', 'unready: [web]')],
        },
      },
      'Waits: ContainersNotReady: unready: [web]',
    ],
    [
      'a gate of its own is closed',
      {
        status: {
          phase: 'Running',
          conditions: [
            on('ContainersReady', 'True'),
            on('Ready', 'False', 'ReadinessGatesNotReady', 'example.io/balanced'),
          ],
        },
      },
      'Waits: ReadinessGatesNotReady: example.io/balanced',
    ],
    [
      'it has failed',
      { status: { phase: 'Failed', reason: 'Evicted', message: 'low on memory' } },
      'Failed: Failed: Evicted low on memory',
    ],
  ],
};
