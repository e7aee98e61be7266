// The key with which this hub draws ephemeral keys to seal Secrets: made once, in a Secret of the hub. It
// opens nothing: what is sealed opens with a site's key alone.
import { randomBytes } from 'node:crypto';
import { MANAGED_BY, MANAGED_BY_HUB } from '../../../crds/labels.ts';
import { SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../kube/client.ts';
import { isAlreadyExists } from '../../../kube/failure.ts';

/** The name of the Secret. */
export const HUB_KEY = 'cappstan-hub-sealing';

const FIELD = 'key';
const BYTES = 32;

/**
 * Read each time: of two workers that keep different keys in memory, each would write what the other has
 * sealed. Where it is missing it is made, once, whoever is first; what was sealed is then sealed again.
 * Throws ApiError, and an Error if somebody has put something else there.
 */
export async function hubKey(kube: Pick<Kube, 'get' | 'create'>, namespace: string): Promise<Buffer> {
  const known = await kube.get<Secret>(SECRET, { namespace, name: HUB_KEY });
  if (known !== null) return keyIn(known, namespace);
  const metadata = { namespace, name: HUB_KEY, labels: { [MANAGED_BY]: MANAGED_BY_HUB } };
  const data = { [FIELD]: randomBytes(BYTES).toString('base64') };
  try {
    const made = { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data };
    return keyIn(await kube.create<Secret>(SECRET, made), namespace);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const others = await kube.get<Secret>(SECRET, { namespace, name: HUB_KEY });
  return keyIn(others, namespace);
}

/** It has sealed before. Throws ApiError. */
export async function hasHubKey(kube: Pick<Kube, 'get'>, namespace: string): Promise<boolean> {
  return (await kube.get<Secret>(SECRET, { namespace, name: HUB_KEY })) !== null;
}

function keyIn(secret: Secret | null, namespace: string): Buffer {
  const key = Buffer.from(secret?.data?.[FIELD] ?? '', 'base64');
  if (key.length === BYTES) return key;
  throw new Error(
    `Secret ${namespace}/${HUB_KEY} has no key of ${BYTES} bytes. Delete it: the hub worker makes another.`,
  );
}
