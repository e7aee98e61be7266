import { createServer } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPorts } from '../../../deploy/local/supervise/ports.ts';

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

it('a preferred port is used only if it is free', async () => {
  const server = createServer();
  const taken = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  expect(await (await openPorts(join(dir, 'one.json'), { temporal: taken })).of('temporal')).not.toBe(taken);
  await new Promise((resolve) => {
    server.close(resolve);
  });
  expect(await (await openPorts(join(dir, 'two.json'), { temporal: taken })).of('temporal')).toBe(taken);
});
