// The webhook in the test's process, with a real API server that calls it, and with the chart's configuration
// and rights.
import { dirname, join } from 'node:path';
import { MANAGED_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import {
  MANAGED_CLUSTER_SET,
  MANAGED_CLUSTER_SET_BINDING,
  PLACEMENT,
} from '../../../../crds/ocm/placements.ts';
import { CAPP_CONFIG } from '../../../../crds/capp-config.ts';
import { CAPP_CONFIG_DEFINITION } from '../../../../crds/definitions/of-sites.ts';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { applyObjects } from '../../../../deploy/local/kubernetes/apply.ts';
import { RELEASE_NAMESPACE, renderChart } from '../../../../deploy/local/cappstan/chart.ts';
import { openPorts } from '../../../../deploy/local/supervise/ports.ts';
import type { Kube } from '../../../../kube/client.ts';
import { startAdmission, type Admission } from '../../../../workers/webhook/webhook.ts';
import { ownCertificate } from '../../../../tls/shared-certificate.ts';
import { publishAuthorities, WEBHOOK_CERTIFICATE } from '../../../../tls/webhook-authorities.ts';
import { startApiServer } from '../api/api-server.ts';
import { groundOf, serve } from '../api/definitions.ts';
import { clientAs, rawClientAs, type RawClient } from '../api/identities.ts';

export interface WebhookForTests {
  /** Leads to its API server as an administrator. */
  readonly kubeconfig: string;
  /** The administrator's. */
  readonly kube: Kube;
  readonly port: number;
  readonly admission: Admission;
  /** Errors that the webhook reported. */
  readonly faults: readonly unknown[];
  /** Sets the webhook's clock, in milliseconds since the epoch. */
  setClock(now: number): void;
  /** A client with all rights and this name. */
  as(username: string): Promise<Kube>;
  /** The same, with the server's own messages. */
  rawAs(username: string): Promise<RawClient>;
  /** Stops the webhook while `meanwhile` runs. */
  without(meanwhile: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

const FOREIGN = [PLACEMENT, MANAGED_CLUSTER, MANAGED_CLUSTER_SET, MANAGED_CLUSTER_SET_BINDING];
export const WEBHOOK_USER = `system:serviceaccount:${RELEASE_NAMESPACE}:cappstan-webhook`;
export const HUB_USER = `system:serviceaccount:${RELEASE_NAMESPACE}:cappstan-hub`;
const RIGHTS = new Set(['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding']);
const CONFIGURATIONS = new Set([
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
]);
const PARTS = new Set([
  'cappstan-webhook',
  'cappstan-capp-authors',
  'cappstan-drain-authors',
  'cappstan-set-authors',
  'cappstan-bundle-authors',
  'cappstan-cluster-facts',
  'cappstan-set-orphans',
  'cappstan-bundle-orphans',
]);

export interface WebhookSetting {
  readonly side?: 'hub' | 'site';
  readonly values?: Record<string, string>;
  /** Whether the API server has the chart's policies; it has if not given. */
  readonly policies?: boolean;
}

/**
 * `startAt` is when the first certificate is made, by the webhook's clock. On a site, `values` are more of
 * the chart's.
 */
export async function startWebhook(
  namespaces: readonly string[],
  startAt: number,
  { side = 'hub', values = {}, policies = true }: WebhookSetting = {},
): Promise<WebhookForTests> {
  const server = await startApiServer({ ground: groundOf(FOREIGN) });
  const dir = dirname(server.kubeconfig);
  const port = await (await openPorts(join(dir, 'ports.json'))).of('webhook');
  const kubes: Kube[] = [];
  const client = async (name: string, groups: readonly string[]): Promise<Kube> => {
    const kube = await clientAs(server, name, groups);
    kubes.push(kube);
    return kube;
  };
  const kube = await client('kubernetes-admin', ['system:masters']);
  if (side === 'site') await serve(kube, CAPP_CONFIG_DEFINITION, CAPP_CONFIG);
  for (const name of [RELEASE_NAMESPACE, ...namespaces]) await kube.create(NAMESPACE, { metadata: { name } });
  const all = {
    ...(side === 'site'
      ? { 'site.alone': 'true', ...values }
      : { 'temporal.address': 'unused:1', 'addon.install': 'false' }),
    'webhook.url': `https://127.0.0.1:${port}`,
  };
  const chart = (await renderChart(all)).filter(
    ({ kind = '', metadata }) =>
      PARTS.has(metadata.name) && (policies || !kind.startsWith('ValidatingAdmissionPolicy')),
  );
  await applyObjects(
    kube,
    chart.filter(({ kind = '' }) => RIGHTS.has(kind)),
  );
  await applyObjects(
    kube,
    chart.filter(({ kind = '' }) => CONFIGURATIONS.has(kind)),
  );

  let now = startAt;
  const faults: unknown[] = [];
  const own = await client(WEBHOOK_USER, []);
  const hosts = ['cappstan-webhook.cappstan-system.svc', '127.0.0.1'];
  const start = (): Promise<Admission> =>
    startAdmission(own, {
      side,
      address: `127.0.0.1:${port}`,
      certificate: ownCertificate(own, {
        namespace: RELEASE_NAMESPACE,
        secret: WEBHOOK_CERTIFICATE,
        hosts,
        publish: (authorities) => publishAuthorities(own, authorities),
        promoteAfterMs: 0,
        now: () => now,
      }),
      place: {
        configKey: RCS_CONFIG_KEY,
        namespace: RELEASE_NAMESPACE,
        clusterDomain: 'cluster.local',
        reserved: ['platform'],
      },
      onProblem: (_kind, error) => faults.push(error),
      onError: (_path, error) => faults.push(error),
    });
  let admission = await start();
  return {
    kubeconfig: server.kubeconfig,
    kube,
    port,
    faults,
    get admission() {
      return admission;
    },
    setClock: (at) => void (now = at),
    as: (username) => client(username, ['system:masters']),
    rawAs: (username) => rawClientAs(server, username, ['system:masters']),
    without: async (meanwhile) => {
      await admission.close();
      await meanwhile();
      admission = await start();
    },
    stop: async () => {
      await admission.close();
      await Promise.all(kubes.map((one) => one.close()));
      await server.stop();
    },
  };
}
