// A hub for activity tests: a real API server with our CRDs and OCM's, the namespaces of two clusters, and
// the hub's activities.
import { hubApply } from '../../../../activities/hub/ship/apply.ts';
import { eventRecorder, type EventRecorder } from '../../../../activities/hub/status/events.ts';
import { hubCaches, type HubCaches } from '../../../../activities/hub/caches.ts';
import type { AuditedAct, Audit } from '../../../../activities/hub/audit/act.ts';
import { hubPublish } from '../../../../activities/hub/status/publish.ts';
import { hubRemove } from '../../../../activities/hub/retire/remove.ts';
import { hubRetire } from '../../../../activities/hub/retire/retire.ts';
import { hubTakeUp } from '../../../../activities/hub/site/take-up.ts';
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import {
  ADD_ON_PLACEMENT_SCORE,
  MANAGED_CLUSTER_SET,
  MANAGED_CLUSTER_SET_BINDING,
  PLACEMENT,
  PLACEMENT_DECISION,
} from '../../../../crds/ocm/placements.ts';
import { allSynced, stopAll } from '../../../../kube/watch/cache.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import { withApplied } from '../../../../workflows/capp/after/apply.ts';
import type { Hub } from '../../../../workflows/ports/hub.ts';
import type { Applied } from '../../../../workflows/ports/applied.ts';
import type { CappRef, State } from '../../../../workflows/capp/state.ts';
import { startApiServer, type ApiServerOptions } from '../../servers/api/api-server.ts';
import { capp, type CappOptions } from '../../../../testbed/capps.ts';
import { groundOf } from '../../servers/api/definitions.ts';
import { API_TIMEOUT_MS } from '../../../../testbed/eventually.ts';
import { clientAs } from '../../servers/api/identities.ts';
import { aPlacing } from '../../builders/states.ts';
import { warranted, writeDecision } from './warranted.ts';

export interface HubForTests {
  /** Leads to its API server as an administrator. */
  readonly kubeconfig: string;
  readonly kube: Kube;
  readonly caches: HubCaches;
  readonly events: EventRecorder;
  /** Notes in `acts`. */
  readonly audit: Audit;
  readonly acts: readonly AuditedAct[];
  readonly hub: Pick<Hub, 'apply' | 'publish' | 'retire' | 'remove' | 'find' | 'takeUp'>;
  /** Creates a Capp in namespace `apps` and says how a workflow would refer to it. */
  make(options: Omit<CappOptions, 'namespace'>): Promise<CappRef>;
  /** Ships it to `site-1`; with what a workflow would know afterwards. */
  ship(ref: CappRef, state?: State): Promise<{ applied: Applied; state: State }>;
  read(ref: CappRef): Promise<Capp>;
  work(ref: CappRef, cluster?: string): Promise<ManifestWork | null>;
  /** The cluster's work agent says that it has applied the Capp's work. */
  taken(ref: CappRef, cluster?: string): Promise<void>;
  /** A client that the hub knows by this name. */
  as(name: string): Promise<Kube>;
  stop(): Promise<void>;
}

export const APPS = 'apps';

const FOREIGN = [
  MANIFEST_WORK,
  PLACEMENT,
  PLACEMENT_DECISION,
  MANAGED_CLUSTER,
  MANAGED_CLUSTER_SET,
  MANAGED_CLUSTER_SET_BINDING,
  ADD_ON_PLACEMENT_SCORE,
] as const;

export async function startHub(options: ApiServerOptions = {}): Promise<HubForTests> {
  const server = await startApiServer({ ground: groundOf(FOREIGN), ...options });
  const kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  const namespaces = [APPS, 'site-1', 'site-2', 'placements', 'rcs-deployer-system'];
  for (const name of namespaces)
    await kube.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await writeDecision(kube);
  const read = async ({ namespace, name }: CappRef): Promise<Capp> => {
    const found = await kube.get<Capp>(CAPP, { namespace, name });
    if (found === null) throw new Error(`There is no Capp ${namespace}/${name}`);
    return found;
  };
  const caches = hubCaches(kube, () => undefined);
  await allSynced(caches);
  const events = eventRecorder(kube);
  const acts: AuditedAct[] = [];
  const audit: Audit = (act) => void acts.push(act);
  const onWorks = {
    ...hubRetire({ kube, caches, audit }),
    ...hubRemove({ kube, audit, ...warranted(caches) }),
    ...hubTakeUp({ kube, caches }),
  };
  const press = { kube, events, audit, ...warranted(caches) };
  const hub = { ...hubApply(press), ...hubPublish(press), ...onWorks };
  return {
    taken: async ({ namespace, name }, cluster = 'site-1') => {
      const facts = { reason: 'Test', message: '', lastTransitionTime: '2026-03-01T12:00:00Z' };
      const status = { conditions: [{ type: 'Applied', status: 'True', ...facts }] };
      await kube.patch(
        MANIFEST_WORK,
        { namespace: cluster, name: `mw-create-${namespace}-${name}` },
        { status },
        { subresource: 'status' },
      );
    },
    kubeconfig: server.kubeconfig,
    kube,
    caches,
    events,
    audit,
    acts,
    hub,
    ship: async (ref, state = aPlacing(ref)) => {
      const applied = await hub.apply(ref, 'site-1', state, null);
      return { applied, state: withApplied(state, 'site-1', applied) };
    },
    make: async (options) => {
      const { metadata } = await kube.create<Capp>(CAPP, capp({ namespace: APPS, ...options }));
      return { namespace: APPS, name: metadata.name, uid: metadata.uid ?? '' };
    },
    read,
    work: ({ namespace, name }, cluster = 'site-1') =>
      kube.get<ManifestWork>(MANIFEST_WORK, { namespace: cluster, name: `mw-create-${namespace}-${name}` }),
    as: (name) => clientAs(server, name),
    stop: async () => {
      await stopAll(caches);
      await kube.close();
      await server.stop();
    },
  };
}
