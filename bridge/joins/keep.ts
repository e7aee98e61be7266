// Keeps a workflow for each cluster that joins: rings it when the cluster, a certificate request under its
// name, its token or its add-on changes, and starts it if there is something to accept, or to note of its
// name.
import type { Client } from '@temporalio/client';
import { boundOf, tokenKey } from '../../crds/join/bootstrap-token.ts';
import { CLUSTER_JOIN, isSettledJoin, type ClusterJoin } from '../../crds/join/cluster-join.ts';
import { CLUSTER_INFO } from '../../crds/join/cluster-info.ts';
import { CLUSTER_NAME, clusterAskedFor, SIGNING_REQUEST } from '../../crds/join/signing-request.ts';
import { JOIN_TOKEN } from '../../crds/join/labels.ts';
import { recordIn, recordKey, RECORDS_NAMESPACE } from '../../crds/join/name-record.ts';
import { isMember } from '../../crds/ocm/ocm.ts';
import type { Kube } from '../../kube/client.ts';
import { keyText, keyTextOf, type KubeObject } from '../../kube/resource.ts';
import { slim } from '../../crds/kubernetes/slim.ts';
import { cache, withoutManagedFields, type Cache, type OnProblem } from '../../kube/watch/cache.ts';
import { optional, type Optional } from '../../kube/watch/optional.ts';
import { rungFor } from '../../workflows/types/ring.ts';
import { ring as ringSignal } from '../../workflows/messages.ts';
import { clusterOfJoinWorkflowId, JOIN_WORKFLOW, joinWorkflowId } from '../../workflows/names.ts';
import type { BridgeWatched } from '../changes/watched.ts';
import { keep, type WorkflowKeeper, type WorkflowKind } from '../kept/keep.ts';

export type JoinsWatched = Pick<BridgeWatched, 'clusters' | 'agents' | 'secrets'> & {
  readonly requests: Pick<Cache<KubeObject>, 'list' | 'subscribe'>;
  /** Those of the hub: one of them says where it is, and others whose names are kept. */
  readonly configMaps?: Pick<Cache<KubeObject>, 'get' | 'list' | 'subscribe'>;
  /** ClusterJoins; absent where nobody comes by a token. */
  readonly declared?: Pick<Optional<ClusterJoin>, 'list' | 'subscribe'> | null;
};

/** Of requests the bridge asks for metadata only: it decides nothing. */
export function watchRequests(kube: Kube, onProblem: OnProblem): Cache<KubeObject> {
  return cache<KubeObject>(kube, {
    resource: SIGNING_REQUEST,
    labelSelector: CLUSTER_NAME,
    metadataOnly: true,
    transform: slim,
    onProblem: (error) => onProblem(SIGNING_REQUEST.kind, error),
  });
}

/** The chart brings the kind where joins.namespaces names any, and it stays after that. */
export function watchDeclared(kube: Kube, onProblem: OnProblem): Optional<ClusterJoin> {
  return optional<ClusterJoin>(kube, {
    resource: CLUSTER_JOIN,
    transform: withoutManagedFields,
    onProblem: (error) => onProblem(CLUSTER_JOIN.kind, error),
  });
}

/** Has workflows started for clusters that join, and rings those whose cluster is gone. */
export function keepJoins(
  client: Pick<Client, 'workflow'>,
  watched: JoinsWatched,
  onError: (cluster: string, error: unknown) => void,
): WorkflowKeeper {
  return keep(client, keptJoins(watched), (id, error) => onError(clusterOfJoinWorkflowId(id) ?? id, error));
}

function keptJoins(watched: JoinsWatched): WorkflowKind {
  const { clusters, configMaps, declared } = watched;
  return {
    type: JOIN_WORKFLOW,
    earlierTypes: [],
    isOwn: (id) => clusterOfJoinWorkflowId(id) !== null,
    due: (running, isFirst) => {
      const names = [
        ...clusters.list().map(({ metadata }) => metadata.name),
        ...(declared?.list() ?? []).map(({ spec }) => spec.cluster),
      ];
      const ids = new Map(names.map((name) => [joinWorkflowId(name), name]));
      // Somebody may have asked while no bridge watched.
      const left = [...running].filter((id) => isFirst || !ids.has(id));
      const kept = (configMaps?.list(RECORDS_NAMESPACE) ?? []).map(({ metadata: { name } }) => name);
      const all = new Map([...ids, ...kept.map((name) => [joinWorkflowId(name), name] as const)]);
      const missing = [...all].filter(([id, cluster]) => !running.has(id) && isJoining(watched, cluster));
      return [...left, ...missing.map(([id]) => id)];
    },
    messageTo: (id) => {
      const cluster = clusterOfJoinWorkflowId(id) ?? '';
      const start = isJoining(watched, cluster) ? { args: [], summary: `${cluster} joins` } : null;
      return { signal: ringSignal.name, given: [rungFor('site')], start };
    },
    listen: (call) => {
      const ends = listenTo(watched, (cluster) => call(joinWorkflowId(cluster), {}));
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

function listenTo(
  { clusters, agents, secrets, requests, configMaps, declared }: JoinsWatched,
  call: (cluster: string) => void,
): (() => void)[] {
  return [
    clusters.subscribe(({ object }) => call(object.metadata.name)),
    agents.subscribe(({ object, initial }) => {
      if (!initial) call(object.metadata.namespace ?? '');
    }),
    secrets.subscribe(({ object, previous, initial }) => {
      for (const one of initial ? [] : [object, ...(previous === null ? [] : [previous])]) {
        const bound = boundOf(one);
        if (bound !== null) call(bound.cluster);
      }
    }),
    requests.subscribe(({ object, initial }) => {
      const cluster = initial ? null : clusterAskedFor(object);
      if (cluster !== null) call(cluster);
    }),
    ...(configMaps === undefined
      ? []
      : [
          configMaps.subscribe(({ object, initial }) => {
            if (initial || keyTextOf(object) !== keyText(CLUSTER_INFO)) return;
            for (const join of (declared?.list() ?? []).filter((one) => !isSettledJoin(one)))
              call(join.spec.cluster);
          }),
        ]),
    ...(declared === undefined || declared === null ? [] : [listenToDeclared(declared, call)]),
  ];
}

function listenToDeclared(
  declared: NonNullable<JoinsWatched['declared']>,
  call: (cluster: string) => void,
): () => void {
  return declared.subscribe(({ object }) => call(object.spec.cluster));
}

/**
 * There is something to do for a ClusterJoin, to accept (the cluster, or who comes with a token for it), or
 * to note: that it is accepted, or gone.
 */
function isJoining({ clusters, secrets, configMaps, declared }: JoinsWatched, cluster: string): boolean {
  const joins = declared?.list() ?? [];
  if (joins.some((join) => join.spec.cluster === cluster && !isSettledJoin(join))) return true;
  const known = clusters.get({ namespace: null, name: cluster });
  const record = recordIn(configMaps?.get(recordKey(cluster)));
  if (known === undefined) return record?.endsAt === null;
  if (configMaps !== undefined && isMember(known) && record?.uid !== known.metadata.uid) return true;
  const token = secrets.get(tokenKey(known.metadata.annotations?.[JOIN_TOKEN] ?? ''));
  return !isMember(known) || (token !== undefined && boundOf(token)?.cluster === cluster);
}
