// A hub whose API server delays a try until the test lets it go on, so that a later try overtakes it.
import { hubApply } from '../../../../activities/hub/ship/apply.ts';
import { hubPublish } from '../../../../activities/hub/status/publish.ts';
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { connect } from '../../../../kube/client.ts';
import { API_TIMEOUT_MS } from '../../../../testbed/eventually.ts';
import type { CappRef } from '../../../../workflows/capp/state.ts';
import { startFaultProxy, type FaultProxy, type Seen } from '../../servers/network/fault-proxy.ts';
import { APPS, startHub, type HubForTests } from '../hub/hub.ts';
import { warranted } from '../hub/warranted.ts';

const WAIT = { answer: 429, headers: { 'retry-after': '1' } } as const;

export interface Held {
  /** Resolves when the first such request has been answered. */
  readonly reached: Promise<void>;
  /** Lets such requests pass. */
  release(): void;
}

export interface SlowHub {
  readonly stage: HubForTests;
  /** The slow activities ask through it. */
  readonly proxy: FaultProxy;
  slowly(): Pick<HubForTests['hub'], 'apply' | 'publish'>;
  /**
   * Answers such requests with 429 and Retry-After of one second, until they are released: whatever the test
   * does meanwhile is over by then.
   */
  holdUp(isIt: (seen: Seen) => boolean): Held;
  stop(): Promise<void>;
}

export const isWork = ({ path }: Seen): boolean => path.includes('/manifestworks');
export const isStatus = ({ method, path }: Seen): boolean => method === 'PATCH' && path.includes('/status');
export const isNote = ({ method, path }: Seen): boolean =>
  method === 'PATCH' && path.includes('/capps/') && !path.includes('/status');

export async function startSlowHub(): Promise<SlowHub> {
  const stage = await startHub();
  const proxy = await startFaultProxy(stage.kubeconfig);
  const slow = connect({ kubeconfig: proxy.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  return {
    stage,
    proxy,
    slowly: () => ({
      ...hubApply({ ...stage, ...warranted(stage.caches), kube: slow }),
      ...hubPublish({ ...stage, ...warranted(stage.caches), kube: slow }),
    }),
    holdUp: (isIt) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      proxy.fault((seen) => {
        if (!isIt(seen)) return undefined;
        resolve();
        return WAIT;
      });
      return { reached: promise, release: () => proxy.heal() };
    },
    stop: async () => {
      await slow.close();
      await proxy.stop();
      await stage.stop();
    },
  };
}

/** A Capp that refers to a Secret of its name, whose value is "old". */
export async function withSecret(stage: HubForTests, name: string): Promise<CappRef> {
  await stage.kube.create(SECRET, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: APPS, name },
    data: { value: btoa('old') },
  });
  return stage.make({ name, container: { envFrom: [{ secretRef: { name } }] } });
}

export function change(stage: HubForTests, name: string, value: string): Promise<unknown> {
  return stage.kube.patch(SECRET, { namespace: APPS, name }, { data: { value: btoa(value) } });
}

/** The value of that Secret in the Capp's work. */
export async function valueShipped(stage: HubForTests, ref: CappRef): Promise<string> {
  const secret = (await stage.work(ref))?.spec?.workload.manifests?.find(
    ({ kind }) => kind === 'Secret',
  ) as unknown as Secret;
  return atob(secret.data?.['value'] ?? '');
}
