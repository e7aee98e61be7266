// What a real Knative makes of the DomainMapping of a Capp.
import { DOMAIN_MAPPING } from '../../../../crds/kubernetes/knative.ts';
import { askApp } from '../../../../deploy/local/cappstan/ask.ts';
import type { Address } from '../../../../deploy/local/supervise/process-spec.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { Resource } from '../../../../kube/resource.ts';
import { domainMapping } from '../../../../site/route/domain-mapping.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { aCapp } from '../../builders/capps.ts';
import { KEY, WITHIN } from './app-on-site.ts';

const INGRESS: Resource = {
  apiVersion: 'networking.internal.knative.dev/v1alpha1',
  kind: 'Ingress',
  plural: 'ingresses',
  namespaced: true,
};

/** Maps a hostname to the app `KEY` as a Capp with this annotation has it. */
async function map(kube: Kube, host: string, annotation: string, value: string): Promise<void> {
  const capp = aCapp({ spec: { routeSpec: { hostname: host } } });
  const named = {
    ...capp,
    metadata: { ...capp.metadata, ...KEY, annotations: { [`networking.knative.dev/${annotation}`]: value } },
  };
  const mapping = domainMapping(named, host, null);
  // There is no such Capp, and Kubernetes would collect what belongs to it.
  const { ownerReferences: _none, ...metadata } = mapping.metadata;
  await kube.apply(DOMAIN_MAPPING, { ...mapping, metadata }, { fieldManager: 'test', force: true });
}

/** The class of the Ingress that Knative makes for the hostname of a Capp that names this one. */
export async function classOf(kube: Kube, named: string): Promise<string | undefined> {
  const name = 'classed.example.com';
  await map(kube, name, 'ingress-class', named);
  const ingress = await eventually(
    async () => (await kube.get(INGRESS, { namespace: KEY.namespace, name })) ?? undefined,
    WITHIN,
  );
  return ingress.metadata.annotations?.['networking.knative.dev/ingress.class'];
}

/**
 * What a site answers by plain HTTP to safe.example.com, which a Capp has redirected: status and location.
 */
export async function redirected(kube: Kube, address: Address): Promise<readonly unknown[]> {
  const host = 'safe.example.com';
  await map(kube, host, 'http-protocol', 'Redirected');
  const { status, headers } = await eventually(async () => {
    const answer = await askApp(address, host);
    return answer.status === 404 ? undefined : answer;
  }, WITHIN);
  return [status, headers['location']];
}
