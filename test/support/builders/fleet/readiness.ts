// Objects of each kind, and what their rule says of them: Ready, Waits, or the words that it repeats.
import { EXTENSIONS } from './extension-readiness.ts';
import { GATEWAYS } from './gateway-readiness.ts';
import { PODS } from './pod-readiness.ts';
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
  ...PODS,
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
    [
      'it wants more Pods than there are, as of an app that is scaled to zero',
      {
        status: {
          observedGeneration: 2,
          currentHealthy: 0,
          desiredHealthy: 1,
          conditions: [on('DisruptionAllowed', 'False', 'InsufficientPods')],
        },
      },
      'Ready',
    ],
    [
      'its Pods are of no controller that it can count',
      {
        status: {
          observedGeneration: 2,
          conditions: [on('DisruptionAllowed', 'False', 'SyncFailed', 'found no controllers for pod "a"')],
        },
      },
      'Waits: SyncFailed: found no controllers for pod "a"',
    ],
  ],
  ...EXTENSIONS,
  ...GATEWAYS,
};
