import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { engineFrom, modulesFor } from '../../../deploy/local/temporal/engine.ts';
import { temporalServer } from '../../../deploy/local/temporal/postgres-server.ts';
import { tlsServer } from '../../../deploy/local/temporal/tls-server.ts';
import { MODULES } from '../../../deploy/local/programs/modules.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cappstan-server-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('the server on PostgreSQL listens only on loopback, on the ports of its spec', async () => {
  const ports = new Map(
    ['frontend', 'history'].map((service, index) => [
      service,
      { grpcPort: 11 + index, membershipPort: 21 + index },
    ]),
  );
  const { spec, address } = temporalServer({ binary: '/b/ts', folder, database: 5, ports });
  const written = await readFile(join(folder, 'server.yaml'), 'utf8');
  const { services, global } = JSON.parse(written) as {
    services: Record<string, { rpc: object }>;
    global: object;
  };
  expect(services['frontend']?.rpc).toEqual({ grpcPort: 11, membershipPort: 21, bindOnIP: '127.0.0.1' });
  expect(services['history']?.rpc).toEqual({ grpcPort: 12, membershipPort: 22, bindOnIP: '127.0.0.1' });
  expect(global).toMatchObject({ membership: { broadcastAddress: '127.0.0.1' } });
  expect(written).not.toMatch(/0\.0\.0\.0|localhost/);
  expect(spec.ports).toEqual([11, 21, 12, 22]);
  expect(address).toBe('127.0.0.1:11');
});

it('only a stack with ENGINE=postgres builds the production server', () => {
  expect(modulesFor('development')).toEqual(MODULES);
  expect(modulesFor('postgres').map(({ name }) => name)).toContain('engine');
});

it.each([
  [undefined, 'development'],
  ['', 'development'],
  ['postgres', 'postgres'],
])('ENGINE=%s is %s', (text, engine) => expect(engineFrom(text)).toBe(engine));

it('an unknown ENGINE is an error that lists the known ones', () => {
  expect(() => engineFrom('mysql')).toThrow(
    'ENGINE=mysql is neither "development" nor "postgres". Set it to one of them.',
  );
});

interface Written {
  readonly services: Record<string, { rpc: object }>;
  readonly global: { readonly tls: object };
}

describe('the server with mutual TLS', () => {
  const pair = (name: string) => ({ cert: `/certs/${name}.crt`, key: `/certs/${name}.key` });
  const written = async (uiPort: number | null = 15) => {
    const { spec, ui: address } = tlsServer({
      binary: '/b/ts',
      folder,
      database: '/d/t.db',
      ports: { frontend: 11, history: 12, matching: 13, worker: 14, ui: uiPort },
      certificates: {
        clients: ['/certs/hub-authority.crt'],
        authority: '/certs/temporal-authority.crt',
        serving: pair('temporal'),
        internal: pair('internal'),
        own: pair('worker'),
      },
      keywords: ['CappSite'],
    });
    const text = await readFile(join(folder, 'server.yaml'), 'utf8');
    const file = uiPort === null ? '{}' : await readFile(join(folder, 'ui.yaml'), 'utf8');
    return { spec, address, server: JSON.parse(text) as Written, ui: JSON.parse(file) as object };
  };

  it('listens only on loopback, on the ports of its spec', async () => {
    const { spec, server, ui } = await written();
    const rpcs = Object.values(server.services).map(({ rpc }) => rpc);
    expect(rpcs).toEqual([11, 12, 13, 14].map((grpcPort) => ({ grpcPort, bindOnIP: '127.0.0.1' })));
    expect(ui).toMatchObject({ host: '127.0.0.1', port: 15, temporalGrpcAddress: '127.0.0.1:11' });
    expect(spec.ports).toEqual([11, 12, 13, 14, 15]);
  });

  it('changes nothing for whoever opens its web interface, and has none where nobody wants one', async () => {
    expect((await written()).ui).toMatchObject({ disableWriteActions: true });
    const { spec, address } = await written(null);
    expect(address).toBe('');
    expect(spec.ports).toEqual([11, 12, 13, 14]);
    expect(spec.args.join(' ')).not.toContain('ui');
  });

  it('is shut as the page tells people to shut theirs', async () => {
    const page = await readFile(join(import.meta.dirname, '../../../docs/gateway.md'), 'utf8');
    const [, told = ''] = /```yaml\n(global:[^]*?)```/.exec(page) ?? [];
    const { global } = parse(told.replaceAll('temporal.example', 'localhost').replace('1m', '1s')) as Written;
    expect((await written()).server.global.tls).toEqual(global.tls);
  });
});
