// Kept-alive connections to one API server, replaced when the certificates change.
import { Agent, ProxyAgent, type Dispatcher } from 'undici';
import type { Tls } from './credentials.ts';
import { KUBE_TIMES } from '../times.ts';

/** Streams hold a connection for minutes, so they have their own pool and never starve calls. */
export interface Agents {
  readonly calls: Dispatcher;
  readonly streams: Dispatcher;
}

export interface AgentPool {
  /** The agents for these certificates. Older ones are closed once their requests have ended. */
  of(tls: Tls): Agents;
  close(): Promise<void>;
}

/** More connections would cost more in handshakes than they gain. */
const CALLS_AT_ONCE = 32;

export function poolTo(proxyUrl: string | null, callsAtOnce = CALLS_AT_ONCE): AgentPool {
  let current: { readonly tls: Tls; readonly agents: Agents } | null = null;
  return {
    of(tls) {
      if (current !== null && isSame(current.tls, tls)) return current.agents;
      if (current !== null) void Promise.allSettled(dispatchersOf(current.agents).map((old) => old.close()));
      current = {
        tls,
        agents: { calls: agentOf(tls, proxyUrl, callsAtOnce), streams: agentOf(tls, proxyUrl, null) },
      };
      return current.agents;
    },
    async close() {
      if (current === null) return;
      await Promise.allSettled([current.agents.calls.close(), current.agents.streams.destroy()]);
    },
  };
}

function dispatchersOf({ calls, streams }: Agents): Dispatcher[] {
  return [calls, streams];
}

function agentOf(tls: Tls, proxyUrl: string | null, connections: number | null): Dispatcher {
  // HTTP/1.1 on purpose: over HTTP/2 all watches would share one connection, and its loss.
  const options = { connections, allowH2: false, keepAliveTimeout: KUBE_TIMES.keepAlive.ms };
  const connect = {
    ...tls,
    // As client-go has it: an authority in a kubeconfig is trusted though its own issuer is not there.
    allowPartialTrustChain: true,
    allowH2: false,
    timeout: KUBE_TIMES.connect.ms,
    keepAlive: true,
    keepAliveInitialDelay: KUBE_TIMES.probe.ms,
  };
  if (proxyUrl === null) return new Agent({ ...options, connect });
  // client-go has one list of authorities, for server and proxy, and so has a kubeconfig.
  const proxyTls = tls.ca === undefined ? {} : { proxyTls: { ca: tls.ca, allowPartialTrustChain: true } };
  return new ProxyAgent({ ...options, uri: proxyUrl, requestTls: connect, ...proxyTls });
}

function isSame(one: Tls, other: Tls): boolean {
  const names = ['ca', 'cert', 'key', 'passphrase', 'rejectUnauthorized', 'servername'] as const;
  return names.every((name) => {
    const [a, b] = [one[name], other[name]];
    return Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : a === b;
  });
}
