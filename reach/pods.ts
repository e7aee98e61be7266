// Which Pods of a site are a Capp's, and what people are told of them. Pure.
import { ROLLOUT } from '../crds/labels.ts';
import type { ContainerStatus, Pod } from '../crds/kubernetes/core.ts';
import { KNATIVE_REVISION_LABEL, KNATIVE_SERVICE_LABEL, QUEUE_PROXY } from '../crds/kubernetes/knative.ts';
import type { KubeObject } from '../kube/resource.ts';
import { NAME } from './names.ts';

export interface ReachedPod {
  readonly site: string;
  readonly name: string;
  readonly revision: string | null;
  readonly phase: string;
  readonly ready: boolean;
  readonly restarts: number;
  /** RFC 3339. */
  readonly createdAt: string | null;
  readonly containers: readonly string[];
  /**
   * Of each container, Knative's own too. Absent unless asked for, and from a reader of an earlier version;
   * null where the site does not know.
   */
  readonly usage?: readonly ContainerUsage[] | null;
}

export interface ContainerUsage {
  readonly name: string;
  /** Thousandths of a core. */
  readonly cpuMillis: number;
  readonly memoryBytes: number;
}

/** The Capp's sites by its live status: where it serves first, and during a move two. */
export function sitesOf(
  status:
    | {
        readonly sites?: readonly { readonly clusterName: string; readonly role: string }[];
        readonly applicationLinks?: { readonly site?: string };
      }
    | undefined,
): string[] {
  const sites = status?.sites ?? [];
  const order = [...sites].toSorted((a, b) => rank(a.role) - rank(b.role)).map((one) => one.clusterName);
  const link = status?.applicationLinks?.site;
  const all = order.length > 0 || link === undefined ? order : [link];
  // A name becomes part of a path.
  return all.filter((name) => NAME.test(name));
}

function rank(role: string): number {
  return role === 'Serving' ? 0 : role === 'Coming' ? 1 : 2;
}

/**
 * Whether what a site has under the Capp's name was shipped by this hub for this very Capp: a namespace of a
 * site may belong to another hub, or to people of the site.
 */
export function isCopyOf(copy: KubeObject, { metadata: { uid = '' } }: KubeObject): boolean {
  return uid !== '' && (copy.metadata.annotations?.[ROLLOUT] ?? '').split('/', 1)[0] === uid;
}

/** Those of the answer that say themselves that they are the Capp's, whatever was asked for. */
export function podsOf(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  found: readonly Pod[],
): Pod[] {
  return found.filter(
    ({ metadata }) => metadata.namespace === namespace && metadata.labels?.[KNATIVE_SERVICE_LABEL] === name,
  );
}

/** A container whose log can be read, and which run of it this is. */
export interface Source {
  readonly pod: string;
  readonly container: string;
  /** Different for each run of the container. */
  readonly id: string;
  readonly hasEnded: boolean;
}

/** Without `container`: those of the app. Containers that have not started have no log yet. */
export function sourcesIn({ metadata, spec, status }: Pod, container: string | null): Source[] {
  const names = (spec?.containers ?? []).map(({ name }) => name);
  const wanted = names.filter((name) => (container === null ? name !== QUEUE_PROXY : name === container));
  return wanted.flatMap((name) => {
    const state = status?.containerStatuses?.find((one) => one.name === name);
    if (state === undefined || !hasStarted(state)) return [];
    return {
      pod: metadata.name,
      container: name,
      id: `${metadata.uid ?? ''}/${name}/${state.restartCount ?? 0}`,
      hasEnded: state.state?.terminated !== undefined,
    };
  });
}

function hasStarted({ state, restartCount = 0 }: ContainerStatus): boolean {
  return state?.waiting === undefined || restartCount > 0;
}

export function reached(site: string, { metadata, spec, status }: Pod): ReachedPod {
  const ready = status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true;
  const { deletionTimestamp, creationTimestamp, labels } = metadata;
  return {
    site,
    name: metadata.name,
    revision: labels?.[KNATIVE_REVISION_LABEL] ?? null,
    phase: deletionTimestamp === undefined ? (status?.phase ?? 'Unknown') : 'Terminating',
    ready,
    restarts: (status?.containerStatuses ?? []).reduce((sum, one) => sum + (one.restartCount ?? 0), 0),
    createdAt: creationTimestamp ?? null,
    containers: (spec?.containers ?? []).map(({ name }) => name).filter((name) => name !== QUEUE_PROXY),
  };
}
