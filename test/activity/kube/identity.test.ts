// Who the Kubernetes client is to the API server: tokens, exec plugins and certificates, and their renewal.
import { createServer, type IncomingMessage } from 'node:http';
import { createConnection, type AddressInfo, type Socket } from 'node:net';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { CONFIG_MAP, NAMESPACE, SECRET } from '../../../crds/kubernetes/core.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { Resource } from '../../../kube/resource.ts';
import { startApiServer, type ApiServerForTests } from '../../support/servers/api/api-server.ts';
import { eventually, API_TIMEOUT_MS } from '../../../testbed/eventually.ts';

const NS = 'kube-identity';
const SERVICE_ACCOUNT: Resource = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
};

let server: ApiServerForTests;
let kube: Kube;
let folder: string;
let count = 0;

beforeAll(async () => {
  server = await startApiServer();
  kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  folder = await mkdtemp(join(tmpdir(), 'cappstan-kube-identity-'));
  await kube.create(NAMESPACE, { metadata: { name: NS } });
}, 300_000);

afterAll(async () => {
  await kube?.close();
  await server?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

interface User {
  readonly tokenFile?: string;
  readonly exec?: { readonly apiVersion: string; readonly command: string; readonly args: readonly string[] };
  readonly 'client-certificate'?: string;
  readonly 'client-key'?: string;
}

/** A kubeconfig beside the files that it names by relative paths. */
async function kubeconfigFor(
  user: User | null,
  change: { server?: string; 'proxy-url'?: string } = {},
): Promise<string> {
  const config = parse(await readFile(server.kubeconfig, 'utf8')) as {
    users: { user: User }[];
    clusters: { cluster: { server: string } }[];
  };
  for (const entry of config.users) entry.user = user ?? entry.user;
  for (const { cluster } of config.clusters) Object.assign(cluster, change);
  count += 1;
  const file = join(folder, `kubeconfig-${count}`);
  await writeFile(file, stringify(config));
  return file;
}

const REVIEWS = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const REVIEW = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: { name: '' } };

function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.code === 401;
}

async function whoAmI(client: Kube): Promise<string> {
  const review = await client.raw('POST', REVIEWS, { body: REVIEW });
  return (review as { status: { userInfo: { username: string } } }).status.userInfo.username;
}

