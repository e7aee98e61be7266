// A server of one page over plain HTTP, for probes and Prometheus.
import { createServer } from 'node:http';

export interface SmallServer {
  close(): Promise<void>;
}

export interface Page {
  /** The variable that has the address, for the error. */
  readonly setting: string;
  /** The only path, such as `/healthz`. */
  readonly path: string;
  /** Asked for each GET of the path. */
  readonly answer: () => { readonly status: number; readonly text: string; readonly type?: string };
}

/**
 * Listens on `host:port`, or not at all without an address. Any other path or method is 404. Throws an Error
 * that names the setting and the address if it cannot listen there.
 */
export async function servePage(address: string | undefined, page: Page): Promise<SmallServer> {
  if (address === undefined) return { close: () => Promise.resolve() };
  const colon = address.lastIndexOf(':');
  const server = createServer((request, response) => {
    const isKnown = request.method === 'GET' && request.url === page.path;
    const {
      status,
      text,
      type = 'text/plain',
    } = isKnown ? page.answer() : { status: 404, text: 'not found\n' };
    response.writeHead(status, { 'content-type': type }).end(text);
  });
  await new Promise<void>((resolve, reject) => {
    const refused = (cause: Error) =>
      reject(new Error(`${page.setting} ${address} cannot be listened on: choose a free address`, { cause }));
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
