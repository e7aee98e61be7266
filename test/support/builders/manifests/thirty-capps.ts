// Thirty Capps of all shapes and what container-app-operator v0.3.6 made for them, as it was recorded, with the
// CappConfig that was there then.
import { readFileSync } from 'node:fs';
import { CAPP_CONFIG } from '../../../../crds/capp-config.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';

export type Recorded = KubeObject & { readonly spec?: object; readonly status?: object };

const FILE = new URL('../../../fixtures/container-app-operator-v0.3.6/thirty-capps.json', import.meta.url);
const recorded = JSON.parse(readFileSync(FILE, 'utf8')) as readonly Recorded[];

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
