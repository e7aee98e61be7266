// ClusterJoins on a real API server: somebody declares them, the hub worker takes its turns, and a test looks
// at what they say.
import { hubJoins } from '../../../../activities/hub/join/approve.ts';
import { CLUSTER_JOIN_DEFINITION } from '../../../../crds/definitions/definitions.ts';
import { tokenKey } from '../../../../crds/join/bootstrap-token.ts';
import { CLUSTER_INFO, clusterInfoMap } from '../../../../crds/join/cluster-info.ts';
import { CLUSTER_JOIN, type ClusterJoin } from '../../../../crds/join/cluster-join.ts';
import { FOR_CLUSTER } from '../../../../crds/join/labels.ts';
import {
  CONFIG_MAP,
  NAMESPACE,
  SECRET,
  type ConfigMap,
  type Secret,
} from '../../../../crds/kubernetes/core.ts';
import { endpointOf } from '../../../../kube/http/credentials.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import type { DeclaredTurn } from '../../../../workflows/join/port.ts';
import { serve } from '../../servers/api/definitions.ts';
import { joinTestbed } from './join.ts';

/** The namespace whose ClusterJoins count. */
export const ROOM = 'joins';

/** What one says after a turn: its state and reason, and the sentence. */
export interface Settled {
  readonly told: DeclaredTurn;
  readonly says: string;
  readonly message: string;
}

/** Opens a hub for the tests of a file, on which kube-public says where it is. Call it once, at the top. */
export function declaredJoins() {
  const hub = joinTestbed();
  let names = 0;

  beforeAll(async () => {
    await serve(hub.kube, CLUSTER_JOIN_DEFINITION, CLUSTER_JOIN);
    for (const name of [ROOM, CLUSTER_INFO.namespace])
      await hub.kube.create(NAMESPACE, { metadata: { name } }).catch(() => undefined);
  });
  beforeEach(async () => {
    await hub.kube.remove(CONFIG_MAP, CLUSTER_INFO);
    await hub.kube.create<ConfigMap>(CONFIG_MAP, await info());
  });

  async function info(): Promise<ConfigMap> {
    const { ca = '' } = (await endpointOf({ kubeconfig: hub.kubeconfig }).credentials()).tls;
    return clusterInfoMap({ server: 'https://hub.example:6443', ca: String(ca) });
  }

  async function declare(labels: Readonly<Record<string, string>> = {}): Promise<ClusterJoin> {
    names += 1;
    const name = `edge-${names}`;
    const join = { metadata: { namespace: ROOM, name }, spec: { cluster: name, labels } };
    return hub.kube.create<ClusterJoin>(CLUSTER_JOIN, join, { quotesRefusal: true });
  }

  const keyOf = ({ metadata: { name } }: ClusterJoin) => ({ namespace: ROOM, name });
  const turn = ({ spec }: ClusterJoin): Promise<DeclaredTurn> =>
    hubJoins({ kube: hub.kube, declared: { namespaces: [ROOM], clusterSets: [] } }).settleDeclared(
      spec.cluster,
    );

  async function settled(given: ClusterJoin): Promise<Settled> {
    const told = await turn(given);
    const { status } = (await hub.kube.get<ClusterJoin>(CLUSTER_JOIN, keyOf(given))) ?? {};
    const { reason = '', message = '' } = status?.conditions?.[0] ?? {};
    return { told, says: `${status?.state ?? ''} ${reason}`, message };
  }

  async function tokensFor({ spec }: ClusterJoin): Promise<readonly KubeObject[]> {
    const { items } = await hub.kube.list<KubeObject>(SECRET, { namespace: 'kube-system' });
    return items.filter(({ metadata }) => metadata.annotations?.[FOR_CLUSTER] === spec.cluster);
  }

  /** Somebody comes with the token that was made for it. The hint by which the hub worker hears of that. */
  async function comesBy(join: ClusterJoin): Promise<{ readonly request: string; readonly token: string }> {
    const [token] = await tokensFor(join);
    const id = token?.metadata.name.replace('bootstrap-token-', '') ?? '';
    const secret = await hub.kube.get<Secret & KubeObject>(SECRET, tokenKey(id));
    const text = { id, secret: Buffer.from(secret?.data?.['token-secret'] ?? '', 'base64').toString() };
    const request = await hub.asks(text, { cluster: join.spec.cluster });
    return { request: request.metadata.name, token: id };
  }

  return { hub, info, declare, keyOf, turn, settled, tokensFor, comesBy };
}