describe('the identity of a client', () => {
  it('comes from a token file, with or without a trailing line break', async () => {
    await kube.create(SERVICE_ACCOUNT, { metadata: { name: 'visitor', namespace: NS } });
    const path = `/api/v1/namespaces/${NS}/serviceaccounts/visitor/token`;
    const answer = await kube.raw('POST', path, {
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    });
    await writeFile(join(folder, 'token'), `${(answer as { status: { token: string } }).status.token}\n`);
    const visitor = connect({ kubeconfig: await kubeconfigFor({ tokenFile: 'token' }) });
    expect(await whoAmI(visitor)).toBe(`system:serviceaccount:${NS}:visitor`);
    await expect(visitor.list(SECRET)).rejects.toMatchObject({ code: 403, reason: 'Forbidden' });
    await visitor.close();
  });

  describe('when the server rejects the token', () => {
    const SCRIPT = `printf '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}' "$(cat token)"`;
    const tokenOf = async (name: string): Promise<string> => {
      const path = `/api/v1/namespaces/${NS}/serviceaccounts/${name}/token`;
      const answer = await kube.raw('POST', path, {
        body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
      });
      return (answer as { status: { token: string } }).status.token;
    };
    it.each([
      ['in its token file', (): User => ({ tokenFile: 'token' })],
      [
        'from its exec plugin',
        (): User => ({
          exec: {
            apiVersion: 'client.authentication.k8s.io/v1',
            command: '/bin/sh',
            args: ['-c', SCRIPT.replace('token)', `${join(folder, 'token')})`)],
          },
        }),
      ],
    ])('the client looks for a new one %s, and no caller sees an error', async (how, user) => {
      const name = how.startsWith('in') ? 'rotated-file' : 'rotated-helper';
      await kube.create(SERVICE_ACCOUNT, { metadata: { name, namespace: NS } });
      await writeFile(join(folder, 'token'), await tokenOf(name));
      const client = connect({ kubeconfig: await kubeconfigFor(user()) });
      expect(await whoAmI(client)).toContain(name);
      // Another account of that name: the token of the old one is invalid from now on.
      await kube.remove(SERVICE_ACCOUNT, { namespace: NS, name });
      await kube.create(SERVICE_ACCOUNT, { metadata: { name, namespace: NS } });
      await eventually(async () =>
        (await client.raw('POST', REVIEWS, { body: REVIEW }).catch(isUnauthorized)) === true
          ? true
          : undefined,
      );
      await writeFile(join(folder, 'token'), await tokenOf(name));
      await eventually(async () => {
        const answers = await Promise.all(
          [whoAmI(client), whoAmI(client), whoAmI(client)].map((asked) => asked.catch(() => null)),
        );
        return answers.every((who) => who?.endsWith(name)) || undefined;
      });
      await client.close();
    });
  });

  it('changes with the certificate on disk, without a new client', async () => {
    const { openPki } = await import('../../../deploy/local/kubernetes/pki.ts');
    const pki = await openPki(join(dirname(server.kubeconfig), 'pki'));
    const [ann, ben] = [await pki.issue('ann', { name: 'ann' }), await pki.issue('ben', { name: 'ben' })];
    const become = async (pair: typeof ann): Promise<void> => {
      await cp(pair.cert, join(folder, 'me.crt'));
      await cp(pair.key, join(folder, 'me.key'));
    };
    await become(ann);
    const client = connect({
      kubeconfig: await kubeconfigFor({ 'client-certificate': 'me.crt', 'client-key': 'me.key' }),
    });
    expect(await whoAmI(client)).toBe('ann');
    await become(ben);
    expect(await whoAmI(client)).toBe('ben');
    await client.close();
  });

  it.each([
    ['fails', 'exit 3', 30_000, { code: 0, reason: 'NoCredentials' }],
    ['hangs', 'sleep 1', 300, { code: 0, reason: 'Timeout' }],
  ])(
    'is unknown when its exec plugin %s, and the request fails with that reason',
    async (_, script, deadlineMs, expected) => {
      const exec = {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: '/bin/sh',
        args: ['-c', script],
      };
      const client = connect({ kubeconfig: await kubeconfigFor({ exec }), deadlineMs });
      await expect(client.get(CONFIG_MAP, { namespace: NS, name: 'any' })).rejects.toMatchObject(expected);
      await client.close();
    },
  );

  it('is used through the proxy that the kubeconfig names', async () => {
    const asked: string[] = [];
    const proxy = createServer();
    proxy.on('connect', ({ url = '' }: IncomingMessage, socket: Socket) => {
      asked.push(url);
      const { hostname, port } = new URL(`tcp://${url}`);
      const onward = createConnection({ host: hostname, port: Number(port) }, () =>
        socket.write('HTTP/1.1 200 OK\r\n\r\n'),
      );
      onward.pipe(socket).pipe(onward);
      for (const end of [socket, onward])
        end.on('error', () => [socket, onward].forEach((other) => other.destroy()));
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    const client = connect({
      kubeconfig: await kubeconfigFor(null, { 'proxy-url': `http://127.0.0.1:${port}` }),
    });
    expect(await whoAmI(client)).toBe('kubernetes-admin');
    for (let call = 0; call < 20; call += 1) expect(await client.raw('GET', '/readyz')).toBe('ok');
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThan(5);
    await client.close();
    await new Promise((resolve) => proxy.close(resolve));
  });

  it('is not sent to an http address, and connecting without a kubeconfig fails', async () => {
    const clear = await kubeconfigFor({}, { server: 'http://127.0.0.1:8080' });
    expect(() => connect({ kubeconfig: clear })).toThrow('is not an https address');
    expect(() => connect({ kubeconfig: join(folder, 'absent') })).toThrow('ENOENT');
  });

  it('does not matter for a server that cannot be reached: the request fails with Unreachable', async () => {
    const gone = connect({ kubeconfig: await kubeconfigFor({}, { server: 'https://127.0.0.1:1' }) });
    await expect(gone.get(CONFIG_MAP, { namespace: NS, name: 'any' })).rejects.toMatchObject({
      code: 0,
      reason: 'Unreachable',
      message: `GET /api/v1/namespaces/${NS}/configmaps/any: Unreachable`,
    });
    await gone.close();
  });
});
