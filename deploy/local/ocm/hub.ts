// OCM on the hub: its CRDs, its four controllers, and its admission webhook, which sets the time of taints
// and the default ManagedClusterSet.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { applyObjects, ourManifests } from '../kubernetes/apply.ts';
import { applyDefinitions, isDefinition } from '../kubernetes/manifests.ts';
import { applyOcmCrds } from './crds.ts';
import type { Pki } from '../kubernetes/pki.ts';
import type { Ports } from '../supervise/ports.ts';
import { Wave, type ProcessSpec } from '../supervise/process-spec.ts';
import { toolPath } from '../programs/tools.ts';
import type { Tool } from '../programs/modules.ts';

const NAMESPACE = 'open-cluster-management-hub';
/** OCM accepts no cluster by itself: who accepts one has looked whether it is the one. */
const GATES = '--feature-gates=ManagedClusterAutoApproval=false,DefaultClusterSet=true';

/** Applies namespaces, the rights of whoever registers a cluster, and CRDs. Safe to repeat. */
export async function prepareOcmHub(kube: Kube): Promise<void> {
  await applyObjects(kube, await ourManifests('hub'));
  await applyOcmCrds(kube, 'hub');
  await applyDefinitions(kube, (await ourManifests('clusteradm')).filter(isDefinition));
}

export interface OcmHubOptions {
  readonly kubeconfig: string;
  readonly pki: Pki;
  readonly ports: Ports;
}

/** The processes of the controllers and the webhook. */
export async function ocmHub({ kubeconfig, pki, ports }: OcmHubOptions): Promise<ProcessSpec[]> {
  const controller = async (tool: Tool, args: readonly string[]): Promise<ProcessSpec> => {
    const port = await ports.of(tool);
    return {
      name: tool,
      command: toolPath(tool),
      args: [...args, ...controllerFlags(port), `--kubeconfig=${kubeconfig}`, `--namespace=${NAMESPACE}`],
      env: { POD_NAMESPACE: NAMESPACE, POD_NAME: tool },
      ready: { http: `https://127.0.0.1:${port}/healthz` },
      wave: Wave.controller,
      ports: [port],
    };
  };
  return [
    await controller('ocm-registration', ['controller', GATES]),
    await controller('ocm-placement', ['controller']),
    await controller('ocm-work', ['manager']),
    await controller('ocm-addon', ['manager']),
    await webhookProcess({ kubeconfig, pki, ports }),
  ];
}

/**
 * Flags of every OCM controller and agent: loopback, no leader election, and a higher request rate than the
 * default.
 */
export function controllerFlags(port: number): string[] {
  return [
    `--listen=127.0.0.1:${port}`,
    '--disable-leader-election',
    '--kube-api-qps=500',
    '--kube-api-burst=1000',
  ];
}

async function webhookProcess({ kubeconfig, pki, ports }: OcmHubOptions): Promise<ProcessSpec> {
  const port = await ports.of('ocm-webhook');
  const pair = await pki.issue('ocm-webhook/tls', { name: 'ocm-webhook', hosts: ['127.0.0.1'] });
  return {
    name: 'ocm-webhook',
    command: toolPath('ocm-webhook'),
    args: [`--kubeconfig=${kubeconfig}`, `--port=${port}`, `--certdir=${join(pair.cert, '..')}`, GATES],
    ready: { tcp: port },
    wave: Wave.controller,
    ports: [port],
  };
}

/**
 * Registers the webhooks with the API server. Call it when their process is ready: until then every write
 * would fail. Safe to repeat.
 */
export async function registerOcmWebhooks(kube: Kube, { pki, ports }: OcmHubOptions): Promise<void> {
  const caBundle = (await readFile(pki.authority.cert)).toString('base64');
  const port = await ports.of('ocm-webhook');
  const webhook = (
    kind: 'Mutating' | 'Validating',
    what: { resource: string; version: string; rule: string },
  ): KubeObject & { webhooks: unknown } => {
    const verb = kind === 'Mutating' ? 'mutate' : 'validate';
    const name = `${what.resource}${kind === 'Mutating' ? 'mutators' : 'validators'}.admission.cluster.open-cluster-management.io`;
    const path = `${verb}-cluster-open-cluster-management-io-${what.version}-${what.resource}`;
    const entry = {
      name,
      clientConfig: { url: `https://127.0.0.1:${port}/${path}`, caBundle },
      rules: [
        {
          operations: ['CREATE', 'UPDATE'],
          apiGroups: ['cluster.open-cluster-management.io'],
          apiVersions: [what.rule],
          resources: [`${what.resource}s`],
        },
      ],
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      failurePolicy: 'Fail',
      timeoutSeconds: 10,
    };
    const apiVersion = 'admissionregistration.k8s.io/v1';
    return { apiVersion, kind: `${kind}WebhookConfiguration`, metadata: { name }, webhooks: [entry] };
  };
  await applyObjects(kube, [
    webhook('Mutating', { resource: 'managedcluster', version: 'v1', rule: '*' }),
    webhook('Validating', { resource: 'managedcluster', version: 'v1', rule: '*' }),
    webhook('Validating', { resource: 'managedclustersetbinding', version: 'v1beta2', rule: 'v1beta2' }),
  ]);
}
