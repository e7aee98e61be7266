// Knative's sources of events on a site: the few fields that we read or write.
import type { ObjectMeta } from '../../kube/resource.ts';
import type { ForeignCondition } from './core.ts';

export interface KnativeSource {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly ForeignCondition[];
    readonly [field: string]: unknown;
  };
}

const SOURCES = 'sources.knative.dev/v1';

export const PING_SOURCE = {
  apiVersion: SOURCES,
  kind: 'PingSource',
  plural: 'pingsources',
  namespaced: true,
} as const;
export const KAFKA_SOURCE = {
  apiVersion: SOURCES,
  kind: 'KafkaSource',
  plural: 'kafkasources',
  namespaced: true,
} as const;
