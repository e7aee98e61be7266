// Task tokens leave the gateway sealed to one site: a token of Temporal is plain text, and whoever has one
// may complete its task.
import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';
import { denied } from './refusal.ts';
import type { CallingSite } from './site.ts';

export interface SealKey {
  /** Four bytes that tell keys apart. */
  readonly id: Buffer;
  /**
   * 32 bytes, for AES-256-GCM. From bytes, Node would make this object for each token, by way of an error.
   */
  readonly secret: KeyObject;
}

export interface SealKeys {
  /** The key to seal with. */
  current(): SealKey;
  /** The key with this id, read anew if need be: another replica may have sealed with a newer one. */
  find(id: Buffer): Promise<SealKey | null>;
}

/** A task that an agent got: its type of activity, and Temporal's token for it. */
export interface Task {
  readonly type: string;
  readonly token: Uint8Array;
}

const CIPHER = 'aes-256-gcm';
const ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const LEAST_BYTES = ID_BYTES + NONCE_BYTES + TAG_BYTES + 1;
/** Far above what Temporal's tokens take. */
const MOST_BYTES = 4_096;

/** Only `unseal` for the same site and the same ServiceAccount opens it. */
export function seal({ id, secret }: SealKey, site: CallingSite, { type, token }: Task): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, secret, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(boundTo(site));
  const plain = Buffer.concat([Buffer.from([type.length]), Buffer.from(type, 'latin1'), token]);
  return Buffer.concat([id, nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Throws a GatewayRefusal (PERMISSION_DENIED) for everything but what a gateway sealed for this site and this
 * ServiceAccount: a token of Temporal itself, one of another site, one with a changed bit, one that is too
 * old.
 */
export async function unseal(keys: SealKeys, site: CallingSite, sealed: Uint8Array): Promise<Task> {
  // An empty field is decoded as an array.
  const bytes = Buffer.from(sealed);
  if (bytes.length < LEAST_BYTES || bytes.length > MOST_BYTES) throw foreign();
  const key = await keys.find(bytes.subarray(0, ID_BYTES));
  if (key === null) throw foreign();
  const decipher = createDecipheriv(CIPHER, key.secret, bytes.subarray(ID_BYTES, ID_BYTES + NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(boundTo(site));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const plain = opened(decipher, bytes.subarray(ID_BYTES + NONCE_BYTES, -TAG_BYTES));
  const end = 1 + (plain[0] ?? 0);
  return { type: plain.subarray(1, end).toString('latin1'), token: plain.subarray(end) };
}

function opened(decipher: ReturnType<typeof createDecipheriv>, bytes: Buffer): Buffer {
  try {
    return Buffer.concat([decipher.update(bytes), decipher.final()]);
  } catch {
    throw foreign();
  }
}

const foreign = () => denied('This task token was not given to this site, or is too old.');

/** Names have no line breaks, so that no two sites are bound to the same bytes. */
function boundTo({ cluster, account }: CallingSite): Buffer {
  return Buffer.from(`${cluster}\n${account}`);
}
