// OCM's cluster-proxy and managed-serviceaccount, as they run on a hub: the programs are theirs, their
// certificates and files are what their managers would have made. Beside it is how they run on sites.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openPki } from '../../../../deploy/local/kubernetes/pki.ts';
import { buildTools } from '../../../../deploy/local/programs/build.ts';
import { TUNNEL_MODULE } from '../../../../deploy/local/programs/optional-modules.ts';
import { toolPath } from '../../../../deploy/local/programs/tools.ts';
import type { Progress } from '../../../../deploy/local/terminal.ts';
import { openPorts } from '../../../../deploy/local/supervise/ports.ts';
import { startOwnHost } from '../../servers/hub-command/own-host.ts';
import { ADDONS, joinSite, portIn, type Joined, type Side } from './tunnel-site.ts';

export interface Tunnel {
  /** https, on loopback. */
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  /** Runs the agents of both on a site; `enableImpersonation` is cluster-proxy's own value. */
  join(site: string, side: Side, options?: { readonly enableImpersonation?: boolean }): Promise<Joined>;
  stop(): Promise<void>;
}

/** Ports that the programs have for good, as 7443 of the service proxy and 8000 for probes. */
const USER_SERVER = 9092;
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
