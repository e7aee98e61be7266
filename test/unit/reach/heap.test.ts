// The reader in a process of its own, with as little memory as the chart gives it: sites that lie in all that
// they answer do not end it.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROLLOUT } from '../../../crds/labels.ts';
import { MOST_BYTES_OF_LOOK } from '../../../reach/bounds.ts';
import { issue } from '../../../tls/certificate.ts';

const { reader } = parse(
  readFileSync(join(import.meta.dirname, '../../../deploy/helm/values.yaml'), 'utf8'),
) as { reader: { heapMiB: number; resources: { limits: { memory: string } } } };
const COPY = JSON.stringify({ metadata: { name: 'shop', annotations: { [ROLLOUT]: 'uid-1/1/hash/one' } } });

let server: Server;
let dir: string;
/** What the sites answer to a question for Pods. */
let pods: (response: ServerResponse) => void;
beforeAll(async () => {
  const { cert, key, authority } = await issue(['127.0.0.1'], Date.now());
  dir = mkdtempSync(join(tmpdir(), 'reader-'));
  writeFileSync(join(dir, 'ca.crt'), authority);
  server = createServer({ cert, key }, ({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json');
    if (/\/pods\?/.test(url)) pods(response);
    else response.end(COPY);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
let child: ChildProcess;
afterEach(() => child?.kill());
afterAll(async () => {
  server?.closeAllConnections();
  rmSync(dir, { recursive: true, force: true });
  await new Promise((resolve) => server?.close(resolve));
});

function started(sites: number, questions: number): ChildProcess {
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const main = join(import.meta.dirname, '../../support/servers/network/reader-process.ts');
  return spawn(
    'node',
    [`--max-old-space-size=${reader.heapMiB}`, main, url, join(dir, 'ca.crt'), `${sites}`, `${questions}`],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
}

/** In MiB: what it has had at most, of what the chart lets it have. */
function memory(): number {
  const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
  return Number(found) / 1024;
}
const LIMIT = Number.parseInt(reader.resources.limits.memory, 10);

test.each([
  ['empty objects', '{},', '{}'],
  ['empty lists', '[],', '[]'],
  ['numbers', '0,', '0'],
  ['texts', '"",', '""'],
])(
  'a page of Pods that is all %s is no answer, and ends nothing',
  async (_what, one, last) => {
    const page = `{"items":[${one.repeat(Math.floor((MOST_BYTES_OF_LOOK - 64) / one.length))}${last}]}`;
    let asked = 0;
    pods = (response) => {
      asked += 1;
      response.end(page);
    };
    child = started(3, 8);
    const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    expect(line.toString()).toBe(`${Array.from({ length: 8 }, () => '0 3').join(',')}\n`);
    expect(asked).toBe(24);
    expect(memory()).toBeLessThan(LIMIT);
  },
  60_000,
);

test('pages that many sites send nearly to their ends, and hold there, are left', async () => {
  const most = Buffer.from(`{"items":["${'x'.repeat(MOST_BYTES_OF_LOOK - 1_024)}`);
  let held = 0;
  pods = (response) => {
    held += 1;
    response.write(most);
  };
  child = started(25, 4);
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  // On a busy machine some are given up before they are heard.
  expect(held).toBeGreaterThan(60);
  expect(line.toString()).toContain('0 25');
  expect(memory()).toBeLessThan(LIMIT);
}, 60_000);
