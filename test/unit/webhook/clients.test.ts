// Whom the webhook answers once the platform has said who its API servers are: nobody else, and nothing that
// they send is read.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPki, type PairFiles as Files, type Pki } from '../../../deploy/local/kubernetes/pki.ts';
import { issue } from '../../../tls/certificate.ts';
import { givenClients } from '../../../workers/webhook/door/clients.ts';
import { serveAdmission, type AdmissionServer } from '../../../workers/webhook/door/server.ts';

let dir: string;
let ours: Pki;
let others: Pki;
let server: AdmissionServer;
let asked: string[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cappstan-clients-'));
  [ours, others] = [await openPki(join(dir, 'ours')), await openPki(join(dir, 'others'))];
  server = await serveAdmission({
    address: '127.0.0.1:0',
    serving: {
      ...(await issue(['127.0.0.1'], Date.now())),
      clients: await givenClients(ours.authority.cert, ['kube-apiserver']),
    },
    reply: async (path) => {
      asked.push(path);
      return { status: 200, body: {} };
    },
    onError: () => undefined,
  });
});
afterAll(async () => {
  await server?.close();
  await rm(dir, { recursive: true, force: true });
});
beforeEach(() => void (asked = []));

/** The status of the answer, or null if there was no connection. */
async function post(files: Files | null): Promise<number | null> {
  const own = files === null ? {} : { cert: readFileSync(files.cert), key: readFileSync(files.key) };
  return new Promise((resolve) => {
    request({
      host: '127.0.0.1',
      port: server.port,
      path: '/validate-capp',
      method: 'POST',
      agent: false,
      ...own,
      rejectUnauthorized: false,
    })
      .on('response', (answer) => resolve(answer.resume().statusCode ?? null))
      .on('error', () => resolve(null))
      .end('{}');
  });
}

test('an API server is answered, by its name and its authority', async () => {
  expect(await post(await ours.issue('api', { name: 'kube-apiserver' }))).toBe(200);
  expect(asked).toEqual(['/validate-capp']);
});

test.each<[string, () => Promise<Files | null>, number | null]>([
  ['who has no certificate', async () => null, null],
  ['who has one of another authority', () => others.issue('api', { name: 'kube-apiserver' }), null],
  ['who has another name', () => ours.issue('kubelet', { name: 'system:node:a' }), 403],
  ['who has a name that begins like it', () => ours.issue('longer', { name: 'kube-apiserver-2' }), 403],
])('%s is not answered', async (_who, files, status) => {
  expect(await post(await files())).toBe(status);
  expect(asked).toEqual([]);
});

test('other authorities count from the next reading on, and any name of theirs where none is given', async () => {
  const pair = await issue(['127.0.0.1'], Date.now());
  const [mine, theirs] = [
    await ours.issue('api', { name: 'kube-apiserver' }),
    await others.issue('api', { name: 'kube-apiserver' }),
  ];
  server.renew({ ...pair, clients: await givenClients(others.authority.cert, []) });
  expect([await post(mine), await post(theirs)]).toEqual([null, 200]);
});

test.each(['', 'nonsense'])('a file that says %j lets in nobody: it is refused', async (text) => {
  const file = join(dir, 'ca.crt');
  await writeFile(file, text);
  await expect(givenClients(file, [])).rejects.toThrow(`CLIENT_CA_FILE ${file} has no certificate`);
});
