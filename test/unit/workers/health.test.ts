// GET /healthz says whether a process is ready, and nothing else.
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { serveHealth } from '../../../workers/process/health.ts';

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function ask(port: number, path: string, method = 'GET'): Promise<readonly [number | undefined, string]> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve([response.statusCode, body]));
    })
      .on('error', reject)
      .end();
  });
}

test('it answers ok or not ready at the time of the request, and nothing at any other path or method', async () => {
  const port = await freePort();
  let isReady = false;
  const server = await serveHealth(`127.0.0.1:${port}`, () => isReady);
  try {
    expect(await ask(port, '/healthz')).toEqual([503, 'not ready\n']);
    isReady = true;
    expect(await ask(port, '/healthz')).toEqual([200, 'ok\n']);
    const nothing = [404, 'not found\n'];
    expect(await ask(port, '/')).toEqual(nothing);
    expect(await ask(port, '/healthz/more')).toEqual(nothing);
    expect(await ask(port, '/healthz', 'POST')).toEqual(nothing);
  } finally {
    await server.close();
  }
});
