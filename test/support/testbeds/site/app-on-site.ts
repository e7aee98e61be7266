// One app on a site with the real data plane: its Knative Service, its Pods, and requests to it from outside.
import { setTimeout as pause } from 'node:timers/promises';
import { POD } from '../../../../crds/kubernetes/core.ts';
import { KNATIVE_SERVICE } from '../../../../crds/kubernetes/knative.ts';
import { askApp, type AppAnswer } from '../../../../deploy/local/cappstan/ask.ts';
import { appHost } from '../../../../deploy/local/kubernetes/knative.ts';
import type { StandInPod } from '../../../../deploy/local/standins/pods/pod.ts';
import type { Address } from '../../../../deploy/local/supervise/process-spec.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { eventually } from '../../../../testbed/eventually.ts';

export const KEY = { namespace: 'default', name: 'hello' };
export const WITHIN = { withinMs: 180_000, everyMs: 100 };
const ANSWER_WITHIN_MS = 60_000;

export interface AppOnSite {
  ask(path?: string): Promise<AppAnswer>;
  /** The Knative Service with this image, unless `more` has a template. */
  write(image: string, more?: Readonly<Record<string, unknown>>): Promise<void>;
  untilAnswered(image: string): Promise<AppAnswer>;
  readyPods(): Promise<string[]>;
  untilPods(count: number): Promise<true>;
  /** Asks again and again while `meanwhile` runs. Returns what was answered, status and image. */
  whileAsking(meanwhile: () => Promise<unknown>): Promise<Set<string>>;
}

/** `address`: of the site's ingress. */
export function appOnSite(site: string, kube: Kube, address: Address): AppOnSite {
  const ask = (path = '/'): Promise<AppAnswer> => askApp(address, appHost(KEY, site), ANSWER_WITHIN_MS, path);
  const readyPods = (): Promise<string[]> => readyPodsOn(kube);
  return {
    ask,
    write: async (image, more = {}) => {
      const object: KubeObject & { readonly spec: unknown } = {
        apiVersion: KNATIVE_SERVICE.apiVersion,
        kind: KNATIVE_SERVICE.kind,
        metadata: KEY,
        spec: { template: { spec: { containers: [{ image }] } }, ...more },
      };
      await kube.apply(KNATIVE_SERVICE, object, { fieldManager: 'test', force: true });
    },
    untilAnswered: (image) =>
      eventually(async () => {
        const answer = await ask();
        return answer.headers['stand-in-image'] === image ? answer : undefined;
      }, WITHIN),
    readyPods,
    untilPods: (count) =>
      eventually(async () => ((await readyPods()).length === count ? (true as const) : undefined), WITHIN),
    whileAsking: async (meanwhile) => {
      const answers = new Set<string>();
      const over = new AbortController();
      const asking = (async () => {
        while (!over.signal.aborted) {
          const { status, headers } = await ask();
          answers.add(`${status} ${String(headers['stand-in-image'])}`);
          await pause(20);
        }
      })();
      await Promise.all([asking, meanwhile().finally(() => over.abort())]);
      return answers;
    },
  };
}

async function readyPodsOn(kube: Kube): Promise<string[]> {
  const { items } = await kube.list<StandInPod & KubeObject>(POD, { namespace: KEY.namespace });
  return items
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .filter(({ status }) => status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True'))
    .map(({ metadata }) => metadata.name);
}
