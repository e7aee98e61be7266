// What the site operator writes for a Capp as its Knative Service.
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { KnativeService } from '../../../../crds/kubernetes/knative.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import type { OperatedSite } from '../../../../site/watched.ts';
import { DEFAULT_AUTOSCALE, type Autoscale } from '../../../../site/workload/autoscaling.ts';
import { workload } from '../../../../site/workload/service.ts';
import { steps } from '../../../../site/workload/steps.ts';

export interface AroundService {
  /** Of the site's CappConfig; null: it has none. */
  readonly autoscale?: Autoscale | null;
  /** How many Capps may take their step at a time; as on a site, if absent. */
  readonly width?: number;
  /** Knative's ConfigMap of features; null: it was never seen. */
  readonly features?: KubeObject | null;
}

/**
 * Null where it writes nothing. `live` is what runs: undefined for nothing. The API server is a stand-in.
 */
export async function writtenService(
  capp: Capp,
  live: KnativeService | undefined,
  { autoscale = DEFAULT_AUTOSCALE, width, features = null }: AroundService = {},
): Promise<KnativeService | null> {
  const applied: KnativeService[] = [];
  const apply = async (_kind: unknown, object: KnativeService): Promise<KnativeService> => {
    applied.push(object);
    return object;
  };
  const site = {
    kube: { apply, list: async () => ({ items: [] }) },
    watched: { services: { served: () => true, get: () => live }, features: { current: () => features } },
    config: { current: () => (autoscale === null ? null : { autoscale }) },
    steps: steps({ wake: () => undefined, ...(width === undefined ? {} : { width }) }),
  } as unknown as OperatedSite;
  await workload(site, capp);
  return applied[0] ?? null;
}
