// Objects of each kind, and what their rule says of them: Ready, Waits, or the words that it repeats.

export type Case = readonly [what: string, object: object, said: string];

const on = (type: string, status: string, reason = '', message = '') => ({ type, status, reason, message });
const settled = { observedGeneration: 2, replicas: 2, updatedReplicas: 2, availableReplicas: 2 };
const onDelete = { updateStrategy: { type: 'OnDelete' } };

export const READINESS: Readonly<Record<string, readonly Case[]>> = {
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
  'apps/v1/StatefulSet': [
    ['all is up to date', { spec: { replicas: 2 }, status: settled }, 'Ready'],
    ['an old Pod still runs', { spec: { replicas: 2 }, status: { ...settled, updatedReplicas: 1 } }, 'Waits'],
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
      'it has failed',
      {
        spec: {},
        status: { conditions: [on('Failed', 'True', 'BackoffLimitExceeded', 'has reached the limit')] },
      },
      'Failed: BackoffLimitExceeded: has reached the limit',
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
      'it has failed',
      { status: { phase: 'Failed', reason: 'Evicted', message: 'low on memory' } },
      'Failed: Failed: Evicted low on memory',
    ],
  ],
  'v1/PersistentVolumeClaim': [
    ['it is bound', { status: { phase: 'Bound' } }, 'Ready'],
    ['it is pending', { status: { phase: 'Pending' } }, 'Waits'],
    ['its volume is lost', { status: { phase: 'Lost' } }, 'Failed: Lost'],
  ],
  'v1/Service': [
    [
      'it has an address',
      { spec: { type: 'LoadBalancer' }, status: { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] } } },
      'Ready',
    ],
    ['it has none', { spec: { type: 'LoadBalancer' }, status: { loadBalancer: {} } }, 'Waits'],
  ],
  'apiextensions.k8s.io/v1/CustomResourceDefinition': [
    ['it is established', { status: { conditions: [on('Established', 'True')] } }, 'Ready'],
    ['it is new', { status: {} }, 'Waits'],
    [
      'its names are taken',
      { status: { conditions: [on('NamesAccepted', 'False', 'PluralConflict', 'in use')] } },
      'Failed: PluralConflict: in use',
    ],
  ],
  'apiregistration.k8s.io/v1/APIService': [
    ['it answers', { status: { conditions: [on('Available', 'True')] } }, 'Ready'],
    [
      'it does not',
      { status: { conditions: [on('Available', 'False', 'MissingEndpoints', 'none')] } },
      'Waits: MissingEndpoints: none',
    ],
  ],
  'autoscaling/v2/HorizontalPodAutoscaler': [
    [
      'it scales',
      { status: { conditions: [on('AbleToScale', 'True'), on('ScalingActive', 'True')] } },
      'Ready',
    ],
    [
      'nothing is to be scaled',
      {
        status: { conditions: [on('AbleToScale', 'True'), on('ScalingActive', 'False', 'ScalingDisabled')] },
      },
      'Ready',
    ],
    [
      'it has no metrics',
      {
        status: {
          conditions: [
            on('AbleToScale', 'True'),
            on('ScalingActive', 'False', 'FailedGetResourceMetric', 'no metrics'),
          ],
        },
      },
      'Waits: FailedGetResourceMetric: no metrics',
    ],
  ],
  'policy/v1/PodDisruptionBudget': [
    [
      'enough Pods are healthy',
      { status: { observedGeneration: 2, currentHealthy: 2, desiredHealthy: 1 } },
      'Ready',
    ],
    ['too few are', { status: { observedGeneration: 2, currentHealthy: 0, desiredHealthy: 1 } }, 'Waits'],
  ],
  'serving.knative.dev/v1/Service': [
    ['it is ready', { status: { observedGeneration: 2, conditions: [on('Ready', 'True')] } }, 'Ready'],
    ['it says nothing yet', {}, 'Waits'],
    [
      'its revision cannot start',
      {
        status: {
          observedGeneration: 2,
          conditions: [on('ConfigurationsReady', 'False', 'RevisionFailed', 'no image')],
        },
      },
      'Failed: RevisionFailed: no image',
    ],
    [
      'it is ready at the former generation',
      { status: { observedGeneration: 1, conditions: [on('Ready', 'True')] } },
      'Waits',
    ],
  ],
  'cert-manager.io/v1/Certificate': [
    ['it is issued', { status: { conditions: [on('Ready', 'True')] } }, 'Ready'],
    [
      'it is not yet',
      { status: { conditions: [on('Ready', 'False', 'DoesNotExist', 'Issuing')] } },
      'Waits: DoesNotExist: Issuing',
    ],
    ['it says nothing yet', {}, 'Waits'],
    [
      'it was denied',
      { status: { conditions: [on('Denied', 'True', 'policy', 'no')] } },
      'Failed: policy: no',
    ],
  ],
  'example.io/v1/Thing': [
    ['it says nothing', {}, 'Ready'],
    ['it has no conditions', { status: { observedGeneration: 2 } }, 'Ready'],
    ['it is behind', { status: { observedGeneration: 1 } }, 'Waits'],
    ['its generation is a text', { status: { observedGeneration: 'abc' } }, 'Ready'],
    [
      'it reconciles',
      { status: { conditions: [on('Reconciling', 'True', 'Busy', 'at it')] } },
      'Waits: Busy: at it',
    ],
    [
      'it is not ready',
      { status: { conditions: [on('Ready', 'False', 'Slow', 'soon')] } },
      'Waits: Slow: soon',
    ],
    [
      'it is ready',
      { status: { observedGeneration: 2, conditions: [on('Ready', 'True'), on('Stalled', 'False')] } },
      'Ready',
    ],
    [
      'it is stalled',
      { status: { observedGeneration: 2, conditions: [on('Stalled', 'True', 'NoAccess', 'denied')] } },
      'Failed: NoAccess: denied',
    ],
    [
      'its words are long',
      { status: { conditions: [on('Stalled', 'True', 'Long', 'x'.repeat(900))] } },
      `Failed: Long: ${'x'.repeat(226)}`,
    ],
  ],
};
