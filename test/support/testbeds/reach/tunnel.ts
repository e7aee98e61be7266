// OCM's cluster-proxy and managed-serviceaccount, as they run on a hub and on sites: the programs are theirs,
// their certificates and files are what their managers would have made.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openPki, type Issuer } from '../../../../deploy/local/kubernetes/pki.ts';
import { buildTools } from '../../../../deploy/local/programs/build.ts';
import { TUNNEL_MODULE } from '../../../../deploy/local/programs/optional-modules.ts';
import { toolPath } from '../../../../deploy/local/programs/tools.ts';
import type { Progress } from '../../../../deploy/local/terminal.ts';
import { openPorts } from '../../../../deploy/local/supervise/ports.ts';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../../kube/client.ts';
import { startOwnHost } from '../../servers/hub-command/own-host.ts';

/** A cluster of the test: its API server, and what is its administrator's. */
export interface Side {
  readonly kubeconfig: string;
  readonly kube: Kube;
}

export interface Tunnel {
  /** https, on loopback. */
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  /** Runs the agents of both on a site; `enableImpersonation` is cluster-proxy's own value. */
  join(site: string, side: Side, options?: { readonly enableImpersonation?: boolean }): Promise<Joined>;
  stop(): Promise<void>;
}

export interface Joined {
  stop(): Promise<void>;
}

/** Where both run on sites, by default. */
export const ADDONS = 'open-cluster-management-agent-addon';
/** Ports that the programs have for good, as 7443 of the service proxy and 8000 for probes. */
const USER_SERVER = 9092;
const HTTPS = 443;
/** cluster-proxy's own certificate has this name, too. */
const USER_SERVICE = 'cluster-proxy-addon-user.open-cluster-management-addon.svc';

const SILENT: Progress = {
  say: () => undefined,
  step: (_, work) => work(() => undefined),
};

/** Builds the programs of the tunnel if they are missing, which takes some minutes once. */
export async function buildTunnel(): Promise<void> {
  await buildTools(SILENT, [TUNNEL_MODULE]);
}

/** `buildTunnel` comes first. */
export async function startTunnel(hub: Side): Promise<Tunnel> {
  const dir = join(dirname(hub.kubeconfig), 'tunnel');
  const pki = await openPki(join(dir, 'pki'));
  const ports = await openPorts(join(dirname(hub.kubeconfig), 'ports.json'));
  const api = portIn(await readFile(hub.kubeconfig, 'utf8'));
  const [users, agents] = [await ports.of('user-server'), await ports.of('tunnel-agents')];
  const server = await pki.issue('server', {
    name: 'proxy',
    hosts: ['127.0.0.1', 'localhost', USER_SERVICE],
    asks: true,
  });
  const loopback = (name: string): string => `--${name}-bind-address=127.0.0.1`;
  const host = await startOwnHost({
    dir: join(dir, 'hub'),
    names: [],
    reaches: { [api]: api },
    offers: { [users]: USER_SERVER, [agents]: 8091 },
    files: {},
    programs: [
      {
        name: 'konnectivity-server',
        command: toolPath('konnectivity-server'),
        args: [
          '--server-count=1',
          '--proxy-strategies=destHost',
          `--server-ca-cert=${pki.authority.cert}`,
          `--server-cert=${server.cert}`,
          `--server-key=${server.key}`,
          `--cluster-ca-cert=${pki.authority.cert}`,
          `--cluster-cert=${server.cert}`,
          `--cluster-key=${server.key}`,
          ...['server', 'agent', 'admin', 'health'].map(loopback),
          '--server-port=8090',
          '--agent-port=8091',
          '--admin-port=8095',
          '--health-port=8092',
        ],
      },
      {
        name: 'user-server',
        command: toolPath('cluster-proxy'),
        args: [
          'user-server',
          '--host=127.0.0.1',
          '--port=8090',
          `--proxy-ca-cert=${pki.authority.cert}`,
          `--proxy-cert=${server.cert}`,
          `--proxy-key=${server.key}`,
          `--server-port=${USER_SERVER}`,
          `--server-key=${server.key}`,
          `--server-cert=${server.cert}`,
          `--service-proxy-ca-cert=${pki.authority.cert}`,
          `--agent-install-namespace=${ADDONS}`,
        ],
        env: { KUBECONFIG: hub.kubeconfig },
      },
    ],
  });
  const joined: Joined[] = [];
  return {
    url: `https://127.0.0.1:${users}`,
    ca: await readFile(pki.authority.cert, 'utf8'),
    join: async (site, side, { enableImpersonation = false } = {}) => {
      const one = await joinSite({ dir: join(dir, site), site, side, hub, pki, agents, enableImpersonation });
      joined.push(one);
      return one;
    },
    stop: async () => {
      await Promise.all(joined.map((one) => one.stop()));
      await host.stop();
    },
  };
}

interface Joining {
  readonly dir: string;
  readonly site: string;
  readonly side: Side;
  readonly hub: Side;
  readonly pki: Issuer;
  readonly agents: number;
  readonly enableImpersonation: boolean;
}

/** Two hosts, as both programs want one port. */
async function joinSite(joining: Joining): Promise<Joined> {
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

function portIn(kubeconfig: string): number {
  return Number(/server: https:\/\/127\.0\.0\.1:(\d+)/.exec(kubeconfig)?.[1]);
}

function authorityIn(kubeconfig: string): string {
  const [, text = ''] = /certificate-authority-data: (\S+)/.exec(kubeconfig) ?? [];
  return Buffer.from(text, 'base64').toString('utf8');
}
