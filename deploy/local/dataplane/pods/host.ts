// Runs the Pods of revisions as processes, for the kubelet of a site with the real data plane.
import { keyOf, keyText, type Key } from '../../../../kube/resource.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { Network, Sandbox } from '../network/sandbox.ts';
import type { PodHost } from '../../standins/pods/kubelet.ts';
import type { StandInPod } from '../../standins/pods/pod.ts';
import type { Values } from './environment.ts';
import { runPod, type PodRun } from './pod-run.ts';
import { mayRun, withProcesses } from './status.ts';
import { valuesFor } from './values.ts';

/** As Kubernetes' default for terminationGracePeriodSeconds. */
const GRACE_SECONDS = 30;

export interface HostOptions {
  readonly kube: Pick<Kube, 'get'>;
  readonly site: string;
  readonly network: Network;
  /** The file that gets the output of all programs. */
  readonly log: string;
  readonly onProblem: (error: unknown) => void;
}

interface Held {
  readonly uid: string | undefined;
  /** Null until its sandbox is there. */
  run: PodRun | null;
  isEnding: boolean;
  readonly started: Promise<void>;
}

/** The values first: a sandbox that nobody uses would stay. */
async function begin(
  pod: StandInPod,
  { kube, network }: HostOptions,
): Promise<{ readonly sandbox: Sandbox; readonly values: Values }> {
  const values = await valuesFor(kube, pod);
  return { sandbox: await network.newSandbox(), values };
}

export function podHost(options: HostOptions, onChange: (key: Key) => void): PodHost {
  const held = new Map<string, Held>();

  const start = (pod: StandInPod): Held => {
    const key = keyOf(pod);
    const onPodChange = (): void => onChange(key);
    const one: Held = {
      uid: pod.metadata.uid,
      run: null,
      isEnding: false,
      started: begin(pod, options).then(
        ({ sandbox, values }) => {
          one.run = runPod(pod, { ...options, sandbox, values, onChange: onPodChange });
          onPodChange();
        },
        (error: unknown) => {
          options.onProblem(error);
          held.delete(keyText(key));
        },
      ),
    };
    return one;
  };

  const end = (text: string, one: Held, pod: StandInPod | undefined): void => {
    if (one.isEnding) return;
    one.isEnding = true;
    const graceMs = (pod?.metadata.deletionGracePeriodSeconds ?? GRACE_SECONDS) * 1000;
    one.started
      .then(() => one.run?.end(graceMs))
      .catch(options.onProblem)
      .finally(() => {
        held.delete(text);
        const [namespace = '', name = ''] = text.split('/');
        onChange({ namespace, name });
      });
  };

  return {
    statusOf: (pod, status) => {
      const text = keyText(keyOf(pod));
      const before = held.get(text);
      // A Pod that was deleted and made again with the same name waits for the end of the first.
      if (before !== undefined && before.uid !== pod.metadata.uid) end(text, before, undefined);
      if (before === undefined && mayRun(status)) held.set(text, start(pod));
      const processes = before?.uid === pod.metadata.uid ? (before?.run?.view() ?? null) : null;
      return withProcesses(pod, status, { processes, now: Date.now() });
    },
    hasEnded: (key, pod) => {
      const one = held.get(keyText(key));
      if (one !== undefined) end(keyText(key), one, pod);
      return one === undefined;
    },
  };
}
