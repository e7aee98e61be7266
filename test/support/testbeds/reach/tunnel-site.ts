// OCM's cluster-proxy and managed-serviceaccount, as their agents run on a site that joins a tunnel.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import type { Issuer } from '../../../../deploy/local/kubernetes/pki.ts';
import { toolPath } from '../../../../deploy/local/programs/tools.ts';
import type { Kube } from '../../../../kube/client.ts';
import { startOwnHost } from '../../servers/hub-command/own-host.ts';

/** A cluster of the test: its API server, and what is its administrator's. */
export interface Side {
  readonly kubeconfig: string;
  readonly kube: Kube;
}

export interface Joined {
  stop(): Promise<void>;
}

/** Where both run on sites, by default. */
export const ADDONS = 'open-cluster-management-agent-addon';
const HTTPS = 443;

export interface Joining {
  readonly dir: string;
  readonly site: string;
  readonly side: Side;
  readonly hub: Side;
  readonly pki: Issuer;
  readonly agents: number;
  readonly enableImpersonation: boolean;
}

/** Two hosts, as both programs want one port. */
export async function joinSite(joining: Joining): Promise<Joined> {
  const { dir, side } = joining;
  if ((await side.kube.get(NAMESPACE, { namespace: null, name: ADDONS })) === null)
    await side.kube.create(NAMESPACE, { metadata: { name: ADDONS } });
  const hosts = [await proxyHost(joining, join(dir, 'proxy')), await accountHost(joining, join(dir, 'msa'))];
  return { stop: async () => void (await Promise.all(hosts.map((host) => host.stop()))) };
}

async function proxyHost({ site, side, hub, pki, agents, enableImpersonation }: Joining, dir: string) {
  const kubeconfig = await readFile(side.kubeconfig, 'utf8');
  const name = `cluster-${createHash('sha256').update(site).digest('hex')}`.slice(0, 56);
  const serviceHost = `${name}.open-cluster-management.proxy`;
  const client = await pki.issue(`agent-${site}`, { name: `open-cluster-management:cluster-proxy:${site}` });
  const serving = await pki.issue(`service-proxy-${site}`, { name: 'service-proxy', hosts: [serviceHost] });
  return startOwnHost({
    dir,
    names: ['kubernetes.default.svc', serviceHost],
    reaches: {
      [HTTPS]: portIn(kubeconfig),
      [portIn(await readFile(hub.kubeconfig, 'utf8'))]: portIn(await readFile(hub.kubeconfig, 'utf8')),
      8091: agents,
    },
    offers: {},
    files: {
      'secrets/kubernetes.io/serviceaccount/ca.crt': authorityIn(kubeconfig),
      'secrets/kubernetes.io/serviceaccount/token': await accountToken(side.kube, enableImpersonation),
    },
    programs: [
      {
        name: 'konnectivity-agent',
        command: toolPath('konnectivity-agent'),
        args: [
          '--proxy-server-host=127.0.0.1',
          '--proxy-server-port=8091',
          `--agent-identifiers=host=${serviceHost}`,
          `--ca-cert=${pki.authority.cert}`,
          `--agent-cert=${client.cert}`,
          `--agent-key=${client.key}`,
          '--admin-bind-address=127.0.0.1',
          '--health-server-port=8888',
        ],
      },
      {
        name: 'service-proxy',
        command: toolPath('cluster-proxy'),
        args: [
          'service-proxy',
          `--enable-impersonation=${enableImpersonation}`,
          `--cert=${serving.cert}`,
          `--key=${serving.key}`,
          `--hub-kubeconfig=${hub.kubeconfig}`,
        ],
        env: { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(HTTPS) },
      },
    ],
  });
}

async function accountHost({ site, side, hub }: Joining, dir: string) {
  const apis = await Promise.all(
    [side, hub].map(async ({ kubeconfig }) => portIn(await readFile(kubeconfig, 'utf8'))),
  );
  return startOwnHost({
    dir,
    names: [],
    reaches: Object.fromEntries(apis.map((port) => [port, port])),
    offers: {},
    files: {},
    programs: [
      {
        name: 'managed-serviceaccount',
        command: toolPath('managed-serviceaccount'),
        args: [
          'agent',
          '--leader-elect=false',
          `--cluster-name=${site}`,
          `--kubeconfig=${hub.kubeconfig}`,
          `--spoke-kubeconfig=${side.kubeconfig}`,
        ],
        env: { NAMESPACE: ADDONS, HUB_KUBECONFIG: hub.kubeconfig },
      },
    ],
  });
}

/** Of cluster-proxy's own account on the site, with the rights of its chart. */
async function accountToken(kube: Kube, enableImpersonation: boolean): Promise<string> {
  const name = 'cluster-proxy';
  const place = `/api/v1/namespaces/${ADDONS}/serviceaccounts`;
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const metadata = { name: 'cluster-proxy-addon-agent-impersonator' };
  const rules = [
    { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
    ...(enableImpersonation
      ? [{ apiGroups: [''], resources: ['users', 'groups'], verbs: ['impersonate'] }]
      : []),
  ];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: metadata.name };
  const subjects = [{ kind: 'ServiceAccount', name, namespace: ADDONS }];
  await kube.raw('POST', place, { body: { metadata: { name } } });
  await kube.raw('POST', `${rbac}/clusterroles`, { body: { metadata, rules } });
  await kube.raw('POST', `${rbac}/clusterrolebindings`, { body: { metadata, roleRef, subjects } });
  const answer = (await kube.raw('POST', `${place}/${name}/token`, {
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
  })) as { status: { token: string } };
  return answer.status.token;
}

/** The port of its API server. */
export function portIn(kubeconfig: string): number {
  return Number(/server: https:\/\/127\.0\.0\.1:(\d+)/.exec(kubeconfig)?.[1]);
}

function authorityIn(kubeconfig: string): string {
  const [, text = ''] = /certificate-authority-data: (\S+)/.exec(kubeconfig) ?? [];
  return Buffer.from(text, 'base64').toString('utf8');
}
