// What a real Knative makes of the DomainMapping of a Capp.
import { DOMAIN_MAPPING } from '../../../../crds/kubernetes/knative.ts';
import { askApp } from '../../../../deploy/local/cappstan/ask.ts';
import type { Address } from '../../../../deploy/local/supervise/process-spec.ts';
import type { Kube } from '../../../../kube/client.ts';
import { domainMapping } from '../../../../site/route/domain-mapping.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { aCapp } from '../../builders/capps.ts';
import { KEY, WITHIN } from './app-on-site.ts';

const REDIRECTED = {
  'networking.knative.dev/http-protocol': 'Redirected',
  'networking.knative.dev/ingress-class': 'own.example.com',
};

export interface Named {
  readonly host: string;
  /** That of the certificate; null without one. */
  readonly secretName: string | null;
}

/** Gives the app `KEY` a hostname, as the site operator does for a Capp with these annotations. */
export async function nameApp(
  kube: Kube,
  { host, secretName }: Named,
  annotations: Readonly<Record<string, string>> = {},
): Promise<void> {
  const capp = aCapp({ spec: { routeSpec: { hostname: host } } });
  const named = { ...capp, metadata: { ...capp.metadata, ...KEY, annotations } };
  const mapping = domainMapping(named, host, secretName);
  // There is no such Capp, and Kubernetes would collect what belongs to it.
  const { ownerReferences: _none, ...metadata } = mapping.metadata;
  await kube.apply(DOMAIN_MAPPING, { ...mapping, metadata }, { fieldManager: 'test', force: true });
}

/**
 * What a site answers by plain HTTP to this hostname of the app `KEY`: status and location. Its Capp is
 * redirected, and has an ingress class of its own.
 */
export async function answered(kube: Kube, address: Address, named: Named): Promise<readonly unknown[]> {
  await nameApp(kube, named, REDIRECTED);
  const { status, headers } = await eventually(async () => {
    const answer = await askApp(address, named.host);
    return answer.status === 404 ? undefined : answer;
  }, WITHIN);
  return [status, headers['location']];
}
