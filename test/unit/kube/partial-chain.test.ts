// A kubeconfig may name an authority in the middle of a chain, as that of a company's PKI does: kubectl
// accepts it without the root, and so do we.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPki } from '../../../deploy/local/kubernetes/pki.ts';
import { writeKubeconfig } from '../../../deploy/local/kubernetes/kubeconfig.ts';
import { connect } from '../../../kube/client.ts';
import { authority, writeAuthority } from '../../support/builders/authority.ts';

let folder: string;
let server: Server;
let files: { readonly issuing: string; readonly root: string; readonly other: string };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'partial-chain-'));
  const root = await authority('root');
  const issuing = await authority('issuing', { by: root });
  const given = await writeAuthority(folder, 'issuing', issuing);
  const pki = await openPki(join(folder, 'pki'), { authority: given });
  const { cert, key } = await pki.issue('server', { name: 'server', hosts: ['127.0.0.1'] });
  server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (_, answer) => {
    answer.setHeader('content-type', 'application/json');
    answer.end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  files = {
    issuing: given.cert,
    root: (await writeAuthority(folder, 'root', root)).cert,
    other: (await writeAuthority(folder, 'other', await authority('other', { by: root }))).cert,
  };
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  rmSync(folder, { recursive: true });
});

async function answerOf(ca: string): Promise<unknown> {
  const kubeconfig = join(folder, 'kubeconfig');
  const { port } = server.address() as AddressInfo;
  const credential = { token: 'a token' };
  await writeKubeconfig(kubeconfig, { cluster: 'hub', server: `https://127.0.0.1:${port}`, ca, credential });
  const kube = connect({ kubeconfig, deadlineMs: 10_000 });
  try {
    return await kube.raw('GET', '/version').catch((error: Error) => error.message);
  } finally {
    await kube.close();
  }
}

test('the authority that has signed is enough, and so is the root behind it', async () => {
  expect(await answerOf(files.issuing)).toEqual({});
  expect(await answerOf(files.root)).toEqual({});
});

test('another authority of the same root is refused', async () => {
  expect(await answerOf(files.other)).toBe('GET /version: Unreachable');
});
