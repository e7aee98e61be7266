// Asks a process of the stack whether it is there, over loopback, once and within a second or two.
import { connect } from 'node:net';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

/**
 * `http` is a URL that answers 2xx when well; an https server is not verified, as the probe asks nothing and tells nothing secret.
 * `tcp` is a port on 127.0.0.1 that accepts; `running` asks for nothing more than a process.
 */
export type Probe = { readonly http: string } | { readonly tcp: number } | { readonly running: true };

/** `well` and `ill` are answers; `silent` means nobody answered in time or nobody listens. */
export type ProbeResult = 'well' | 'ill' | 'silent';

/** Never throws. */
export async function ask(probe: Probe, timeoutMs = 2000): Promise<ProbeResult> {
  if ('running' in probe) return 'well';
  return 'tcp' in probe ? askTcp(probe.tcp, timeoutMs) : askHttp(probe.http, timeoutMs);
}

function askTcp(port: number, timeoutMs: number): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: timeoutMs });
    const end = (result: ProbeResult): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => end('well'));
    socket.once('timeout', () => end('silent'));
    socket.once('error', () => end('silent'));
  });
}

function askHttp(url: string, timeoutMs: number): Promise<ProbeResult> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const call = request(url, { rejectUnauthorized: false, agent: false, signal: AbortSignal.timeout(timeoutMs) });
    call.once('response', (response) => {
      response.resume();
      const status = response.statusCode ?? 0;
      resolve(status >= 200 && status < 300 ? 'well' : 'ill');
    });
    call.once('error', () => resolve('silent'));
    call.end();
  });
}
