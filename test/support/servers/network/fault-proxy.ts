// A proxy between a client and a real API server that injects faults of networks and servers.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Agent, request as ask } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

export interface Seen {
  readonly method: string;
  /** With its query. */
  readonly path: string;
}

export type Fault =
  /** Answers in the server's place. */
  | { readonly answer: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** Closes the connection before the server gets the request, or after it has processed it. */
  | { readonly sever: 'before' | 'after' }
  /** Never answers. */
  | 'hang';

/** A watch that is running through the proxy. */
export interface LiveStream extends Seen {
  /** Sends a line that the server did not. */
  inject(line: string): void;
  /** Ends it as a server does at the end of a watch. */
  end(): void;
  /** Closes the connection with FIN. */
  halfClose(): void;
  sever(): void;
  /** Silently drops everything from now on. */
  freeze(): void;
}

export interface FaultProxy {
  /** Path of a kubeconfig that leads through the proxy. */
  readonly kubeconfig: string;
  /** All that was asked since the last `forget`. */
  readonly seen: readonly Seen[];
  readonly streams: readonly LiveStream[];
  /** Decides for each request; undefined lets it pass. Stays until another is set. */
  fault(decide: (seen: Seen) => Fault | undefined): void;
  /** Breaks every connection and lets none through, until `heal`. */
  cut(): void;
  heal(): void;
  forget(): void;
  stop(): Promise<void>;
}

/** Takes an administrator's kubeconfig and speaks to its server as that administrator. */
export async function startFaultProxy(kubeconfig: string): Promise<FaultProxy> {
  const proxy = new Proxy(upstreamOf(kubeconfig));
  return proxy.start();
}

interface Upstream {
  readonly server: URL;
  readonly agent: Agent;
}

interface RawConfig {
  readonly clusters: readonly [
    { readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } },
  ];
  readonly users: readonly [
    { readonly user: { readonly 'client-certificate-data': string; readonly 'client-key-data': string } },
  ];
}

function upstreamOf(kubeconfig: string): Upstream {
  const { clusters, users } = parse(readFileSync(kubeconfig, 'utf8')) as RawConfig;
  const plain = (base64: string): Buffer => Buffer.from(base64, 'base64');
  const [{ cluster }, { user }] = [clusters[0], users[0]];
  const tls = {
    ca: plain(cluster['certificate-authority-data']),
    cert: plain(user['client-certificate-data']),
    key: plain(user['client-key-data']),
  };
  return { server: new URL(cluster.server), agent: new Agent({ ...tls, keepAlive: true }) };
}

class Proxy implements FaultProxy {
  kubeconfig = '';
  readonly seen: Seen[] = [];
  readonly streams: LiveStream[] = [];
  readonly #upstream: Upstream;
  readonly #server: Server;
  #decide: (seen: Seen) => Fault | undefined = () => undefined;
  #down = false;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
    this.#server = createServer((request, response) => this.#take(request, response));
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    const dir = await mkdtemp(join(tmpdir(), 'cappstan-fault-proxy-'));
    this.kubeconfig = join(dir, 'kubeconfig');
    const cluster = { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true };
    const named = { name: 'proxy' };
    const config = {
      clusters: [{ ...named, cluster }],
      users: [{ ...named, user: {} }],
      contexts: [{ ...named, context: { cluster: 'proxy', user: 'proxy' } }],
    };
    await writeFile(
      this.kubeconfig,
      stringify({ apiVersion: 'v1', kind: 'Config', 'current-context': 'proxy', ...config }),
    );
    return this;
  }

  fault(decide: (seen: Seen) => Fault | undefined): void {
    this.#decide = decide;
  }

  cut(): void {
    this.#down = true;
    this.#server.closeAllConnections();
  }

  heal(): void {
    this.#down = false;
    this.#decide = () => undefined;
  }

  forget(): void {
    this.seen.length = 0;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#upstream.agent.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(join(this.kubeconfig, '..'), { recursive: true, force: true });
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const seen: Seen = { method: request.method ?? '', path: request.url ?? '' };
    this.seen.push(seen);
    const fault = this.#down ? { sever: 'before' as const } : this.#decide(seen);
    if (fault === 'hang') return;
    if (fault !== undefined && 'answer' in fault) {
      response.writeHead(fault.answer, fault.headers).end(fault.body);
      return;
    }
    if (fault?.sever === 'before') {
      request.socket.destroy();
      return;
    }
    this.#pass(request, response, seen, fault?.sever === 'after');
  }

  #pass(request: IncomingMessage, response: ServerResponse, seen: Seen, severed: boolean): void {
    const { server, agent } = this.#upstream;
    const headers = { ...request.headers, host: server.host };
    const onward = ask(
      { agent, host: server.hostname, port: server.port, method: seen.method, path: seen.path, headers },
      (answer) => {
        if (severed) {
          answer.resume().on('end', () => request.socket.destroy());
          return;
        }
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        response.flushHeaders();
        answer.pipe(response);
        if (seen.path.includes('watch=true')) this.#follow(seen, answer, response);
      },
    );
    onward.on('error', () => request.socket.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  }

  #follow(seen: Seen, answer: IncomingMessage, response: ServerResponse): void {
    const stream: LiveStream = {
      ...seen,
      inject: (line) => void response.write(line),
      end: () => void response.end(),
      halfClose: () => void response.socket?.end(),
      sever: () => void response.socket?.destroy(),
      freeze: () => void answer.unpipe(response),
    };
    this.streams.push(stream);
    response.on('close', () => this.streams.splice(this.streams.indexOf(stream), 1));
  }
}
