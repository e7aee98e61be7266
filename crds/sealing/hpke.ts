// Seals bytes to a public key so that only its private key opens them: the single-shot base mode of HPKE
// (RFC 9180, sections 4 to 6), with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and AES-256-GCM.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  type CipherGCMTypes,
  type KeyObject,
} from 'node:crypto';

/** What both ends must say alike. */
export interface SealedFor {
  /** What the bytes are for. */
  readonly info: Buffer;
  /** What they belong to. */
  readonly aad: Buffer;
}

/** An AEAD of RFC 9180, table 5. */
interface Aead {
  readonly id: number;
  readonly name: CipherGCMTypes;
  /** Bytes. */
  readonly keyLength: number;
}

export const AES_256_GCM: Aead = { id: 2, name: 'aes-256-gcm', keyLength: 32 };

const KEY = 32;
const NONCE = 12;
const TAG = 16;
const DHKEM_X25519 = 0x0020;
const HKDF_SHA256 = 0x0001;
const BASE_MODE = 0;
const NONE: Buffer = Buffer.alloc(0);
const VERSION = Buffer.from('HPKE-v1');
/** What comes before the 32 bytes of such a key in DER (RFC 8410). */
const PRIVATE = Buffer.from('302e020100300506032b656e04220420', 'hex');
const PUBLIC = Buffer.from('302a300506032b656e032100', 'hex');

/** From its 32 bytes (RFC 7748). Throws for another length. */
export function privateKeyOf(raw: Buffer): KeyObject {
  if (raw.length !== KEY) throw new Error('A private key has 32 bytes');
  return createPrivateKey({ key: Buffer.concat([PRIVATE, raw]), format: 'der', type: 'pkcs8' });
}

/** The same for a public key. */
export function publicKeyOf(raw: Buffer): KeyObject {
  if (raw.length !== KEY) throw new Error('A public key has 32 bytes');
  return createPublicKey({ key: Buffer.concat([PUBLIC, raw]), format: 'der', type: 'spki' });
}

/** The 32 bytes of the public key that belongs to a private one. */
export function publicBytesOf(key: KeyObject): Buffer {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(PUBLIC.length);
}

/** Nothing can be sealed to a public key: it is none, or it makes every secret the same. */
export class UnusableKey extends Error {
  override readonly name = 'UnusableKey';
}

/**
 * The ephemeral public key, and then the encrypted bytes with their tag. The ephemeral key must not be used
 * for anything else. Throws UnusableKey.
 */
export function seal(
  to: Buffer,
  { ephemeral, plain }: { readonly ephemeral: KeyObject; readonly plain: Buffer },
  bound: SealedFor,
  aead = AES_256_GCM,
): Buffer {
  const enc = publicBytesOf(ephemeral);
  const dh = agreedOn(ephemeral, to);
  const { key, nonce } = schedule(sharedSecret(dh, enc, to), bound.info, aead);
  const cipher = createCipheriv(aead.name, key, nonce, { authTagLength: TAG });
  cipher.setAAD(bound.aad);
  return Buffer.concat([enc, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function agreedOn(privateKey: KeyObject, to: Buffer): Buffer {
  try {
    return diffieHellman({ privateKey, publicKey: publicKeyOf(to) });
  } catch (cause) {
    throw new UnusableKey('The public key is none of X25519', { cause });
  }
}

/** Throws if the bytes were sealed to another key, are bound to something else, or were changed. */
export function open(key: KeyObject, sealed: Buffer, bound: SealedFor, aead = AES_256_GCM): Buffer {
  if (sealed.length < KEY + TAG) throw new Error('Sealed bytes are cut off');
  const enc = sealed.subarray(0, KEY);
  const dh = diffieHellman({ privateKey: key, publicKey: publicKeyOf(enc) });
  const secret = sharedSecret(dh, enc, publicBytesOf(key));
  const made = schedule(secret, bound.info, aead);
  const decipher = createDecipheriv(aead.name, made.key, made.nonce, { authTagLength: TAG });
  decipher.setAAD(bound.aad);
  decipher.setAuthTag(sealed.subarray(-TAG));
  return Buffer.concat([decipher.update(sealed.subarray(KEY, -TAG)), decipher.final()]);
}

/** ExtractAndExpand of the KEM (section 4.1). */
function sharedSecret(dh: Buffer, enc: Buffer, to: Buffer): Buffer {
  const suite = Buffer.concat([Buffer.from('KEM'), twoBytes(DHKEM_X25519)]);
  const extracted = labeledExtract(suite, 'eae_prk', dh);
  return labeledExpand(suite, extracted, 'shared_secret', { info: Buffer.concat([enc, to]), length: KEY });
}

/** KeySchedule (section 5.1) without a pre-shared key; the nonce is that of the first message. */
function schedule(secret: Buffer, info: Buffer, aead: Aead): { key: Buffer; nonce: Buffer } {
  const ids = [DHKEM_X25519, HKDF_SHA256, aead.id].map(twoBytes);
  const suite = Buffer.concat([Buffer.from('HPKE'), ...ids]);
  const context = Buffer.concat([
    Buffer.from([BASE_MODE]),
    labeledExtract(suite, 'psk_id_hash', NONE),
    labeledExtract(suite, 'info_hash', info),
  ]);
  const extracted = labeledExtract(suite, 'secret', NONE, secret);
  return {
    key: labeledExpand(suite, extracted, 'key', { info: context, length: aead.keyLength }),
    nonce: labeledExpand(suite, extracted, 'base_nonce', { info: context, length: NONCE }),
  };
}

function labeledExtract(suite: Buffer, label: string, ikm: Buffer, salt = NONE): Buffer {
  return hmac(salt, [VERSION, suite, Buffer.from(label), ikm]);
}

/** At most one block of the hash, which is all that is needed here. */
function labeledExpand(
  suite: Buffer,
  extracted: Buffer,
  label: string,
  { info, length }: { readonly info: Buffer; readonly length: number },
): Buffer {
  const labeled = [twoBytes(length), VERSION, suite, Buffer.from(label), info];
  return hmac(extracted, [...labeled, Buffer.from([1])]).subarray(0, length);
}

function hmac(key: Buffer, parts: readonly Buffer[]): Buffer {
  return createHmac('sha256', key).update(Buffer.concat(parts)).digest();
}

function twoBytes(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
