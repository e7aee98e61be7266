// ClusterJoins of any spec on the hub of declared-joins.ts: what each says after a turn of the hub worker,
// and the line beside it.
import { hubJoins } from '../../../../activities/hub/join/approve.ts';
import { tokenKey } from '../../../../crds/join/bootstrap-token.ts';
import { CLUSTER_JOIN, type ClusterJoin } from '../../../../crds/join/cluster-join.ts';
import { parseJoinLine, type JoinLine } from '../../../../crds/join/join-line.ts';
import { NAMESPACE, SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../../kube/client.ts';
import { declaredJoins, ROOM } from './declared-joins.ts';

const DECLARED = { namespaces: [ROOM], clusterSets: ['edge'] };

/** The state and the reason. */
export const saysOf = ({ status }: ClusterJoin): string =>
  `${status?.state ?? ''} ${status?.conditions?.[0]?.reason ?? ''}`;
export const keyOf = ({ metadata }: ClusterJoin) => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});
export const lineKey = (join: ClusterJoin) => ({ ...keyOf(join), name: `${join.metadata.name}-join` });

/**
 * Opens a hub for the tests of a file, with the namespace `elsewhere`, whose ClusterJoins do not count. Call
 * it once.
 */
export function joinLines() {
  const { hub } = declaredJoins();
  let names = 0;

  beforeAll(async () => {
    await hub.kube.create(NAMESPACE, { metadata: { name: 'elsewhere' } });
  });

  async function declare(more: Partial<ClusterJoin['spec']> = {}, namespace = ROOM): Promise<ClusterJoin> {
    names += 1;
    const name = `edge-${names}`;
    return hub.kube.create<ClusterJoin>(CLUSTER_JOIN, {
      metadata: { namespace, name },
      spec: { cluster: name, ...more },
    });
  }
  const read = (join: ClusterJoin): Promise<ClusterJoin | null> =>
    hub.kube.get<ClusterJoin>(CLUSTER_JOIN, keyOf(join));
  const joinsBy = (kube: Kube = hub.kube, now = Date.now()) =>
    hubJoins({ kube, declared: DECLARED, now: () => now });
  /** One turn. Nothing that it tells is a token. */
  const settle = async (join: ClusterJoin, now?: number): Promise<ClusterJoin> => {
    const told = await joinsBy(hub.kube, now).settleDeclared(join.spec.cluster);
    expect(JSON.stringify(told)).not.toMatch(/[a-z0-9]{6}\.[a-z0-9]{16}/);
    return (await read(join)) ?? join;
  };
  async function lineOf(join: ClusterJoin): Promise<JoinLine | null> {
    const secret = await hub.kube.get<Secret>(SECRET, lineKey(join));
    return secret === null
      ? null
      : parseJoinLine(Buffer.from(secret.data?.['line'] ?? '', 'base64').toString());
  }
  const isToken = async (id = ''): Promise<boolean> =>
    (await hub.kube.getMetadata(SECRET, tokenKey(id))) !== null;

  return { hub, declare, read, joinsBy, settle, lineOf, isToken };
}
