// The authority that somebody gives a hub: whether it can be used, and by what it is known.
import { createPrivateKey, type KeyObject, type X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { certificatesOf, fingerprintOfKey } from '../../crds/join/authority.ts';
import { algorithmOf } from '../local/kubernetes/signer.ts';
import { named } from './config/fields.ts';
import { whyUnread } from '../local/given.ts';
import { ConfigRefused } from './config/refused.ts';
import { HUB_COMMAND_TIMES } from './times.ts';

const [CERT, KEY] = [named('apiserver.caFile'), named('apiserver.caKeyFile')];

export interface Authority {
  readonly cert: string;
  readonly key: string;
}

/**
 * Returns warnings. Throws ConfigRefused with what makes it useless. `now` in milliseconds since the epoch.
 */
export async function checkAuthority({ cert, key }: Authority, now: number): Promise<readonly string[]> {
  const [first, ...more] = certificatesIn(await textOf(cert, CERT), cert);
  const secret = keyIn(await textOf(key, KEY), key);
  const end = first.validToDate.getTime();
  const refusals = [
    ...(first.ca ? [] : [`${CERT}: ${cert} is no authority (CA:FALSE). Give one that may sign.`]),
    ...(first.checkPrivateKey(secret)
      ? []
      : [`${KEY}: ${key} is not the key of ${cert}. Give a pair that belongs together.`]),
    ...(algorithmOf(secret) === null
      ? [`${KEY}: ${key} is neither RSA nor of the curve P-256, P-384 or P-521. Give one that is.`]
      : []),
    ...(end <= now
      ? [
          `${CERT}: ${cert} ended on ${dayOf(end)}. Give one that is valid, with the same key, to keep the sites.`,
        ]
      : []),
    ...notYet(first, `${CERT}: ${cert}`, now),
  ];
  if (refusals.length > 0) throw new ConfigRefused(refusals);
  const isRooted = [first, ...more].some((one) => one.checkIssued(one));
  return [
    ...(end - now < HUB_COMMAND_TIMES.authorityEnds.ms
      ? [`${CERT}: ${cert} ends on ${dayOf(end)}, and with it every certificate of this hub.`]
      : []),
    ...(isRooted
      ? []
      : [
          `${CERT}: ${cert} lacks its root, without which Node accepts no certificate. Put the root behind it in the file.`,
        ]),
  ];
}

/**
 * The authority that a hub has made. Throws ConfigRefused while the clock of this machine is before it: every
 * certificate would be refused everywhere. `now` in milliseconds since the epoch.
 */
export async function checkOwnAuthority(cert: string, now: number): Promise<void> {
  const [first] = certificatesIn(await textOf(cert, CERT), cert);
  const refusals = notYet(first, cert, now);
  const otherwise =
    'If the clock was wrong when the hub was made, and is right now, make it anew in an empty directory.';
  if (refusals.length > 0) throw new ConfigRefused([...refusals, otherwise]);
}

/** The authority of a server of somebody else's. Throws ConfigRefused when it cannot be read, or is none. */
export async function checkForeignAuthority(field: string, cert: string): Promise<void> {
  certificatesIn(await textOf(cert, field), cert, field);
}

function notYet({ validFromDate }: X509Certificate, what: string, now: number): string[] {
  const begins = validFromDate.getTime();
  if (begins <= now) return [];
  return [
    `${what} begins at ${new Date(begins).toISOString()}, and the clock of this machine says ${new Date(now).toISOString()}. Set the clock (timedatectl shows it), then start again.`,
  ];
}

/** `sha256:…` of the public key, as clusters that join know it. It stays when the authority is renewed. */
export async function fingerprintOf(cert: string): Promise<string> {
  const [first] = certificatesIn(await textOf(cert, CERT), cert);
  return fingerprintOfKey(first.publicKey);
}

async function textOf(file: string, field: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new ConfigRefused([
      `${field}: ${file} ${whyUnread(error)}. Give the path of a PEM file that you may read.`,
    ]);
  });
}

function certificatesIn(
  text: string,
  file: string,
  field = CERT,
): readonly [X509Certificate, ...X509Certificate[]] {
  try {
    const [first, ...more] = certificatesOf(text);
    if (first !== undefined) return [first, ...more];
  } catch {
    // Said below.
  }
  throw new ConfigRefused([`${field}: ${file} holds no certificate (PEM). Give one.`]);
}

function keyIn(text: string, file: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    throw new ConfigRefused([`${KEY}: ${file} holds no key without a passphrase (PEM). Give one.`]);
  }
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
