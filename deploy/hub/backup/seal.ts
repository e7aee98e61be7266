// A backup that is encrypted on request, in the format of age, so that age itself can open it, too.
import { Readable } from 'node:stream';
import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption';
import { ConfigRefused } from '../config/refused.ts';

/** Whoever has one of them opens it. */
export type ArchiveLock = { readonly passphrase: string } | { readonly recipients: readonly string[] };
export type Keys = { readonly passphrase: string } | { readonly identities: readonly string[] };

/** With what every file of age begins. */
export const SEALED = Buffer.from('age-encryption.org/v1\n');

/** Throws ConfigRefused for what is no recipient. */
export function sealerOf(lock: ArchiveLock): (content: Readable) => Promise<Readable> {
  const encrypter = new Encrypter();
  if ('passphrase' in lock) encrypter.setPassphrase(lock.passphrase);
  else
    for (const recipient of lock.recipients)
      try {
        encrypter.addRecipient(recipient);
      } catch {
        // What is given by mistake may be a secret key.
        const what = recipient.startsWith('age1') ? recipient : 'what it was given';
        throw new ConfigRefused([
          `--encrypt-to: ${what} is no recipient of age. Give one that begins with age1, as age-keygen prints it.`,
        ]);
      }
  return async (content) => webToNode(await encrypter.encrypt(nodeToWeb(content)));
}

/** Throws ConfigRefused for what is no identity. What it returns throws when nobody of these may open it. */
export function openerOf(keys: Keys): (content: Readable) => Promise<Readable> {
  const decrypter = new Decrypter();
  if ('passphrase' in keys) decrypter.addPassphrase(keys.passphrase);
  else for (const identity of keys.identities) decrypter.addIdentity(identity);
  return async (content) => webToNode(await decrypter.decrypt(nodeToWeb(content)));
}

/** The lines of a file of `age-keygen`. Throws ConfigRefused, and quotes none of it. */
export async function identitiesIn(text: string, file: string): Promise<readonly string[]> {
  const lines = text.split('\n').map((line) => line.trim());
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'));
  try {
    await Promise.all(identities.map((one) => identityToRecipient(one)));
    if (identities.length > 0) return identities;
  } catch {
    // Said below.
  }
  throw new ConfigRefused([
    `--identity-file: ${file} holds no key of age. Give one that age-keygen has written.`,
  ]);
}

const nodeToWeb = (content: Readable): globalThis.ReadableStream<Uint8Array> =>
  Readable.toWeb(content) as globalThis.ReadableStream<Uint8Array>;
const webToNode = (content: globalThis.ReadableStream<Uint8Array>): Readable => Readable.fromWeb(content);
