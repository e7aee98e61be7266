// A hub on which `kubectl capp doctor` finds no fault: the chart's objects, the real webhook, a site, and
// what the bridge has published.
import { ADD_ON } from '../../../../crds/ocm/add-on.ts';
import {
  AVAILABLE,
  MANAGED_CLUSTER,
  MANAGED_CLUSTER_ADD_ON,
  MANIFEST_WORK,
} from '../../../../crds/ocm/ocm.ts';
import {
  ADD_ON_PLACEMENT_SCORE,
  PLACEMENT,
  PLACEMENT_DECISION,
  PLACEMENT_LABEL,
} from '../../../../crds/ocm/placements.ts';
import { HUB_STATUS, HUB_STATUS_NAME } from '../../../../crds/hub/hub-status.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { run } from '../../../../cli/program.ts';
import { RELEASE_NAMESPACE } from '../../../../deploy/local/cappstan/chart.ts';
import { applyObjects } from '../../../../deploy/local/kubernetes/apply.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { Resource } from '../../../../kube/resource.ts';
import { aTerminal } from '../../builders/process/terminals.ts';
import { forHub } from '../../servers/chart/chart.ts';
import { serveBare } from '../../servers/api/definitions.ts';
import { startWebhook, type WebhookForTests } from '../../servers/chart/webhook.ts';

const CLUSTER_ADD_ON: Resource = {
  apiVersion: MANAGED_CLUSTER_ADD_ON.apiVersion,
  kind: 'ClusterManagementAddOn',
  plural: 'clustermanagementaddons',
  namespaced: false,
};
const DEPLOYMENT: Resource = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
};
const KINDS = new Set(['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Deployment']);
const since = { lastTransitionTime: '2026-03-01T12:00:00Z' };

export async function startWellHub(): Promise<WebhookForTests> {
  const hub = await startWebhook(['placements', 'site-1', RCS_CONFIG_KEY.namespace], Date.now());
  const { kube } = hub;
  const kinds = [
    PLACEMENT_DECISION,
    MANIFEST_WORK,
    ADD_ON_PLACEMENT_SCORE,
    MANAGED_CLUSTER_ADD_ON,
    CLUSTER_ADD_ON,
  ];
  for (const kind of kinds) await serveBare(kube, kind);
  const chart = await forHub({ 'addon.install': 'false' });
  await applyObjects(
    kube,
    chart.filter(({ kind = '' }) => KINDS.has(kind)),
  );
  for (const name of ['cappstan-bridge', 'cappstan-hub', 'cappstan-webhook'])
    await kube.patch(
      DEPLOYMENT,
      { namespace: RELEASE_NAMESPACE, name },
      { status: { observedGeneration: 1, replicas: 1, availableReplicas: 1, readyReplicas: 1 } },
      { subresource: 'status' },
    );
  await aSite(kube);
  await placements(kube);
  await published(kube);
  return hub;
}

async function aSite(kube: Kube): Promise<void> {
  const name = 'site-1';
  const conditions = [{ type: AVAILABLE, status: 'True', ...since }];
  await kube.create(MANAGED_CLUSTER, { metadata: { name }, spec: { hubAcceptsClient: true } } as never);
  await kube.patch(
    MANAGED_CLUSTER,
    { namespace: null, name },
    { status: { conditions } },
    { subresource: 'status' },
  );
  await kube.create(CLUSTER_ADD_ON, { metadata: { name: ADD_ON } });
  await kube.create(MANAGED_CLUSTER_ADD_ON, { metadata: { namespace: name, name: ADD_ON } });
  await kube.patch(
    MANAGED_CLUSTER_ADD_ON,
    { namespace: name, name: ADD_ON },
    { status: { conditions: [{ type: 'Available', status: 'True', ...since }] } },
    { subresource: 'status' },
  );
}

/** As the bridge writes it. */
async function published(kube: Kube): Promise<void> {
  const { apiVersion, kind } = HUB_STATUS;
  const object = { apiVersion, kind, metadata: { name: HUB_STATUS_NAME }, spec: {} };
  await kube.create(HUB_STATUS, object as never);
  await sayTemporal(kube, true);
}

/** As the bridge publishes whether Temporal answers. */
export async function sayTemporal(kube: Kube, reachable: boolean): Promise<void> {
  const temporal = { reachable, ...(reachable ? {} : { problem: 'Unreachable' }), namespace: 'default' };
  const status = { temporal: { ...temporal, since: since.lastTransitionTime }, missingSearchAttributes: [] };
  const key = { namespace: null, name: HUB_STATUS_NAME };
  await kube.patch(HUB_STATUS, key, { status }, { subresource: 'status' });
}

async function placements(kube: Kube): Promise<void> {
  const namespace = 'placements';
  await kube.create(PLACEMENT, { metadata: { namespace, name: 'all' } });
  const labels = { [PLACEMENT_LABEL]: 'all' };
  await kube.create(PLACEMENT_DECISION, { metadata: { namespace, name: 'all-1', labels } });
  await kube.patch(
    PLACEMENT_DECISION,
    { namespace, name: 'all-1' },
    { status: { decisions: [{ clusterName: 'site-1', reason: '' }] } },
    { subresource: 'status' },
  );
  const spec = { placements: ['all'], placementsNamespace: namespace };
  await kube.create(RCS_CONFIG, { metadata: RCS_CONFIG_KEY, spec } as never);
}

/** What the program says to this hub's administrator. */
export async function cappOf({ kubeconfig }: WebhookForTests, ...args: string[]) {
  const { terminal, out, notes } = aTerminal();
  const all = [...args, '--kubeconfig', kubeconfig, '--request-timeout', '60'];
  const code = await run({ args: all, name: 'capp', version: '0.1.0' }, terminal);
  return { code, out: out.join('\n'), err: notes.join('\n') };
}
