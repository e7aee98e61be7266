// The Secret with the line for `cappstan join`, beside the ClusterJoin: the one place where the token is for
// people.
import {
  CLUSTER_JOIN,
  JOIN_LINE_TYPE,
  lineSecretName,
  type ClusterJoin,
} from '../../../crds/join/cluster-join.ts';
import { SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../kube/client.ts';
import { isAlreadyExists } from '../../../kube/failure.ts';
import { joinLineOf } from './token.ts';

export async function lineOf(kube: Kube, join: ClusterJoin): Promise<'absent' | 'ours' | 'foreign'> {
  const found = await kube.getMetadata(SECRET, keyOfLine(join));
  if (found === null) return 'absent';
  return found.metadata.ownerReferences?.some(({ uid }) => uid === join.metadata.uid) === true
    ? 'ours'
    : 'foreign';
}

/**
 * Asks whether its line may be written, and writes nothing. Throws ApiError; one that is there is no fault
 * here.
 */
export async function mayHandOut(
  kube: Kube,
  join: ClusterJoin,
  by: { readonly fieldManager: string },
): Promise<void> {
  try {
    await kube.create<Secret>(SECRET, secretOf(join, ''), { ...by, dryRun: true });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

/**
 * Writes nothing where the token is gone meanwhile, or the way to the hub: the next look sees that.
 */
export async function handOut(
  kube: Kube,
  join: ClusterJoin,
  id: string,
  by: { readonly fieldManager: string },
): Promise<void> {
  const line = await joinLineOf(kube, join.spec.cluster, id);
  if (line === undefined || line === null) return;
  try {
    await kube.create<Secret>(SECRET, secretOf(join, line), by);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

function secretOf(join: ClusterJoin, line: string): Secret {
  const { apiVersion, kind } = CLUSTER_JOIN;
  const { name, uid = '' } = join.metadata;
  return {
    metadata: { ...keyOfLine(join), ownerReferences: [{ apiVersion, kind, name, uid }] },
    type: JOIN_LINE_TYPE,
    data: { line: Buffer.from(line).toString('base64') },
  };
}

/** Somebody else's stays. */
export async function takeBack(kube: Kube, join: ClusterJoin): Promise<void> {
  const found = await kube.getMetadata(SECRET, keyOfLine(join));
  if (found === null || (await lineOf(kube, join)) !== 'ours') return;
  const { uid = '', resourceVersion = '' } = found.metadata;
  await kube.remove(SECRET, keyOfLine(join), { uid, resourceVersion });
}

function keyOfLine(join: ClusterJoin): { readonly namespace: string; readonly name: string } {
  return { namespace: join.metadata.namespace ?? '', name: lineSecretName(join) };
}
