// The configurations of load balancers in a real HAProxy: that it takes them, and that after `fall` no
// request fails because one of two API servers is gone.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { haproxyConfig, type Balancing } from '../../../../activities/hub/metal/services/haproxy.ts';
import { debianProgram, type Runnable } from '../../../../deploy/local/programs/debian.ts';
import { openPki } from '../../../../deploy/local/kubernetes/pki.ts';
import { noProgress } from '../../../../deploy/local/terminal.ts';
import { startApiServer } from '../../../support/servers/api/api-server.ts';
import { askOften, startBalancer, type Balancer } from '../../../support/testbeds/metal/balancer.ts';
import { freePort } from '../../../support/testbeds/metal/jump-visit.ts';

const dir = mkdtempSync(join(tmpdir(), 'cappstan-haproxy-'));
const running: Balancer[] = [];
let haproxy: Runnable;
beforeAll(async () => {
  haproxy = await debianProgram('haproxy', noProgress);
}, 300_000);
afterAll(() => {
  for (const balancer of running) balancer.stop();
  rmSync(dir, { recursive: true, force: true });
});

function written(name: string, config: string): string {
  const path = join(dir, name);
  writeFileSync(path, config);
  return path;
}

const SERVERS = [
  { name: 'rdm9r006o001', address: '127.0.0.1' },
  { name: 'metal.rdm9r007o001', address: '2001:db8::1' },
];
const balancings: readonly (readonly [string, Balancing])[] = [
  ['control planes', { ports: [{ name: 'http', port: 6443 }], servers: SERVERS, check: 'readyz' }],
  [
    'workers on a hundred ports',
    {
      ports: Array.from({ length: 100 }, (_, index) => ({
        name: `port-${30_002 + index}`,
        port: 30_002 + index,
      })),
      servers: SERVERS,
      check: 'connect',
    },
  ],
  ['nobody yet', { ports: [{ name: 'http', port: 6443 }], servers: [], check: 'readyz' }],
];

test.each(balancings)(
  'HAProxy takes the configuration for %s, without a warning',
  async (name, balancing) => {
    const path = written(`${name}.cfg`, haproxyConfig(balancing));
    const { stdout, stderr } = await promisify(execFile)(haproxy.command, ['-c', '-f', path], {
      env: { ...process.env, ...haproxy.env },
    });
    expect(`${stdout}${stderr}`.trim()).toBe('Configuration file is valid');
  },
);

/** Something like an API server whose readiness can be taken away. */
async function standIn(name: string, certificate: { readonly cert: Buffer; readonly key: Buffer }) {
  const answers = { ready: true };
  const server = createServer(certificate, ({ url }, response) => {
    response.statusCode = url === '/readyz' && !answers.ready ? 500 : 200;
    response.end(name);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const stop = (): Promise<unknown> => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  };
  return { port: (server.address() as AddressInfo).port, answers, stop };
}

/** The load balancer for two API servers, which on one machine cannot have one port. */
async function balance(one: number, two: number): Promise<Balancer> {
  const port = await freePort();
  const servers = ['one', 'two'].map((name) => ({ name, address: '127.0.0.1' }));
  const config = haproxyConfig({ ports: [{ name: 'http', port }], servers, check: 'readyz' })
    .replace(`server one 127.0.0.1:${port}`, `server one 127.0.0.1:${one}`)
    .replace(`server two 127.0.0.1:${port}`, `server two 127.0.0.1:${two}`);
  const balancer = await startBalancer(haproxy, { dir, port, config });
  running.push(balancer);
  return balancer;
}

test('an API server that is not ready gets no request until it is', async () => {
  const pki = await openPki(join(dir, 'pki'));
  const pair = await pki.issue('api', { name: 'api', hosts: ['127.0.0.1'] });
  const certificate = { cert: readFileSync(pair.cert), key: readFileSync(pair.key) };
  const [one, two] = await Promise.all([standIn('one', certificate), standIn('two', certificate)]);
  const { port, logs } = await balance(one.port, two.port);
  const texts = async () => [...new Set((await askOften(port, '/', 10)).map(({ text }) => text))].toSorted();
  expect(await texts()).toEqual(['one', 'two']);
  two.answers.ready = false;
  await logs('Server http-backend/two is DOWN');
  expect(await texts()).toEqual(['one']);
  two.answers.ready = true;
  await logs('Server http-backend/two is UP');
  expect(await texts()).toEqual(['one', 'two']);
  await Promise.all([one.stop(), two.stop()]);
}, 200_000);

test('of two real API servers one is killed: no request fails after fall', async () => {
  const servers = await Promise.all([startApiServer(), startApiServer()]);
  const [one = 0, two = 0] = servers.map(({ kubeconfig }) =>
    Number(/server: https:\/\/127\.0\.0\.1:(\d+)/.exec(readFileSync(kubeconfig, 'utf8'))?.[1]),
  );
  try {
    const { port, logs } = await balance(one, two);
    const asked = async (times: number) => {
      const answers = await askOften(port, '/readyz', times);
      return {
        by: new Set(answers.map(({ by }) => by)).size,
        statuses: new Set(answers.map(({ status }) => status)),
      };
    };
    expect(await asked(10)).toEqual({ by: 2, statuses: new Set([200]) });
    await servers[0].stop();
    // Before the checks have seen it, a connection that is refused goes to the other one.
    expect(await asked(10)).toEqual({ by: 1, statuses: new Set([200]) });
    await logs('Server http-backend/one is DOWN');
    expect(await asked(100)).toEqual({ by: 1, statuses: new Set([200]) });
  } finally {
    await Promise.all(servers.map((server) => server.stop().catch(() => undefined)));
  }
}, 300_000);
