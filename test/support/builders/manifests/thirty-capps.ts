// Thirty Capps of all shapes and what container-app-operator v0.3.6 made for them, as it was recorded, with
// the CappConfig that was there then.
import { readFileSync } from 'node:fs';
import { CAPP_CONFIG } from '../../../../crds/capp-config.ts';
import { RECORDS } from '../../../../crds/dns-record.ts';
import { CERTIFICATE } from '../../../../crds/kubernetes/certificate.ts';
import { DOMAIN_MAPPING, KNATIVE_SERVICE, NFS_PVC } from '../../../../crds/kubernetes/knative.ts';
import { SYSLOG_NG_FLOW, SYSLOG_NG_OUTPUT } from '../../../../crds/kubernetes/logging.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';

export type Recorded = KubeObject & { readonly spec?: object; readonly status?: object };

const FILE = new URL('../../../fixtures/container-app-operator-v0.3.6/thirty-capps.json', import.meta.url);
const recorded = JSON.parse(readFileSync(FILE, 'utf8')) as readonly Recorded[];

/** The kinds of what it made. */
export const MADE = [
  KNATIVE_SERVICE,
  DOMAIN_MAPPING,
  CERTIFICATE,
  NFS_PVC,
  SYSLOG_NG_FLOW,
  SYSLOG_NG_OUTPUT,
  RECORDS.Cluster,
];

export const recordedOf = ({ kind }: Pick<Resource, 'kind'>): readonly Recorded[] =>
  recorded.filter((one) => one.kind === kind);

export const RECORDED_CONFIG = {
  apiVersion: CAPP_CONFIG.apiVersion,
  kind: CAPP_CONFIG.kind,
  metadata: { name: 'capp-config', namespace: 'capp-operator-system' },
  spec: {
    dnsConfig: {
      zone: 'apps.example.',
      cname: 'ingress.apps.example.',
      provider: 'dns-default',
      issuer: 'cert-issuer',
    },
    autoscalerConfig: { rps: '200', cpu: '80', memory: '70', concurrency: '10', activationScale: '3' },
  },
};
