// Objects of kinds that a cluster gets from others, and what their rule says of them.
import { on, type Case } from './workload-readiness.ts';

export const EXTENSIONS: Readonly<Record<string, readonly Case[]>> = {
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
  'cert-manager.io/v1/Certificate': [
    ['it is issued', { status: { conditions: [on('Ready', 'True')] } }, 'Ready'],
    [
      'it is not yet',
      { status: { conditions: [on('Ready', 'False', 'DoesNotExist', 'Issuing')] } },
      'Waits: DoesNotExist: Issuing',
    ],
    [
      'its last request has failed',
      {
        status: {
          conditions: [
            on('Ready', 'False', 'DoesNotExist', 'Issuing certificate as Secret does not exist'),
            on('Issuing', 'False', 'Failed', 'will be retried: the account is not registered'),
          ],
        },
      },
      'Waits: Failed: will be retried: the account is not registered',
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
  'cert-manager.io/v1/CertificateRequest': [
    ['it is signed', { status: { conditions: [on('Ready', 'True', 'Issued')] } }, 'Ready'],
    [
      'it is being signed',
      { status: { conditions: [on('Ready', 'False', 'Pending', 'waiting')] } },
      'Waits: Pending: waiting',
    ],
    [
      'its signer has given up',
      { status: { conditions: [on('Ready', 'False', 'Failed', 'the order is invalid')] } },
      'Failed: Failed: the order is invalid',
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
