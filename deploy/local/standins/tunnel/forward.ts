// How the stand-in for OCM's cluster-proxy passes a call on: to the site that its path begins with, as the
// caller sent it, with the caller's own token. It has none itself.
import { Agent, request } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Tunnel {
  /** The address of each site's API server, by the site's name. */
  readonly sites: ReadonlyMap<string, string>;
  /** PEM of the authority of their certificates. */
  readonly ca: string;
}

/** Answers 404 for a site that nobody knows, 502 for one that does not answer, as the user server does. */
export function forwarding({ sites, ca }: Tunnel): (call: IncomingMessage, answer: ServerResponse) => void {
  const agent = new Agent({ ca, keepAlive: true });
  return (call, answer) => {
    const [, site = '', rest = '/'] = /^\/([^/?]+)(\/.*)?$/.exec(call.url ?? '') ?? [];
    const server = sites.get(site);
    if (server === undefined) return void answer.writeHead(404).end(`There is no tunnel to ${site}.\n`);
    const { host: _host, connection: _connection, ...headers } = call.headers;
    const passed = request(`${server}${rest}`, { method: call.method, headers, agent });
    passed.once('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers).flushHeaders();
      response.once('error', () => answer.destroy());
      response.pipe(answer);
    });
    passed.once('error', () => {
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end(`The API server of ${site} does not answer.\n`);
    });
    answer.once('close', () => passed.destroy());
    call.pipe(passed);
  };
}
