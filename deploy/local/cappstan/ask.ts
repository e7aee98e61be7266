// Asks an app on a site as its users do: one HTTP request to the site's ingress.
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { appHost } from '../kubernetes/knative.ts';
import type { Address } from '../supervise/process-spec.ts';

export interface AppAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** GET with this Host. Rejects when nobody listens there, or there is no whole answer in time. */
export function askApp(
  { host: address, port }: Address,
  host: string,
  timeoutMs = 5000,
  path = '/',
): Promise<AppAnswer> {
  return new Promise((resolve, reject) => {
    const call = request({
      host: address,
      port,
      path,
      headers: { host },
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
    });
    call.once('error', reject);
    call.once('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    call.end();
  });
}

export interface AskOptions {
  readonly timeoutMs: number;
  readonly note: (detail: string) => void;
}

/** Waits until the app answers 200, and returns the body. Throws after `timeoutMs`, with the last answer. */
export async function awaitAnswer(address: Address, host: string, options: AskOptions): Promise<string> {
  const deadline = Date.now() + options.timeoutMs;
  for (;;) {
    const said = await askApp(address, host).then(
      ({ status, body }) => (status === 200 ? { body } : `${status}: ${body.trim()}`),
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (typeof said !== 'string') return said.body;
    options.note(said);
    if (Date.now() > deadline)
      throw new Error(
        `${host} at ${address.host}:${address.port} does not answer 200 after ${options.timeoutMs / 1000} s (${said}).`,
      );
    await sleep(100);
  }
}

/** A shell command that asks the app on a site. `proxied`: the environment sends curl to a proxy. */
export function curlCommand(
  app: { readonly namespace: string; readonly name: string },
  { site, address, proxied }: { site: string; address: Address; proxied: boolean },
): string {
  const direct = proxied ? "--noproxy '*' " : '';
  return `curl ${direct}--connect-to ::${address.host}:${address.port} http://${appHost(app, site)}`;
}
