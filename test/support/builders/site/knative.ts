// Builders of what Knative and a kubelet say on a site.
import type { Pod } from '../../../../crds/kubernetes/core.ts';
import type { KnativeRevision, KnativeService } from '../../../../crds/kubernetes/knative.ts';

export type Truth = 'True' | 'False' | 'Unknown';
export function is(type: string, status: Truth, reason?: string): Condition {
  return reason === undefined ? { type, status } : { type, status, reason };
}

interface Condition {
  readonly type: string;
  readonly status: Truth;
  readonly reason?: string;
  readonly message?: string;
}

interface ServiceFacts {
  readonly created?: string;
  readonly ready?: string;
  readonly conditions?: readonly Condition[];
  readonly observed?: number;
}

export function aService({
  created,
  ready,
  conditions = [],
  observed = 1,
}: ServiceFacts = {}): KnativeService {
  return {
    metadata: { name: 'app', namespace: 'apps', generation: 1 },
    status: {
      observedGeneration: observed,
      url: 'http://app.apps.example.com',
      conditions,
      ...(created === undefined ? {} : { latestCreatedRevisionName: created }),
      ...(ready === undefined ? {} : { latestReadyRevisionName: ready }),
    },
  };
}

export function aRevision(name: string, ...conditions: Condition[]): KnativeRevision {
  return { metadata: { name }, status: { conditions } };
}

export function aPod(revision: string, reason: string | null, more: Partial<Pod['metadata']> = {}): Pod {
  return {
    metadata: { name: `${revision}-pod`, labels: { 'serving.knative.dev/revision': revision }, ...more },
    status: {
      conditions: [is('Ready', reason === null ? 'True' : 'False')],
      containerStatuses: [
        {
          name: 'app',
          state: reason === null ? {} : { waiting: { reason, message: 'canary of the container' } },
        },
      ],
    },
  };
}

export function revisionAt(name: string, creationTimestamp: string): KnativeRevision {
  return { metadata: { name, creationTimestamp }, status: { actualReplicas: 1 } };
}
