// Objects of each kind, and what their rule says of them: Ready, Waits, or the words that it repeats.
import { on, WORKLOADS, type Case } from './workload-readiness.ts';

/** How version v1 of an autoscaler shows its conditions. */
const former = (active: string) => ({
  annotations: {
    'autoscaling.alpha.kubernetes.io/conditions': `[{"type":"AbleToScale","status":"True"},{${active}}]`,
  },
});

const DELETED = { metadata: { deletionTimestamp: '2026-03-01T12:00:00Z' } };
const HELD =
  'Waits: somebody has deleted it on the site, and its finalizers hold it. It is made again once it is gone';

/** Kinds without a state: whatever version of its manifest an object has. */
export const STATELESS: Readonly<Record<string, readonly Case[]>> = Object.fromEntries(
  ['v1/ConfigMap', 'v1/Secret', 'v1/PersistentVolume', 'networking.k8s.io/v1/Ingress'].map((kind) => [
    kind,
    [
      ['it is there', {}, 'Ready'],
      ['somebody has deleted it', DELETED, HELD],
    ],
  ]),
);

export const READINESS: Readonly<Record<string, readonly Case[]>> = {
  ...WORKLOADS,
  'v1/Namespace': [
    ['it is there', { status: { phase: 'Active' } }, 'Ready'],
    ['it says nothing yet', {}, 'Ready'],
    ['it is being deleted, and says so', { status: { phase: 'Terminating' } }, 'Waits'],
    ['somebody has deleted it', { ...DELETED, status: { phase: 'Active' } }, HELD],
  ],
  'v1/PersistentVolumeClaim': [
    ['it is bound', { status: { phase: 'Bound' } }, 'Ready'],
    [
      'it is pending',
      { status: { phase: 'Pending' } },
      'Waits: no volume is bound to it. If its StorageClass has WaitForFirstConsumer, ship a Pod that uses it, or write a rule for it in spec.ready',
    ],
    ['its volume is lost', { status: { phase: 'Lost' } }, 'Failed: Lost'],
  ],
  'v1/Service': [
    [
      'it has an address',
      { spec: { type: 'LoadBalancer' }, status: { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] } } },
      'Ready',
    ],
    [
      'it has a name alone',
      { spec: { type: 'LoadBalancer' }, status: { loadBalancer: { ingress: [{ hostname: 'a.b' }] } } },
      'Ready',
    ],
    [
      'it has none',
      { spec: { type: 'LoadBalancer' }, status: { loadBalancer: {} } },
      'Waits: no load balancer has given it an address. Where the site has none, ship another type, or write a rule for it in spec.ready',
    ],
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
  'autoscaling/v1/HorizontalPodAutoscaler': [
    ['it scales', { metadata: former('"type":"ScalingActive","status":"True"') }, 'Ready'],
    [
      'nothing is to be scaled',
      { metadata: former('"type":"ScalingActive","status":"False","reason":"ScalingDisabled"') },
      'Ready',
    ],
    ['it says nothing yet', {}, 'Waits'],
    [
      'it has no metrics',
      { metadata: former('"type":"ScalingActive","status":"False","reason":"FailedGetResourceMetric"') },
      'Waits: it cannot read its metrics or its target. Written as autoscaling/v2 it says here which',
    ],
  ],
  'policy/v1/PodDisruptionBudget': [
    [
      'enough Pods are healthy',
      { status: { observedGeneration: 2, currentHealthy: 2, desiredHealthy: 1 } },
      'Ready',
    ],
    [
      'it protects none',
      { status: { observedGeneration: 2, currentHealthy: 0, desiredHealthy: 0 } },
      'Ready',
    ],
    [
      'it has not seen the edit',
      { status: { observedGeneration: 1, currentHealthy: 2, desiredHealthy: 1 } },
      'Waits',
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
  'eventing.knative.dev/v1/Trigger': [
    ['it says nothing yet', {}, 'Waits'],
    ['it is ready', { status: { observedGeneration: 2, conditions: [on('Ready', 'True')] } }, 'Ready'],
    [
      'its Broker is missing',
      {
        status: {
          conditions: [on('BrokerReady', 'False'), on('Ready', 'False', 'BrokerDoesNotExist', 'none')],
        },
      },
      'Waits: BrokerDoesNotExist: none',
    ],
  ],
  'gateway.networking.k8s.io/v1/Gateway': [
    [
      'it is accepted',
      { status: { conditions: [on('Accepted', 'True'), on('Programmed', 'False')] } },
      'Ready',
    ],
    [
      'it is not ready',
      { status: { conditions: [on('Ready', 'False', 'Pending', 'soon')] } },
      'Waits: Pending: soon',
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
      'it is issued as it was before the edit',
      { status: { conditions: [{ ...on('Ready', 'True'), observedGeneration: 1 }] } },
      'Waits',
    ],
    [
      'it is issued as it is now',
      { status: { conditions: [{ ...on('Ready', 'True'), observedGeneration: 2 }] } },
      'Ready',
    ],
    [
      'it was denied',
      { status: { conditions: [on('Denied', 'True', 'policy', 'no')] } },
      'Failed: policy: no',
    ],
  ],
  'example.io/v1/Thing': [
    ['it says nothing', {}, 'Ready'],
    ['its status is a text', { status: 'active' }, 'Ready'],
    ['its conditions are no list', { status: { conditions: { ready: 'yes' } } }, 'Ready'],
    ['its conditions are texts', { status: { conditions: ['Stalled'] } }, 'Ready'],
    [
      'it reconciles and is not ready',
      {
        status: {
          conditions: [
            on('Ready', 'False', 'Progressing', 'later'),
            on('Reconciling', 'True', 'Busy', 'at it'),
          ],
        },
      },
      'Waits: Busy: at it',
    ],
    [
      'it is being deleted',
      { metadata: { deletionTimestamp: '2026-03-01T12:00:00Z' } },
      'Waits: somebody has deleted it on the site, and its finalizers hold it. It is made again once it is gone',
    ],
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
      'it was stalled at the former generation, as the condition says',
      { status: { conditions: [{ ...on('Stalled', 'True', 'NoAccess', 'denied'), observedGeneration: 1 }] } },
      'Waits',
    ],
    [
      'it is stalled at this generation, as the condition says',
      { status: { conditions: [{ ...on('Stalled', 'True', 'NoAccess', 'denied'), observedGeneration: 2 }] } },
      'Failed: NoAccess: denied',
    ],
    [
      'its conditions come in another order, with fields of their own',
      {
        status: {
          phase: 'Degraded',
          conditions: [
            { ...on('Stalled', 'False'), severity: 3 },
            on('Synced', 'False'),
            on('Ready', 'True'),
          ],
        },
      },
      'Ready',
    ],
    [
      'its reason is null and its message a number',
      { status: { conditions: [{ type: 'Ready', status: 'False', reason: null, message: 5 }] } },
      'Waits',
    ],
    [
      'the status of a condition is a boolean',
      { status: { conditions: [{ type: 'Ready', status: false }] } },
      'Ready',
    ],
    [
      'its words are long',
      { status: { conditions: [on('Stalled', 'True', 'Long', 'x'.repeat(900))] } },
      `Failed: Long: ${'x'.repeat(226)}`,
    ],
  ],
};
