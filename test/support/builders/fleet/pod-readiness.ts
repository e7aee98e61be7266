// Jobs and Pods, which may end, and what their rule says of them.
import { on, type Case } from './workload-readiness.ts';

export const PODS: Readonly<Record<string, readonly Case[]>> = {
  'batch/v1/Job suspended': [
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
  ],
  'batch/v1/Job without Pods': [
    ['it asks for no Pods', { spec: { parallelism: 0 }, status: {} }, 'Ready'],
    ['it has been given Pods on the site', { spec: { parallelism: 2 }, status: { active: 2 } }, 'Waits'],
    [
      'it has failed, and asks for no Pods',
      { spec: { parallelism: 0 }, status: { conditions: [on('Failed', 'True', 'DeadlineExceeded')] } },
      'Failed: DeadlineExceeded',
    ],
  ],
  'batch/v1/Job suspended without Pods': [
    ['somebody has let it run, without Pods', { spec: { parallelism: 0 }, status: {} }, 'Ready'],
    ['somebody has let it run', { spec: { parallelism: 1 }, status: { active: 1 } }, 'Waits'],
  ],
  'batch/v1/Job': [
    [
      'somebody has taken its Pods away on the site',
      { spec: { parallelism: 0 }, status: {} },
      'Waits: a person or a queue, such as Kueue, has suspended it on the site: it is ready when it has run. To have it wait, write spec.suspend in the manifest',
    ],
    ['it has only begun', { spec: {}, status: { active: 1 } }, 'Waits'],
    ['it has finished', { spec: {}, status: { conditions: [on('Complete', 'True')] } }, 'Ready'],
    [
      'somebody has suspended it on the site',
      { spec: { suspend: true }, status: { conditions: [on('Suspended', 'True')] } },
      'Waits: a person or a queue, such as Kueue, has suspended it on the site: it is ready when it has run. To have it wait, write spec.suspend in the manifest',
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
