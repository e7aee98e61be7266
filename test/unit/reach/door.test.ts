// The reader's door: a user of many groups comes in, with all of them, and a stranger does not.
import { request } from 'node:https';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPki, type PairFiles } from '../../../deploy/local/kubernetes/pki.ts';
import type { Caller } from '../../../reach/door/caller.ts';
import { openDoor, type Door } from '../../../reach/door/server.ts';
import { issue } from '../../../tls/certificate.ts';

let dir: string;
let door: Door;
let shown: { readonly cert: Buffer; readonly key: Buffer };
const callers: Caller[] = [];
const read = async ({ cert, key }: PairFiles) => ({ cert: await readFile(cert), key: await readFile(key) });

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'door-'));
  const pki = await openPki(dir);
  shown = await read(await pki.requestHeader.issue('front-proxy', { name: 'front-proxy-client' }));
  door = await openDoor({
    address: '127.0.0.1:0',
    serving: {
      pair: await issue(['127.0.0.1'], Date.now()),
      proxy: {
        ca: await readFile(pki.requestHeader.authority.cert, 'utf8'),
        names: ['front-proxy-client'],
        userHeaders: ['x-remote-user'],
        groupHeaders: ['x-remote-group'],
        uidHeaders: [],
        extraPrefixes: [],
      },
    },
    answer: async (caller, _request, response) => {
      callers.push(caller);
      response.end('{}');
    },
    onError: () => undefined,
  });
});
afterAll(async () => {
  await door?.close();
  await rm(dir, { recursive: true, force: true });
});

async function ask(headers: Record<string, string | string[]>): Promise<number> {
  return new Promise((resolve, reject) => {
    request(
      { host: '127.0.0.1', port: door.port, headers, ...shown, rejectUnauthorized: false },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      },
    )
      .once('error', reject)
      .end();
  });
}

test.each([
  ['250 groups of a directory', 250, 120],
  ['3000 groups', 3_000, 40],
])('a user of %s comes in, and none is left out', async (_what, many, length) => {
  const groups = Array.from({ length: many }, (_, index) => `${index}-`.padEnd(length, 'x'));
  expect(await ask({ 'X-Remote-User': 'alice', 'X-Remote-Group': groups })).toBe(200);
  expect(callers.at(-1)).toMatchObject({ user: 'alice', groups });
});

test('without a user nobody comes in', async () => {
  const before = callers.length;
  expect(await ask({ 'X-Remote-Group': 'system:masters' })).toBe(401);
  expect(callers).toHaveLength(before);
});
