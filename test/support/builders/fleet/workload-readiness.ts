// Workloads that keep Pods running, and what their rule says of them.

export type Case = readonly [what: string, object: object, said: string];

export const on = (type: string, status: string, reason = '', message = '') => ({
  type,
  status,
  reason,
  message,
});
const settled = { observedGeneration: 2, replicas: 2, updatedReplicas: 2, availableReplicas: 2 };
const HELD = 'has been set on the site, and not by this manifest: take it back there, or write it here';
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
      'somebody has paused it on the site',
      { spec: { replicas: 2, paused: true }, status: { ...settled, updatedReplicas: 0 } },
      `Waits: spec.paused ${HELD}`,
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
      'somebody has set OnDelete on the site',
      { spec: { replicas: 2, ...onDelete }, status: { ...settled, updatedReplicas: 0 } },
      `Waits: spec.updateStrategy ${HELD}`,
    ],
    [
      'somebody has set a partition on the site',
      {
        spec: { replicas: 2, updateStrategy: { rollingUpdate: { partition: 1 } } },
        status: { ...settled, updatedReplicas: 1 },
      },
      `Waits: spec.updateStrategy ${HELD}`,
    ],
  ],
  'apps/v1/StatefulSet with a partition': [
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
  'apps/v1/StatefulSet with OnDelete': [
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
  ],
  'apps/v1/Deployment paused': [
    [
      'it is paused',
      { spec: { replicas: 2, paused: true }, status: { ...settled, updatedReplicas: 0 } },
      'Ready',
    ],
    [
      'somebody has resumed it on the site',
      { spec: { replicas: 2 }, status: { ...settled, updatedReplicas: 0 } },
      'Waits',
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
      'somebody has set OnDelete on the site',
      { spec: onDelete, status: { observedGeneration: 2, desiredNumberScheduled: 2, numberAvailable: 2 } },
      `Waits: spec.updateStrategy ${HELD}`,
    ],
  ],
  'apps/v1/DaemonSet with OnDelete': [
    [
      'old Pods stay, with OnDelete',
      { spec: onDelete, status: { observedGeneration: 2, desiredNumberScheduled: 2, numberAvailable: 2 } },
      'Ready',
    ],
  ],
};

/** What manifests of these kinds ask, beside what every manifest of their kind has. */
export const ASKED: Readonly<Record<string, object>> = {
  'apps/v1/Deployment paused': { paused: true },
  'apps/v1/StatefulSet with OnDelete': onDelete,
  'apps/v1/StatefulSet with a partition': { updateStrategy: { rollingUpdate: { partition: 1 } } },
  'apps/v1/DaemonSet with OnDelete': onDelete,
  'batch/v1/Job suspended': { suspend: true },
  'batch/v1/Job without Pods': { parallelism: 0 },
  'batch/v1/Job suspended without Pods': { suspend: true, parallelism: 0 },
  'v1/Service': { type: 'LoadBalancer' },
};
