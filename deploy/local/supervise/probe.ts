// Probes a process of the stack over loopback, once.
import { connect } from 'node:net';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isServing, type GrpcDoor } from './grpc-health.ts';

/**
 * `http`: a URL that answers 2xx when healthy; certificates are not verified, because a probe sends nothing
 * secret. `tcp`: a port on 127.0.0.1 that accepts connections. `grpc`: a service that says that it is served.
 * `running`: the process exists.
 */
export type ProcessProbe =
  | { readonly http: string }
  | { readonly tcp: number }
  | { readonly grpc: GrpcDoor }
  | { readonly running: true };

/** `unanswered`: nobody listens, or there was no answer in time. */
export type ProbeResult = 'healthy' | 'unhealthy' | 'unanswered';

/** Never throws. */
export async function runProbe(probe: ProcessProbe, timeoutMs = 2000): Promise<ProbeResult> {
  if ('running' in probe) return 'healthy';
  if ('grpc' in probe) return probeGrpc(probe.grpc, timeoutMs);
  return 'tcp' in probe ? probeTcp(probe.tcp, timeoutMs) : probeHttp(probe.http, timeoutMs);
}

async function probeGrpc(door: GrpcDoor, timeoutMs: number): Promise<ProbeResult> {
  const serves = await isServing(door, timeoutMs);
  return serves === null ? 'unanswered' : serves ? 'healthy' : 'unhealthy';
}

function probeTcp(port: number, timeoutMs: number): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: timeoutMs });
    const end = (result: ProbeResult): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => end('healthy'));
    socket.once('timeout', () => end('unanswered'));
    socket.once('error', () => end('unanswered'));
  });
}

function probeHttp(url: string, timeoutMs: number): Promise<ProbeResult> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const call = request(url, {
      rejectUnauthorized: false,
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
    });
    call.once('response', (response) => {
      response.resume();
      const status = response.statusCode ?? 0;
      resolve(status >= 200 && status < 300 ? 'healthy' : 'unhealthy');
    });
    call.once('error', () => resolve('unanswered'));
    call.end();
  });
}
