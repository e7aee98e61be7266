// The key by which a jump host shows who it is. It is made once and kept in the Secret of the jump host, so
// that people who know it are not warned each time a Pod is another one.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** Of the Secret, and the name of its file. */
export const HOST_KEY = 'ssh_host_ecdsa_key';

/** Takes what the Secret has under it, base64, and returns a PEM that sshd reads: that one, or a new one. */
export function hostKeyOf(kept: string | undefined): string {
  const pem = kept === undefined ? '' : Buffer.from(kept, 'base64').toString('utf8');
  return isUsable(pem)
    ? pem
    : generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
        .privateKey.export({ type: 'sec1', format: 'pem' })
        .toString();
}

function isUsable(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

/** As a line of known_hosts has it behind the name of the host: RFC 5656 §3.1. */
export function publicLineOf(pem: string): string {
  const { x = '', y = '' } = publicKeyOf(pem).export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.of(4), ...[x, y].map((half) => Buffer.from(half, 'base64url'))]);
  const fields = [Buffer.from('ecdsa-sha2-nistp256'), Buffer.from('nistp256'), point];
  const blob = Buffer.concat(fields.flatMap((field) => [lengthOf(field), field]));
  return `ecdsa-sha2-nistp256 ${blob.toString('base64')}`;
}

function publicKeyOf(pem: string): KeyObject {
  return createPublicKey(createPrivateKey(pem));
}

function lengthOf(field: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(field.length);
  return length;
}
