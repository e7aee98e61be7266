import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, layFoundation } from '../../../../deploy/hub/foundation.ts';
import type { HubConfig } from '../../../../deploy/hub/config/config.ts';

const RANGE = process.env['PORT_RANGE'];
const [LOWEST = 0] = (RANGE ?? '').split('-').map(Number);
let dir = '';

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'doors-'));
  // No others are left for the hub's own programs.
  process.env['PORT_RANGE'] = `${LOWEST}-${LOWEST + 2}`;
});
afterEach(async () => {
  if (RANGE === undefined) delete process.env['PORT_RANGE'];
  else process.env['PORT_RANGE'] = RANGE;
  await rm(dir, { recursive: true });
});

const configWith = (api: number, gateway: number): HubConfig => ({
  dataDirectory: dir,
  bindAddress: '127.0.0.1',
  apiServer: { externalHostname: 'hub.example', port: api, externalPort: null, authority: null },
  etcd: { mode: 'embed', prefix: '/registry' },
  temporal: { mode: 'embed', ui: false },
  image: null,
  gateway: { port: gateway, externalHostname: null, externalPort: null },
  publish: null,
  provisionNamespaces: [],
  provisionClusterSets: [],
  notifications: false,
  argo: null,
  reader: null,
  sealing: false,
});

test('a hub gives none of its own programs a port that somebody decided for one of its doors', async () => {
  const config = configWith(LOWEST, LOWEST + 1);
  const { ports } = await layFoundation(config, await check(config));
  expect(await ports.of('gateway-door')).toBe(LOWEST + 1);
  await expect(ports.of('temporal')).rejects.toThrow('No free port');
});
