// The testbed of the site operator: a real API server with our CRDs, the running operator, and Capps in one
// namespace.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { HUB_CAPPS, HUB_CAPPS_ALLOWED } from '../../../../crds/labels.ts';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import { siteOperator, type SiteOperator } from '../../../../site/operator.ts';
import { startApiServer, type ApiServerForTests } from '../../servers/api/api-server.ts';
import { groundOf } from '../../servers/api/definitions.ts';
import { eventually, API_TIMEOUT_MS } from '../../../../testbed/eventually.ts';

/** Open to Capps of a hub. */
export const NS = 'apps';
/** The Namespace of the site operator. */
export const PLACE = 'open-cluster-management-agent-addon';
export const at = (name: string) => ({ namespace: NS, name });

export interface SiteTestbed {
  readonly kube: Kube;
  readonly operator: SiteOperator;
  /** Stops the operator and starts another. */
  restart(): Promise<void>;
  /** Of one container, unless the spec says otherwise. */
  make(name: string, spec?: object): Promise<Capp>;
  /** Throws if there is none. */
  live(name: string): Promise<Capp>;
  edit(name: string, spec: object): Promise<Capp>;
  /** What `read` returns when the operator writes no more: twice the same, and nothing to do in between. */
  atRest<T>(read: () => Promise<T>): Promise<T>;
  /** Waits for a condition of the Capp about its present generation. */
  says(name: string, type: string, reason: string): Promise<Capp>;
}

/** Opens the testbed for the tests of a file. Call it once, at the top. */
export function siteTestbed(): SiteTestbed {
  const testbed = new RunningTestbed();
  beforeAll(() => testbed.open(), 300_000);
  afterAll(() => testbed.close());
  return testbed;
}

interface Open {
  readonly server: ApiServerForTests;
  readonly kube: Kube;
  operator: SiteOperator;
}

class RunningTestbed implements SiteTestbed {
  #open: Open | null = null;

  get kube(): Kube {
    return this.#opened().kube;
  }

  get operator(): SiteOperator {
    return this.#opened().operator;
  }

  async open(): Promise<void> {
    const server = await startApiServer({ ground: groundOf() });
    const kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
    const labels = { [HUB_CAPPS]: HUB_CAPPS_ALLOWED };
    await kube.create(NAMESPACE, { metadata: { name: NS, labels } });
    await kube.create(NAMESPACE, { metadata: { name: PLACE } });
    this.#open = { server, kube, operator: begin(kube) };
  }

  async close(): Promise<void> {
    if (this.#open === null) return;
    const { server, kube, operator } = this.#open;
    await operator.stop();
    await kube.close();
    await server.stop();
  }

  async restart(): Promise<void> {
    const open = this.#opened();
    await open.operator.stop();
    open.operator = begin(open.kube);
    await open.operator.synced;
  }

  async make(name: string, spec: object = {}): Promise<Capp> {
    const template = { spec: { containers: [{ name: 'app', image: 'i:1' }] } };
    const capp = {
      apiVersion: CAPP.apiVersion,
      kind: CAPP.kind,
      metadata: at(name),
      spec: { configurationSpec: { template }, ...spec },
    };
    await this.kube.raw('POST', `/apis/${CAPP.apiVersion}/namespaces/${NS}/capps`, { body: capp });
    return this.live(name);
  }

  async live(name: string): Promise<Capp> {
    const capp = await this.kube.get<Capp>(CAPP, at(name));
    if (capp === null) throw new Error(`there is no Capp ${name}`);
    return capp;
  }

  edit(name: string, spec: object): Promise<Capp> {
    return this.kube.patch<Capp>(CAPP, at(name), { spec });
  }

  async atRest<T>(read: () => Promise<T>): Promise<T> {
    let last: unknown;
    const { result } = await eventually(
      async () => {
        await this.operator.idle();
        const result = await read();
        const text = JSON.stringify(result);
        const isSame = text === last;
        last = text;
        return isSame ? { result } : undefined;
      },
      { everyMs: 300 },
    );
    return result;
  }

  async says(name: string, type: string, reason: string): Promise<Capp> {
    let last: unknown;
    try {
      return await eventually(async () => {
        const capp = await this.live(name);
        last = capp.status?.conditions;
        const found = capp.status?.conditions?.find((condition) => condition.type === type);
        return found?.reason === reason && found.observedGeneration === capp.metadata.generation
          ? capp
          : undefined;
      });
    } catch (cause) {
      throw new Error(`${name} does not say ${type}/${reason}, but ${JSON.stringify(last)}`, { cause });
    }
  }

  #opened(): Open {
    if (this.#open === null) throw new Error('The testbed is not open yet.');
    return this.#open;
  }
}

/** Errors are retried, and the Capps’ conditions report them. */
function begin(kube: Kube): SiteOperator {
  return siteOperator(kube, { onProblem: () => undefined, onError: () => undefined });
}
