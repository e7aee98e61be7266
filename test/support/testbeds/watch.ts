// The testbed of watch tests: a namespace with ConfigMaps for each test, and a client behind a fault proxy.
import { CONFIG_MAP, NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { connect, type Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { Change } from '../../../kube/watch/store.ts';
import { watch, type Watch, type WatchOptions } from '../../../kube/watch/watch.ts';
import { startApiServer, type ApiServerForTests } from '../servers/api/api-server.ts';
import { eventually, API_TIMEOUT_MS } from '../../../testbed/eventually.ts';
import { startFaultProxy, type FaultProxy } from '../servers/network/fault-proxy.ts';

/** A server's answer to a resourceVersion that is too old. */
export const EXPIRED = {
  kind: 'Status',
  metadata: {},
  code: 410,
  reason: 'Expired',
  message: 'too old resource version',
};

export interface Following extends Watch {
  /** Each change as words, such as `initial Added a`. */
  readonly told: string[];
  readonly changes: Change<KubeObject>[];
  readonly problems: string[];
}

export interface WatchTestbed {
  readonly proxy: FaultProxy;
  /** Leads through the proxy. */
  readonly kube: Kube;
  /** Leads to the server itself. */
  readonly direct: Kube;
  /** The running test's own. */
  readonly namespace: string;
  follow(options?: Partial<WatchOptions<KubeObject>>): Following;
  /** Is stopped when the test is over. */
  hold(watching: { stop(): Promise<void> }): void;
  make(name: string, labels?: Record<string, string>): Promise<KubeObject>;
  edit(name: string, data?: Record<string, string>): Promise<KubeObject>;
  remove(name: string): Promise<boolean>;
}

/** Opens the testbed for the tests of a file. Call it once, at the top. */
export function watchTestbed(): WatchTestbed {
  const testbed = new RunningTestbed();
  beforeAll(() => testbed.open(), 300_000);
  beforeEach(() => testbed.begin());
  afterEach(() => testbed.end());
  afterAll(() => testbed.close());
  return testbed;
}

interface Open {
  readonly server: ApiServerForTests;
  readonly proxy: FaultProxy;
  readonly direct: Kube;
  readonly kube: Kube;
}

class RunningTestbed implements WatchTestbed {
  namespace = '';
  #open: Open | null = null;
  #count = 0;
  #held: { stop(): Promise<void> }[] = [];

  get proxy(): FaultProxy {
    return this.#opened().proxy;
  }

  get direct(): Kube {
    return this.#opened().direct;
  }

  get kube(): Kube {
    return this.#opened().kube;
  }

  async open(): Promise<void> {
    const server = await startApiServer();
    const proxy = await startFaultProxy(server.kubeconfig);
    const direct = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
    this.#open = {
      server,
      proxy,
      direct,
      kube: connect({ kubeconfig: proxy.kubeconfig, deadlineMs: 20_000 }),
    };
  }

  async begin(): Promise<void> {
    this.#count += 1;
    this.namespace = `testbed-${this.#count}`;
    await this.direct.create(NAMESPACE, { metadata: { name: this.namespace } });
  }

  async end(): Promise<void> {
    const { proxy } = this;
    proxy.heal();
    proxy.forget();
    await Promise.all(this.#held.map((one) => one.stop()));
    this.#held = [];
    await eventually(() => (proxy.streams.length === 0 ? true : undefined));
  }

  async close(): Promise<void> {
    if (this.#open === null) return;
    const { server, proxy, direct, kube } = this.#open;
    await Promise.all([kube.close(), direct.close()]);
    await proxy.stop();
    await server.stop();
  }

  hold(watching: { stop(): Promise<void> }): void {
    this.#held.push(watching);
  }

  /** Of the namespace's ConfigMaps, through the proxy. */
  follow(options: Partial<WatchOptions<KubeObject>> = {}): Following {
    const [told, changes, problems]: [string[], Change<KubeObject>[], string[]] = [[], [], []];
    const onProblem = (error: unknown): void =>
      void problems.push(error instanceof ApiError ? `${error.code} ${error.reason}` : String(error));
    const watching = watch<KubeObject>(
      this.kube,
      { resource: CONFIG_MAP, namespace: this.namespace, onProblem, ...options },
      (change) => {
        changes.push(change);
        told.push(`${change.initial ? 'initial ' : ''}${change.type} ${change.object.metadata.name}`);
      },
    );
    this.hold(watching);
    const { synced } = watching;
    const position = { resourceVersion: () => watching.resourceVersion(), problem: () => watching.problem() };
    return { synced, ...position, stop: () => watching.stop(), told, changes, problems };
  }

  make(name: string, labels: Record<string, string> = {}): Promise<KubeObject> {
    return this.direct.create<KubeObject>(CONFIG_MAP, {
      metadata: { name, namespace: this.namespace, labels },
    });
  }

  edit(name: string, data: Record<string, string> = { edited: String(Math.random()) }): Promise<KubeObject> {
    return this.direct.patch<KubeObject>(CONFIG_MAP, { namespace: this.namespace, name }, { data });
  }

  remove(name: string): Promise<boolean> {
    return this.direct.remove(CONFIG_MAP, { namespace: this.namespace, name });
  }

  #opened(): Open {
    if (this.#open === null) throw new Error('The testbed is not open yet.');
    return this.#open;
  }
}

/** Until it has been told exactly this, in this order, or in any. */
export async function hears(
  { told }: Following,
  expected: readonly string[],
  order: 'ordered' | 'any' = 'ordered',
): Promise<void> {
  const sorted = (all: readonly string[]): readonly string[] => (order === 'any' ? all.toSorted() : all);
  await eventually(() => (told.length >= expected.length ? true : undefined)).catch(() => undefined);
  expect(sorted(told)).toEqual(sorted(expected));
}

/** Until a watch has reached the server. */
export async function streaming({ proxy }: WatchTestbed): Promise<void> {
  await eventually(() => (proxy.streams.length > 0 ? true : undefined));
}

/** How many pages of lists were asked for. */
export function listed({ proxy }: WatchTestbed): number {
  return proxy.seen.filter(({ path }) => path.includes('limit=')).length;
}
