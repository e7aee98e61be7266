// CappSets, their sites and their Capps' conditions for tests.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { CAPP_SET, type CappSet } from '../../../../crds/set/cappset.ts';
import { AVAILABLE, MANAGED_CLUSTER, type ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';

export const CONTAINERS = [{ name: 'app', image: 'ghcr.io/me/app:v1' }];

/** Of a set whose Capps run this image. */
export function aTemplate(image: string) {
  return {
    spec: { configurationSpec: { template: { spec: { containers: [{ ...CONTAINERS[0], image }] } } } },
  };
}

export function imageOf({ spec }: Capp): string | undefined {
  return spec.configurationSpec.template.spec.containers[0]?.image;
}

/** With named sites unless `spec` says otherwise. */
export function aSet(name: string, spec: object, namespace = 'apps'): CappSet {
  const template = { spec: { configurationSpec: { template: { spec: { containers: CONTAINERS } } } } };
  return {
    apiVersion: CAPP_SET.apiVersion,
    kind: CAPP_SET.kind,
    metadata: { name, namespace },
    spec: { template, ...spec },
  } as unknown as CappSet;
}

export function aCluster(name: string, labels: Readonly<Record<string, string>> = {}): ManagedCluster {
  return {
    apiVersion: MANAGED_CLUSTER.apiVersion,
    kind: MANAGED_CLUSTER.kind,
    metadata: { name, labels },
    spec: { hubAcceptsClient: true },
  } as unknown as ManagedCluster;
}

/** The cluster's agent renews its lease. */
export async function available(kube: Kube, name: string, isSo = true): Promise<void> {
  const condition = {
    type: AVAILABLE,
    status: isSo ? 'True' : 'Unknown',
    reason: 'Test',
    message: '',
    lastTransitionTime: '2026-03-01T12:00:00Z',
  };
  await kube.patch(
    MANAGED_CLUSTER,
    { namespace: null, name },
    { status: { conditions: [condition] } },
    { subresource: 'status' },
  );
}

/** What a Capp's own workflow would publish of its newest generation. */
export async function says(
  kube: Kube,
  name: string,
  reason: 'Serving' | 'RolloutFailed',
  namespace = 'apps',
): Promise<void> {
  const capp = await kube.get<Capp>(CAPP, { namespace, name });
  const condition = {
    type: 'Ready',
    status: reason === 'Serving' ? 'True' : 'False',
    reason,
    message: `it says ${reason}`,
    lastTransitionTime: new Date().toISOString(),
    observedGeneration: capp?.metadata.generation ?? 0,
  };
  await kube.patch(
    CAPP,
    { namespace, name },
    { status: { conditions: [condition] } },
    { subresource: 'status' },
  );
}
