// CappSecret: a Secret of a Capp on its way to one site, sealed to the key of that site. The site operator
// opens it into the Secret of its name.
import { createHmac, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { ObjectMeta } from '../../kube/resource.ts';
import { Condition } from '../capp/conditions.ts';
import { packed, unpacked, type Content } from './content.ts';
import { open, privateKeyOf, seal } from './hpke.ts';
import { keyIdOf } from './site-key.ts';

export const CAPP_SECRET = {
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'CappSecret',
  plural: 'cappsecrets',
  namespaced: true,
} as const;

export const CappSecretSpec = z.object({
  keyId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .describe("Which of the site's keys opens it."),
  sealed: z
    .string()
    .min(1)
    .max(1_500_000)
    .describe('The Secret in base64, by HPKE (RFC 9180), bound to the namespace, the name and the key.'),
});
export type CappSecretSpec = z.infer<typeof CappSecretSpec>;

export const CappSecretStatus = z.object({
  conditions: z.array(Condition).max(8).exactOptional(),
});
export type CappSecretStatus = z.infer<typeof CappSecretStatus>;

export interface CappSecret {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec: CappSecretSpec;
  readonly status?: CappSecretStatus;
}

/** The condition that says whether the Secret is there as it was sealed. */
export const OPENED = 'Opened';

interface Place {
  readonly namespace: string;
  readonly name: string;
}

const INFO = Buffer.from('cappstan CappSecret v1');
const DRAWN = 'cappstan CappSecret ephemeral key v1';

/**
 * The same content for the same key and place always has the same bytes, so sealing again changes nothing,
 * and two works that carry one Secret carry the same. For that the ephemeral key is drawn from all of it by a
 * key that only the hub worker has: who does not have that key learns from two of them no more than whether
 * the content of one place is the same again. Throws UnusableKey if the site's key is one.
 */
export function sealedFor(
  site: Buffer,
  { namespace, name }: Place,
  content: Content,
  hubKey: Buffer,
): CappSecretSpec {
  const keyId = keyIdOf(site);
  const plain = packed(content);
  const aad = boundTo({ namespace, name }, keyId);
  const drawn = createHmac('sha256', hubKey);
  for (const part of [Buffer.from(DRAWN), site, aad, plain]) drawn.update(`${part.length}:`).update(part);
  const ephemeral = privateKeyOf(drawn.digest());
  return { keyId, sealed: seal(site, { ephemeral, plain }, { info: INFO, aad }).toString('base64') };
}

/** Throws an Error without any of the bytes unless all is as it was sealed. */
export function opened(key: KeyObject, place: Place, { keyId, sealed }: CappSecretSpec): Content {
  const aad = boundTo(place, keyId);
  return unpacked(open(key, Buffer.from(sealed, 'base64'), { info: INFO, aad }));
}

function boundTo({ namespace, name }: Place, keyId: string): Buffer {
  return Buffer.from(JSON.stringify([keyId, namespace, name]));
}
