// What a hub asks of its parts, and a local stack does not.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { parse } from 'yaml';
import { cappstanProcess } from '../../../../deploy/local/cappstan/processes.ts';
import { apiServer, type ApiServerOptions } from '../../../../deploy/local/kubernetes/api-server.ts';
import { controllerManager } from '../../../../deploy/local/kubernetes/controller-manager.ts';
import { etcd, etcdGuard, guardedEtcd } from '../../../../deploy/local/kubernetes/etcd.ts';
import { openPki, type Pki } from '../../../../deploy/local/kubernetes/pki.ts';
import { ocmHub } from '../../../../deploy/local/ocm/hub.ts';

let dir: string;
let pki: Pki;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'parts-'));
  pki = await openPki(dir);
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

const STORE = { binary: '/b/etcd', dataDir: '/d', clientPort: 2, peerPort: 3 };
const ports = { of: () => Promise.resolve(7), all: () => ({}) };

async function server(more: Partial<ApiServerOptions>): ReturnType<typeof apiServer> {
  const access = { servers: ['https://e:2'], prefix: '/registry' };
  const kubeconfig = join(dir, 'kubeconfig');
  return apiServer({ binary: '/b/api', cluster: 'hub', port: 9443, etcd: access, pki, kubeconfig, ...more });
}

test('a hub’s etcd wants certificates of an authority of its own at every door, and writes to the disk', async () => {
  const issuer = await pki.another('etcd-ca');
  const { spec, access } = guardedEtcd(STORE, await etcdGuard(issuer, 4));
  const text = spec.args.join(' ');
  expect(text).toContain(`--trusted-ca-file=${issuer.authority.cert} --client-cert-auth`);
  expect(text).toContain(`--peer-trusted-ca-file=${issuer.authority.cert} --peer-client-cert-auth`);
  expect(text).not.toContain('no-fsync');
  expect(text.match(/http:\/\/\S+/g)).toEqual(['http://127.0.0.1:4']);
  expect(issuer.authority.cert).not.toBe(pki.authority.cert);
  const { tls, servers } = access('/registry');
  expect(servers).toEqual(['https://127.0.0.1:2']);
  const client = new X509Certificate(readFileSync(tls?.pair?.cert ?? ''));
  expect(client.checkIssued(new X509Certificate(readFileSync(issuer.authority.cert)))).toBe(true);
});

test('a stack’s etcd is as it was', () => {
  expect(etcd(STORE).spec.args).toContain('--unsafe-no-fsync');
  expect(etcd(STORE).access('/hub')).toEqual({ servers: ['http://127.0.0.1:2'], prefix: '/hub' });
});

test('an API server with a door listens there, and its certificate is for its names', async () => {
  const { spec, url } = await server({ door: { bind: '0.0.0.0', hosts: ['hub.example', '10.0.0.9'] } });
  expect(url).toBe('https://127.0.0.1:9443');
  expect(spec.args).toContain('--bind-address=0.0.0.0');
  expect(spec.addresses).toEqual([{ host: '0.0.0.0', port: 9443 }]);
  const certificate = new X509Certificate(readFileSync(join(dir, 'api-server.crt')));
  for (const name of ['hub.example', 'localhost', 'kubernetes.default.svc'])
    expect(certificate.checkHost(name)).toBe(name);
  for (const address of ['10.0.0.9', '127.0.0.1']) expect(certificate.checkIP(address)).toBe(address);
});

test('an API server reaches an external etcd with the certificates that it is given', async () => {
  const tls = { ca: '/e/ca', pair: { cert: '/e/c', key: '/e/k' } };
  const { spec } = await server({ etcd: { servers: ['https://a:1', 'https://b:1'], prefix: '/x', tls } });
  expect(spec.args).toEqual(
    expect.arrayContaining([
      '--etcd-servers=https://a:1,https://b:1',
      '--etcd-prefix=/x',
      '--etcd-cafile=/e/ca',
      '--etcd-certfile=/e/c',
      '--etcd-keyfile=/e/k',
    ]),
  );
});

test('a kubeconfig that follows renewal names the certificate and does not hold it', async () => {
  const userOf = (file: string): Record<string, string> =>
    (parse(readFileSync(file, 'utf8')) as { users: { user: Record<string, string> }[] }).users[0]?.user ?? {};
  const { kubeconfig } = await server({ followsRenewal: true });
  expect(userOf(kubeconfig)).toEqual({
    'client-certificate': join(dir, 'admin.crt'),
    'client-key': join(dir, 'admin.key'),
  });
  expect(Object.keys(userOf((await server({})).kubeconfig))).toEqual([
    'client-certificate-data',
    'client-key-data',
  ]);
});

test('OCM accepts no cluster by itself', async () => {
  const specs = await ocmHub({ kubeconfig: '/k', pki, ports });
  const texts = specs.flatMap(({ args }) => args).join(' ');
  expect(texts).toContain('ManagedClusterAutoApproval=false');
  expect(texts).not.toMatch(/AutoApproval=true|--auto-approved|--cluster-auto-approval/);
});

test('a hub’s controllers keep the tokens with which clusters join', () => {
  const { args } = controllerManager({
    binary: '/b',
    cluster: 'hub',
    role: 'hub',
    kubeconfig: '/k',
    pki,
    port: 1,
  });
  expect(args.join(' ')).toMatch(/bootstrap-signer-controller,token-cleaner-controller/);
});

test('only the gateway listens where it is told; all else of ours is on loopback', async () => {
  for (const component of ['bridge', 'gateway', 'hub', 'notifier', 'webhook'] as const) {
    const spec = await cappstanProcess(
      { component, cluster: 'hub', kubeconfig: '/k', nodeFlags: [], env: {}, gatewayBind: '0.0.0.0' },
      ports,
    );
    const open = Object.entries(spec.env ?? {}).filter(([, value]) => value.startsWith('0.0.0.0'));
    expect(open).toEqual(component === 'gateway' ? [['GATEWAY_ADDRESS', '0.0.0.0:7']] : []);
    expect(spec.addresses).toEqual(component === 'gateway' ? [{ host: '0.0.0.0', port: 7 }] : []);
  }
});
