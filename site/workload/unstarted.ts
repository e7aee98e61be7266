// Notices a revision of which no container starts: a kubelet that waits for a volume, such as one of an NFS
// server that does not answer, says so in events alone.
import type { Capp } from '../../crds/capp/capp.ts';
import type { ContainerStatus, Pod } from '../../crds/kubernetes/core.ts';
import type { KnativeRevision } from '../../crds/kubernetes/knative.ts';
import { SITE_TIMES } from '../times.ts';
import { lasting, type Lasting, type Wake } from './lasting.ts';
import { podsOf } from './revision.ts';

export interface Unstarted {
  /** The Pod of the Capp's newest revision none of whose containers has started for too long, or null. */
  of(key: string, revision: KnativeRevision | undefined, pods: readonly Pod[]): string | null;
  forget: Lasting['forget'];
}

export function unstarted(wake: Wake, now?: () => number): Unstarted {
  const found = lasting(SITE_TIMES.containersSilent.ms, wake, now);
  return {
    of: (key, revision, pods) => {
      const own = revision === undefined ? [] : podsOf(revision, pods);
      const waiting = own.every(isWaiting) ? own[0] : undefined;
      const name = waiting?.metadata.name ?? null;
      return found.of(key, name) ? name : null;
    },
    forget: found.forget,
  };
}

/** What a kubelet says of a container until it has the volumes and the image. */
const BEFORE: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

function isWaiting({ status }: Pod): boolean {
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return all.length > 0 && all.every((one: ContainerStatus) => BEFORE.has(one.state?.waiting?.reason ?? ''));
}

/** Names and servers are the user's own, and may be long: a condition of the hub has 256 characters. */
const LONGEST = 24;

/** For the Capp's user. */
export function unstartedMessage({ spec }: Capp, pod: string): string {
  const [volume] = spec.volumesSpec?.nfsVolumes ?? [];
  const asked =
    volume === undefined
      ? '.'
      : `: does ${cut(volume.server)} of spec.volumesSpec.nfsVolumes[${cut(volume.name)}] answer?`;
  return `No container of Pod ${pod} starts. It waits for its image, or for a volume${asked} Its events say for which.`;
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
