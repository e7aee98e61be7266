// The health of a process: GET /healthz answers 200 while it is ready, else 503.
import { createServer } from 'node:http';

export interface Health {
  close(): Promise<void>;
}

/**
 * Listens on `host:port`, or not at all without an address. `healthy` is asked for each request. Throws an
 * Error that names the address if it cannot listen there.
 */
export async function serveHealth(address: string | undefined, healthy: () => boolean): Promise<Health> {
  if (address === undefined) return { close: () => Promise.resolve() };
  const colon = address.lastIndexOf(':');
  const server = createServer((request, response) => {
    const known = request.method === 'GET' && request.url === '/healthz';
    const status = known ? (healthy() ? 200 : 503) : 404;
    response.writeHead(status, { 'content-type': 'text/plain' }).end(status === 200 ? 'ok\n' : 'not ready\n');
  });
  await new Promise<void>((resolve, reject) => {
    const refused = (cause: Error) =>
      reject(new Error(`HEALTH_ADDRESS ${address} cannot be listened on: choose a free address`, { cause }));
    server.once('error', refused).listen(Number(address.slice(colon + 1)), address.slice(0, colon), () => {
      server.off('error', refused);
      resolve();
    });
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
