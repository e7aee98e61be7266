// The built program on the Nodes that its users may have, against a fake API server that speaks real TLS.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildInto } from '../../../../cli/build/bundle.ts';
import { openPki } from '../../../../deploy/local/kubernetes/pki.ts';
import { writeKubeconfig } from '../../../../deploy/local/kubernetes/kubeconfig.ts';
import { otherNode, type OtherNode } from '../../../support/nodes/nodes.ts';

const ROOT = new URL('../../../../', import.meta.url);
const BUNDLE = fileURLToPath(new URL('cli/build/bundle.ts', ROOT));
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

const CAPP = {
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'Capp',
  metadata: { name: 'hello', namespace: 'hello', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: {},
  status: {
    observedGeneration: 1,
    conditions: [
      {
        type: 'Ready',
        status: 'False',
        reason: 'NoPlacement',
        message: 'Nothing is chosen',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ],
  },
};
const ABSENT = { apiVersion: 'v1', kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 };

let folder: string;
let dist: string;
let elsewhere: string;
let kubeconfig: string;
let hub: Server;
let nodes: Readonly<Record<OtherNode | 'pinned', string>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cappstan-nodes-'));
  const oldest = await otherNode('oldest');
  const [middle, tooOld] = await Promise.all([otherNode('middle'), otherNode('too old')]);
  nodes = { oldest, middle, 'too old': tooOld, pinned: process.execPath };
  // As in a checkout, whose sources are ECMAScript modules.
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  dist = join(folder, 'dist');
  await buildInto(dist);
  // As docs/kubectl-capp.md installs it.
  elsewhere = mkdtempSync(join(tmpdir(), 'cappstan-bin-'));
  copyFileSync(join(dist, 'kubectl-capp'), join(elsewhere, 'kubectl-capp'));
  const pki = await openPki(join(folder, 'pki'));
  const serving = await pki.issue('hub', { name: 'hub', hosts: ['127.0.0.1'] });
  const person = await pki.issue('person', { name: 'person' });
  // Only who shows a certificate of this authority is answered.
  const tls = { requestCert: true, rejectUnauthorized: true, ca: readFileSync(pki.authority.cert) };
  const pair = { cert: readFileSync(serving.cert), key: readFileSync(serving.key) };
  hub = createServer({ ...tls, ...pair }, (request, response) => {
    const isThere =
      request.url?.startsWith('/apis/rcs.dana.io/v1alpha1/namespaces/hello/capps/hello') === true;
    response.writeHead(isThere ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isThere ? CAPP : ABSENT));
  });
  await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
  kubeconfig = join(folder, 'kubeconfig');
  await writeKubeconfig(kubeconfig, {
    cluster: 'hub',
    server: `https://127.0.0.1:${(hub.address() as AddressInfo).port}`,
    ca: pki.authority.cert,
    credential: { pair: person },
  });
});
afterAll(async () => {
  hub.closeAllConnections();
  await new Promise((resolve) => hub.close(resolve));
  for (const made of [folder, elsewhere]) rmSync(made, { recursive: true, force: true });
});

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function run(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const options = { cwd: '/', env: { HOME: folder, KUBECONFIG: kubeconfig, ...env } };
  return new Promise((resolve) => {
    execFile(file, args, options, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

const { version, engines } = JSON.parse(read('package.json')) as {
  readonly version: string;
  readonly engines: { readonly node: string };
};

describe.each(['oldest', 'middle', 'pinned'] as const)('on the %s Node', (which) => {
  test.each(['kubectl-capp', 'cappstan'])('%s says its version', async (name) => {
    expect(await run(nodes[which], [join(dist, name), '--version'])).toEqual({
      code: 0,
      out: `${version}\n`,
      err: '',
    });
  });

  test('a copy anywhere on the PATH says its version', async () => {
    const ended = await run(nodes[which], [join(elsewhere, 'kubectl-capp'), '--version']);
    expect(ended).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  test('it reads a Capp over TLS, with the client certificate of its user', async () => {
    const { code, out, err } = await run(nodes[which], [
      join(dist, 'kubectl-capp'),
      'why',
      'hello',
      '-n',
      'hello',
    ]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('hello/hello is on no site.');
  });

  test('it says in one sentence that a Capp does not exist', async () => {
    const { code, out, err } = await run(nodes[which], [
      join(dist, 'kubectl-capp'),
      'why',
      'gone',
      '-n',
      'hello',
    ]);
    expect({ code, out }).toEqual({ code: 5, out: '' });
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});

test.each(['dist', 'elsewhere'])(
  'a Node that is too old gets one sentence, from the program in %s',
  async (place) => {
    const program = join(place === 'dist' ? dist : elsewhere, 'kubectl-capp');
    const { code, out, err } = await run(nodes['too old'], [program, 'why', 'hello']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe(
      `kubectl capp needs Node 20 or newer, and ${nodes['too old']} is Node 18.20.8. Install a newer one (https://nodejs.org) and put it first on the PATH.\n`,
    );
  },
);

test('the build prints a line for the shell, after which both names work in every folder', async () => {
  const place = join(folder, 'with a blank');
  const { out } = await run(process.execPath, [BUNDLE, place]);
  const line = out.split('\n').find((one) => one.trim().startsWith('export PATH=')) ?? '';
  const script = `${line}\ncd / && kubectl-capp --version && cappstan --version`;
  const PATH = `${dirname(nodes.oldest)}:/usr/bin:/bin`;
  expect(await run('/bin/sh', ['-c', script], { PATH })).toEqual({
    code: 0,
    out: `${version}\n${version}\n`,
    err: '',
  });
});

test('the oldest Node is the first version with the number that every page names', async () => {
  const number = /^>=(\d+)$/.exec(engines.node)?.[1];
  expect((await run(nodes.oldest, ['--version'])).out.trim()).toBe(`v${number}.0.0`);
  expect((await run(nodes.middle, ['--version'])).out.trim()).toBe(`v${Number(number) + 2}.0.0`);
  for (const page of ['README.md', 'CONTRIBUTING.md', 'docs/kubectl-capp.md'])
    expect({ page, named: [...new Set(read(page).match(/Node ≥ [\d.]+\d/g))] }).toEqual({
      page,
      named: [`Node ≥ ${number}`],
    });
  expect(read('Makefile')).toContain(`Node ${number} or newer is needed`);
});
