// The keys of a site, by which what was sealed to it is opened: made here, kept in a Secret of the site
// operator's Namespace, and nowhere else.
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SECRET, type Secret } from '../../crds/kubernetes/core.ts';
import { MANAGED_BY, MANAGED_BY_SITE } from '../../crds/labels.ts';
import { privateKeyOf, publicBytesOf } from '../../crds/sealing/hpke.ts';
import { keyIdOf, SITE_KEYS } from '../../crds/sealing/site-key.ts';
import type { Kube } from '../../kube/client.ts';
import { isAlreadyExists, isConflict } from '../../kube/failure.ts';

export interface SiteKeys {
  /** The public key that is claimed now. */
  readonly current: Buffer;
  /** By its id; those of before too, as long as the Secret has them. */
  find(id: string): KeyObject | null;
}

/** The field that names the key of now. The other fields are keys, by their id. */
const CURRENT = 'current';

type Keeper = Pick<Kube, 'get' | 'create' | 'patch'>;

/**
 * The keys that are there. Makes one where there is none, or none that is called the key of now: so whoever
 * takes that field away gets a new key, and the old ones go on opening what was sealed to them. Of several
 * operators the first makes it. Throws ApiError.
 */
export async function siteKeys(kube: Keeper, namespace: string): Promise<SiteKeys> {
  for (;;) {
    const known = await kube.get<Secret>(SECRET, { namespace, name: SITE_KEYS });
    const keys = known === null ? null : keysIn(known);
    if (keys !== null) return keys;
    try {
      await addKey(kube, namespace, known);
    } catch (error) {
      if (!isAlreadyExists(error) && !isConflict(error)) throw error;
    }
  }
}

async function addKey(kube: Keeper, namespace: string, known: Secret | null): Promise<void> {
  const { id, raw } = newKey();
  const data = { [CURRENT]: Buffer.from(id).toString('base64'), [id]: raw.toString('base64') };
  const key = { namespace, name: SITE_KEYS };
  if (known !== null) {
    const { uid, resourceVersion } = known.metadata;
    await kube.patch(SECRET, key, { metadata: { uid, resourceVersion }, data });
    return;
  }
  const metadata = { ...key, labels: { [MANAGED_BY]: MANAGED_BY_SITE } };
  await kube.create(SECRET, { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data });
}

function newKey(): { id: string; raw: Buffer } {
  const { privateKey } = generateKeyPairSync('x25519');
  const raw = Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url');
  return { id: keyIdOf(publicBytesOf(privateKey)), raw };
}

/** Null if it does not say which key is that of now, or does not have it. */
function keysIn({ data = {} }: Secret): SiteKeys | null {
  const now = Buffer.from(data[CURRENT] ?? '', 'base64').toString('utf8');
  const find = (id: string): KeyObject | null => {
    const raw = Buffer.from((id === CURRENT ? undefined : data[id]) ?? '', 'base64');
    if (raw.length === 0) return null;
    try {
      const key = privateKeyOf(raw);
      return keyIdOf(publicBytesOf(key)) === id ? key : null;
    } catch {
      return null;
    }
  };
  const current = find(now);
  return current === null ? null : { current: publicBytesOf(current), find };
}
