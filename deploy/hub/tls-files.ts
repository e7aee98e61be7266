// Whether the files by which a hub shows itself to a server of somebody else's can be used.
import { readFile } from 'node:fs/promises';
import { whyUnread } from '../local/given.ts';
import { named } from './config/fields.ts';
import type { ClientTls } from './config/pair.ts';
import { ConfigRefused } from './config/refused.ts';
import { isPair } from './own-keys.ts';

/** Throws ConfigRefused for what cannot be read, or does not belong together. It quotes no file. */
export async function checkTlsFiles(section: 'etcd' | 'temporal', { ca, pair }: ClientTls): Promise<void> {
  const given = { caFile: ca, certFile: pair?.cert, keyFile: pair?.key };
  for (const [name, file] of Object.entries(given))
    if (file !== undefined)
      await readFile(file).catch((error: unknown) => {
        throw new ConfigRefused([
          `${named(`${section}.${name}`)}: ${file} ${whyUnread(error)}. Give the path of a PEM file that you may read.`,
        ]);
      });
  if (pair !== undefined && !isPair(pair.cert, pair.key))
    throw new ConfigRefused([
      `${named(`${section}.keyFile`)}: ${pair.key} is not the key of ${pair.cert}, or one of them cannot be read. Give a pair (PEM, without a password) that belongs together.`,
    ]);
}
