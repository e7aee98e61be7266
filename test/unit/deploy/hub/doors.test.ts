import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  checkDoors,
  checkEtcd,
  closedBecause,
  externalHostOf,
  gatewayOf,
  remedyFor,
  urlOf,
  withDoors,
} from '../../../../deploy/hub/doors.ts';
import { whyNotFree } from '../../../../deploy/local/supervise/ports.ts';
import type { HubConfig } from '../../../../deploy/hub/config/config.ts';

let server: Server;
let taken: number;
beforeEach(async () => {
  server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  taken = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
});

function config(more: Partial<HubConfig> = {}): HubConfig {
  return {
    dataDirectory: '/d',
    bindAddress: '127.0.0.1',
    apiServer: { externalHostname: null, port: taken, externalPort: null, authority: null },
    etcd: { mode: 'embed', prefix: '/registry' },
    temporal: { mode: 'embed', ui: false },
    image: null,
    gateway: { port: 1, externalHostname: null, externalPort: null },
    publish: null,
    provisionNamespaces: [],
    provisionClusterSets: [],
    notifications: false,
    argo: null,
    reader: null,
    sealing: false,
    ...more,
  };
}

const external = (...servers: string[]): Partial<HubConfig> => ({
  etcd: { mode: 'external', prefix: '/registry', servers, tls: null },
});

test.each(['127.0.0.1', '0.0.0.0'])(
  'a port that is taken is refused by its field, also on %s',
  async (bindAddress) => {
    await expect(checkDoors(config({ bindAddress }), '/d/ports.json')).rejects.toThrow(
      `Port ${taken} on ${bindAddress} is taken by another program. Stop that program (ss -ltnp shows it), or give another in apiserver.port (--port).`,
    );
  },
);

test('an address that the machine does not have is said as that, and once, not as a port that is taken', async () => {
  await expect(checkDoors(config({ bindAddress: '192.0.2.1' }), '/d/ports.json')).rejects.toThrow(
    /^bindAddress \(--bind-address\): this machine has no address 192\.0\.2\.1\. Give one .*all\.$/,
  );
});

/** Who is not root. */
const SOMEBODY = 65_534;

test('a port that is for root alone is said as that', async () => {
  const first = Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(SOMEBODY);
  try {
    expect(await whyNotFree(79, '127.0.0.1')).toBe(first > 79 ? 'not ours' : null);
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
  const remedy = (): string => 'Stop it.';
  const door = { host: '0.0.0.0', port: 443 };
  expect(closedBecause('not ours', door, { field: 'bindAddress', remedy })).toMatch(
    /^You may not listen on port 443, as on the others below 1024\. Give a higher one/,
  );
});

test('a door at the port of a part of the hub is refused, and not called another program', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'doors-'));
  const file = join(folder, 'ports.json');
  try {
    writeFileSync(file, JSON.stringify({ 'hub-api-server': 1, etcd: taken }));
    await expect(checkDoors(config(), file)).rejects.toThrow(
      `Port ${taken} is that of etcd, a part of this hub (${file}). Give another in apiserver.port (--port).`,
    );
    writeFileSync(file, JSON.stringify({ 'hub-api-server': taken }));
    await expect(checkDoors(config(), file)).rejects.toThrow('taken by another program');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('for a port that nobody decided, the remedy is to let the hub take another', () => {
  expect(remedyFor(config(), '/d/ports.json')({ host: '127.0.0.1', port: 20_000 })).toContain(
    'delete /d/ports.json',
  );
});

test('the two doors are where they were decided, and no other port is changed', async () => {
  const ports = withDoors({ of: () => Promise.resolve(5), all: () => ({ etcd: 5 }) }, config());
  expect(await ports.of('hub-api-server')).toBe(taken);
  expect(await ports.of('gateway-door')).toBe(1);
  expect(await ports.of('etcd')).toBe(5);
});

test('an external etcd that nobody can reach is said before anything starts; one server is enough', async () => {
  const closed = 'http://127.0.0.1:1';
  await expect(checkEtcd(config(external(closed)))).rejects.toThrow(
    /^etcd\.servers \(--etcd-servers\): none can be reached \(http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/,
  );
  await expect(checkEtcd(config(external(closed, `http://127.0.0.1:${taken}`)))).resolves.toBeUndefined();
  await expect(checkEtcd(config())).resolves.toBeUndefined();
});

test('without a name a hub is reached where it listens', () => {
  expect(externalHostOf(config())).toBe('127.0.0.1');
  expect(externalHostOf(config({ bindAddress: '0.0.0.0' }))).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
  const apiServer = { externalHostname: 'hub.example', port: 1, externalPort: null, authority: null };
  expect(externalHostOf(config({ apiServer }))).toBe('hub.example');
});

test('behind something that has other ports and names, those are told to people and agents', () => {
  expect([urlOf(config()), gatewayOf(config())]).toEqual([`https://127.0.0.1:${taken}`, '127.0.0.1:1']);
  const apiServer = { externalHostname: 'hub.example', port: 9443, externalPort: 443, authority: null };
  const gateway = { port: 7443, externalHostname: 'agents.example', externalPort: 444 };
  const behind = config({ apiServer, gateway });
  expect([urlOf(behind), gatewayOf(behind)]).toEqual(['https://hub.example:443', 'agents.example:444']);
});
