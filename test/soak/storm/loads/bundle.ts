// The Bundle of a storm: settings, and a Deployment that users ask on every site.
import type { Manifest } from '../../../../crds/ocm/ocm.ts';
import { KNATIVE_REVISION_LABEL } from '../../../../crds/kubernetes/knative.ts';
import { INGRESS, INGRESS_CLASS } from '../../../../deploy/local/standins/ingress/ingress-object.ts';
import { editionText } from '../record/fact.ts';

export const BUNDLE_NAME = 'settings';
/** The stage of the Bundle whose sites are checked by a Job. */
export const CHECKED_BY_JOB = 'checked';
const SITE_NAMESPACE = 'default';

/** Under this name users ask the Bundle's app, on whichever site they are. */
export function bundleHost(namespace: string): string {
  return `${BUNDLE_NAME}.${namespace}.localhost`;
}

/** The name is the storm's namespace: all of it is in one namespace of the site. */
export function manifestsOf(namespace: string, edition: number): Manifest[] {
  const metadata = { name: namespace, namespace: SITE_NAMESPACE };
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: { edition: editionText(edition) },
    },
    deployment(metadata, edition),
    ingress(metadata),
  ];
}

interface Metadata {
  readonly name: string;
  readonly namespace: string;
}

/** Its Pods have the label by which the ingress of a site of the local stack knows whom it may ask. */
function deployment(metadata: Metadata, edition: number): Manifest {
  const labels = { [KNATIVE_REVISION_LABEL]: metadata.name };
  const containers = [{ name: 'app', image: `ghcr.io/me/shop:${editionText(edition)}` }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  };
}

function ingress(metadata: Metadata): Manifest {
  const { name, namespace } = metadata;
  const splits = [{ serviceNamespace: namespace, serviceName: name, servicePort: 80, percent: 100 }];
  return {
    apiVersion: INGRESS.apiVersion,
    kind: INGRESS.kind,
    metadata: { ...metadata, annotations: { 'networking.knative.dev/ingress.class': INGRESS_CLASS } },
    spec: {
      httpOption: 'Enabled',
      rules: [{ hosts: [bundleHost(name)], visibility: 'ExternalIP', http: { paths: [{ splits }] } }],
    },
  };
}

/** A Job on each site of the stage, which ends well. */
export function checkByJob() {
  const containers = [{ name: 'smoke', image: 'ghcr.io/me/smoke:v1' }];
  return {
    name: 'smoke',
    job: {
      namespace: SITE_NAMESPACE,
      template: { spec: { template: { spec: { restartPolicy: 'Never', containers } } } },
    },
  };
}
