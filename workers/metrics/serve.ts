// GET /metrics for processes without a Temporal worker.
import { createServer } from 'node:http';
import type { Registry } from './meter.ts';

/**
 * Listens on `host:port`, or not at all without an address. Throws an Error that names the address if it cannot
 * listen there.
 */
export async function serveMetrics(
  address: string | undefined,
  { text }: Pick<Registry, 'text'>,
): Promise<{ close(): Promise<void> }> {
  if (address === undefined) return { close: () => Promise.resolve() };
  const colon = address.lastIndexOf(':');
  const server = createServer((request, response) => {
    const isKnown = request.method === 'GET' && request.url === '/metrics';
    const type = isKnown ? 'text/plain; version=0.0.4; charset=utf-8' : 'text/plain';
    response.writeHead(isKnown ? 200 : 404, { 'content-type': type }).end(isKnown ? text() : 'not found\n');
  });
  await new Promise<void>((resolve, reject) => {
    const refused = (cause: Error) =>
      reject(new Error(`METRICS_ADDRESS ${address} cannot be listened on: choose a free address`, { cause }));
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
