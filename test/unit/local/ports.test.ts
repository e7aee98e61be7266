import { createServer } from 'node:net';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPorts } from '../../../deploy/local/supervise/ports.ts';
import { ingressHost, ingressPort } from '../../../deploy/local/standins/ingress/address.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'ports-'));
});
afterEach(() => rm(dir, { recursive: true }));

it('a name keeps its port, also after the file is opened again', async () => {
  const file = join(dir, 'state', 'ports.json');
  const first = await openPorts(file);
  const port = await first.of('etcd');
  expect(await first.of('etcd')).toBe(port);
  expect(await (await openPorts(file)).of('etcd')).toBe(port);
});

it('concurrent requests get different ports, and all are stored', async () => {
  const ports = await openPorts(join(dir, 'ports.json'));
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const chosen = await Promise.all(names.map((name) => ports.of(name)));
  expect(new Set(chosen).size).toBe(names.length);
  expect(Object.keys(ports.all())).toEqual(names);
});

it('nobody is given a port that is kept apart, though nobody listens there yet', async () => {
  const [lowest = 0] = (process.env['PORT_RANGE'] ?? '').split('-').map(Number);
  const all = Array.from({ length: 1_500 }, (_, place) => lowest + place);
  const free = all.slice(700, 800);
  const apart = all.filter((port) => !free.includes(port));
  const ports = await openPorts(join(dir, 'ports.json'), { etcd: lowest }, apart);
  expect(free).toContain(await ports.of('etcd'));
});

it('of tests beside each other each worker has a part of the range', async () => {
  const own = process.env['PORT_RANGE'] ?? '';
  const [lowest = 0, highest = 0] = own.split('-').map(Number);
  expect(highest - lowest).toBe(1_500);
  const ports = await openPorts(join(dir, 'ports.json'));
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const port = await ports.of(name);
    expect([port >= lowest, port < highest]).toEqual([true, true]);
  }
});

it('the stacks that `make test` starts beside the workers have parts of their own', async () => {
  const makefile = await readFile(join(import.meta.dirname, '../../../Makefile'), 'utf8');
  const ranges = [...makefile.matchAll(/PORT_RANGE=(\d+)-(\d+)/g)].map(([, ...ends]) => ends.map(Number));
  expect(ranges).toEqual([
    [30_500, 31_250],
    [31_250, 32_000],
  ]);
  const own = [process.env['PORT_RANGE'], process.env['JEST_WORKER_ID'], process.env['FIRST_WORKER']];
  try {
    for (let worker = 1; worker <= 16; worker += 1) {
      [process.env['FIRST_WORKER'], process.env['JEST_WORKER_ID']] = ['1', String(worker)];
      await import(`../../support/ports-of-worker.ts?worker=${worker}`);
      expect(Number(process.env['PORT_RANGE']?.split('-')[1])).toBeLessThanOrEqual(30_500);
    }
  } finally {
    for (const [place, name] of ['PORT_RANGE', 'JEST_WORKER_ID', 'FIRST_WORKER'].entries())
      if (own[place] === undefined) delete process.env[name];
      else process.env[name] = own[place];
  }
});

it.each(['', '1-2', '30000-20000', '70000-80000', 'none'])(
  'with PORT_RANGE=%j it has all of it',
  async (range) => {
    const own = process.env['PORT_RANGE'];
    process.env['PORT_RANGE'] = range;
    try {
      const port = await (await openPorts(join(dir, 'ports.json'))).of('etcd');
      expect([port >= 20_000, port < 32_000]).toEqual([true, true]);
    } finally {
      process.env['PORT_RANGE'] = own;
    }
  },
);

async function listenOn(host: string): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  return { port, close: () => new Promise((resolve) => void server.close(() => resolve())) };
}

it('a preferred port is used only if it is free', async () => {
  const { port, close } = await listenOn('127.0.0.1');
  expect(await (await openPorts(join(dir, 'one.json'), { temporal: port })).of('temporal')).not.toBe(port);
  await close();
  expect(await (await openPorts(join(dir, 'two.json'), { temporal: port })).of('temporal')).toBe(port);
});

it('a port for several addresses is free on each of them', async () => {
  const sites = ['site-1', 'site-2'];
  const { port, close } = await listenOn(ingressHost('site-2'));
  expect(await ingressPort(await openPorts(join(dir, 'one.json'), { ingress: port }), sites)).not.toBe(port);
  expect(await ingressPort(await openPorts(join(dir, 'two.json'), { ingress: port }), ['site-1'])).toBe(port);
  await close();
});

it('each site has an address of its own', () => {
  expect(['site-1', 'site-2', 'site-12'].map(ingressHost)).toEqual([
    '127.0.0.11',
    '127.0.0.12',
    '127.0.0.22',
  ]);
  expect(() => ingressHost('hub')).toThrow('hub is no site');
});
