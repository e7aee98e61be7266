// The keys that seal task tokens: in a Secret, which all gateways of a hub share and the first one makes.
import { createSecretKey, randomBytes } from 'node:crypto';
import { GATEWAY_KEYS } from '../crds/hub/agent-identity.ts';
import { SECRET, type Secret } from '../crds/kubernetes/core.ts';
import type { Kube } from '../kube/client.ts';
import { isAlreadyExists, isConflict } from '../kube/failure.ts';
import type { SealKey, SealKeys } from './seal.ts';
import { GATEWAY_TIMES } from './times.ts';

export interface SharedKeys extends SealKeys {
  /** Reads them anew, and makes a new one when its time has come; call it at intervals. Throws ApiError. */
  refresh(): Promise<void>;
}

interface Kept {
  readonly current: SealKey;
  readonly former: SealKey | null;
  /** When `current` was made, in milliseconds since the epoch. */
  readonly madeAt: number;
}

const ID_BYTES = 4;
const SECRET_BYTES = 32;
const TRIES = 5;

/**
 * Replicas may make keys at the same time: whose write comes second takes what the first one wrote. Throws
 * ApiError, or an Error when the Secret keeps changing.
 */
export async function sharedKeys(
  kube: Pick<Kube, 'get' | 'create' | 'patch'>,
  { namespace, now = Date.now }: { readonly namespace: string; readonly now?: () => number },
): Promise<SharedKeys> {
  let kept = await settled(kube, namespace, now);
  let readAt = now();
  const refresh = async (): Promise<void> => {
    kept = await settled(kube, namespace, now);
    readAt = now();
  };
  const known = (id: Buffer): SealKey | null =>
    [kept.current, kept.former].find((key) => key?.id.equals(id) === true) ?? null;
  return {
    refresh,
    current: () => kept.current,
    find: async (id) => {
      // A forged id makes nobody read more often than this.
      if (known(id) === null && now() - readAt >= GATEWAY_TIMES.keysRead.ms) await refresh();
      return known(id);
    },
  };
}

async function settled(
  kube: Pick<Kube, 'get' | 'create' | 'patch'>,
  namespace: string,
  now: () => number,
): Promise<Kept> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const found = await kube.get<Secret>(SECRET, { namespace, name: GATEWAY_KEYS });
    const kept = found === null ? null : keptOf(found);
    if (kept !== null && now() - kept.madeAt < GATEWAY_TIMES.keyLife.ms) return kept;
    const next = { current: newKey(), former: kept?.current ?? null, madeAt: now() };
    if (await write(kube, namespace, next, found)) return next;
  }
  throw new Error(
    `Secret ${namespace}/${GATEWAY_KEYS} keeps changing while the gateway writes it: find out who else writes it`,
  );
}

function newKey(): SealKey {
  return { id: randomBytes(ID_BYTES), secret: createSecretKey(randomBytes(SECRET_BYTES)) };
}

/** Null for a Secret that holds no usable key: it is replaced. */
function keptOf({ data = {} }: Secret): Kept | null {
  const current = keyOf(data['current']);
  const madeAt = Number(Buffer.from(data['madeAt'] ?? '', 'base64').toString('latin1'));
  return current === null || !Number.isFinite(madeAt)
    ? null
    : { current, former: keyOf(data['former']), madeAt };
}

function keyOf(text: string | undefined): SealKey | null {
  const bytes = Buffer.from(text ?? '', 'base64');
  if (bytes.length !== ID_BYTES + SECRET_BYTES) return null;
  return { id: bytes.subarray(0, ID_BYTES), secret: createSecretKey(bytes.subarray(ID_BYTES)) };
}

/** False when another replica wrote first. */
async function write(
  kube: Pick<Kube, 'create' | 'patch'>,
  namespace: string,
  { current, former, madeAt }: Kept,
  found: Secret | null,
): Promise<boolean> {
  const textOf = (key: SealKey | null): string =>
    key === null ? '' : Buffer.concat([key.id, key.secret.export()]).toString('base64');
  const data = {
    current: textOf(current),
    former: textOf(former),
    madeAt: Buffer.from(String(madeAt)).toString('base64'),
  };
  const metadata = { namespace, name: GATEWAY_KEYS };
  try {
    if (found === null) await kube.create<Secret>(SECRET, { metadata, type: 'Opaque', data });
    else {
      const { resourceVersion = '' } = found.metadata;
      await kube.patch(SECRET, metadata, { metadata: { resourceVersion }, data });
    }
    return true;
  } catch (error) {
    if (isConflict(error) || isAlreadyExists(error)) return false;
    throw error;
  }
}
