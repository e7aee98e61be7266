import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineFrom, modulesFor } from '../../../deploy/local/temporal/engine.ts';
import { temporalServer } from '../../../deploy/local/temporal/server.ts';
import { MODULES } from '../../../deploy/local/programs/tools.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cappstan-server-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('a server on PostgreSQL listens on loopback only, on the ports it names', async () => {
  const ports = new Map(['frontend', 'history'].map((service, index) => [service, { grpcPort: 11 + index, membershipPort: 21 + index }]));
  const { spec, address } = temporalServer({ binary: '/b/ts', folder, database: 5, ports });
  const written = await readFile(join(folder, 'server.yaml'), 'utf8');
  const { services, global } = JSON.parse(written) as { services: Record<string, { rpc: object }>; global: object };
  expect(services['frontend']?.rpc).toEqual({ grpcPort: 11, membershipPort: 21, bindOnIP: '127.0.0.1' });
  expect(services['history']?.rpc).toEqual({ grpcPort: 12, membershipPort: 22, bindOnIP: '127.0.0.1' });
  expect(global).toMatchObject({ membership: { broadcastAddress: '127.0.0.1' } });
  expect(written).not.toMatch(/0\.0\.0\.0|localhost/);
  expect(spec.ports).toEqual([11, 21, 12, 22]);
  expect(address).toBe('127.0.0.1:11');
});

it('only a stack on PostgreSQL builds more than every stack does', () => {
  expect(modulesFor('development')).toEqual(MODULES);
  expect(modulesFor('postgres').map(({ name }) => name)).toContain('engine');
});

it.each([
  [undefined, 'development'],
  ['', 'development'],
  ['postgres', 'postgres'],
])('ENGINE=%s is %s', (text, engine) => expect(engineFrom(text)).toBe(engine));

it('another engine is refused with what there is', () => {
  expect(() => engineFrom('mysql')).toThrow('ENGINE=mysql is neither "development" nor "postgres".');
});
