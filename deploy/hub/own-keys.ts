// The keys that a hub has made for itself: with one of them gone it could not go on, and another one in its
// place would shut out whoever knows the first.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HubConfig } from './config/config.ts';
import { ConfigRefused } from './config/refused.ts';

const PUT_BACK = 'Put it back from a backup.';

/**
 * `certificates` is the folder with them; a hub that `hasStored` has had accounts with tokens. Throws
 * ConfigRefused for each that is missing or of another certificate. It quotes no key. Writes nothing.
 */
export function checkOwnKeys(
  certificates: string,
  config: Pick<HubConfig, 'apiServer' | 'etcd' | 'temporal'>,
  hasStored: boolean,
): void {
  const made = authoritiesOf(config)
    .map((name) => join(certificates, name))
    .filter((file) => existsSync(file));
  const refusals = made.flatMap(whyNoPair);
  const accounts = join(certificates, 'service-accounts.key');
  if (hasStored && !existsSync(accounts))
    refusals.push(
      `${accounts} is missing: with another one every token that this hub has given ends. ${PUT_BACK}`,
    );
  if (refusals.length > 0) throw new ConfigRefused(refusals);
}

/** Without those that somebody gave: their keys are elsewhere, though they may lie in the folder. */
function authoritiesOf({
  apiServer,
  etcd,
  temporal,
}: Pick<HubConfig, 'apiServer' | 'etcd' | 'temporal'>): string[] {
  return [
    ...(apiServer.authority === null ? ['ca.crt'] : []),
    'request-header-ca.crt',
    ...(etcd.mode === 'embed' ? ['etcd-ca.crt'] : []),
    ...(temporal.mode === 'embed' ? ['temporal-ca.crt'] : []),
  ];
}

function whyNoPair(cert: string): string[] {
  const key = cert.replace(/\.crt$/, '.key');
  if (!existsSync(key))
    return [`${key} is missing: without it this hub can issue no certificate of ${cert}. ${PUT_BACK}`];
  return isPair(cert, key)
    ? []
    : [`${key} is not the key of ${cert}, or one of them cannot be read. ${PUT_BACK}`];
}

/** Not as OpenSSL asks for a connection: it refuses small keys, with which other programs work. */
export function isPair(cert: string, key: string): boolean {
  try {
    return new X509Certificate(readFileSync(cert)).checkPrivateKey(createPrivateKey(readFileSync(key)));
  } catch {
    return false;
  }
}
