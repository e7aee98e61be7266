// Opens one CappSecret into the Secret of its name, and says in its status how that went: never a value.
import { isDeepStrictEqual } from 'node:util';
import { SITE_KEYS } from '../../crds/sealing/site-key.ts';
import { CAPP_SECRET, OPENED, opened, type CappSecret } from '../../crds/sealing/capp-secret.ts';
import type { Condition } from '../../crds/capp/conditions.ts';
import type { Content } from '../../crds/sealing/content.ts';
import { conditionSince } from '../../crds/condition.ts';
import { conditionOf } from '../../crds/kubernetes/core.ts';
import { closedMessage } from '../../crds/open-namespace.ts';
import type { Kube } from '../../kube/client.ts';
import type { SiteKeys } from './keys.ts';
import { isRefused, SecretTaken, writeSecret } from './secret.ts';

interface Said {
  readonly status: 'True' | 'False';
  readonly reason: 'Opened' | 'UnknownKey' | 'Unreadable' | 'NameTaken' | 'NamespaceClosed' | 'Refused';
  readonly message: string;
}

/** What is needed to open one. */
export interface Opening {
  readonly kube: Pick<Kube, 'create' | 'patch' | 'remove'>;
  readonly keys: SiteKeys;
  /** Where they are kept, for messages. */
  readonly place: string;
  /** What a hub sends may be in its Namespace. */
  readonly isAdmitted: boolean;
}

/**
 * A repeat finds the Secret as it should be, and the status too, and writes nothing. Nothing of somebody else
 * is touched, and what cannot be opened leaves the Secret of before as it is. True if it is open. Throws
 * ApiError, to be retried.
 */
export async function openSecret(opening: Opening, sealed: CappSecret): Promise<boolean> {
  const said = await tried(opening, sealed);
  await say(opening.kube, sealed, said);
  return said.status === 'True';
}

async function tried({ kube, keys, place, isAdmitted }: Opening, sealed: CappSecret): Promise<Said> {
  const { namespace = '', name } = sealed.metadata;
  if (!isAdmitted) return not('NamespaceClosed', `${closedMessage(namespace)}.`);
  const key = keys.find(sealed.spec.keyId);
  if (key === null)
    return not(
      'UnknownKey',
      `It was sealed to key ${sealed.spec.keyId}, which Secret ${place}/${SITE_KEYS} of this site does not have. The hub seals it again once it has heard of the present key.`,
    );
  let content: Content;
  try {
    content = opened(key, { namespace, name }, sealed.spec);
  } catch {
    return not(
      'Unreadable',
      'It was changed, or sealed for another name or namespace, so it cannot be opened. The hub sends it again when the Capp is shipped.',
    );
  }
  try {
    await writeSecret(kube, sealed, content);
  } catch (error) {
    if (error instanceof SecretTaken && error.hub !== null)
      return not(
        'NameTaken',
        `Secret ${name} is there already and a work of hub ${error.hub} carries it, so it is left unchanged. Rename one of them.`,
      );
    if (error instanceof SecretTaken)
      return not(
        'NameTaken',
        `Secret ${name} is there already and does not belong to Cappstan, so it is left unchanged. Rename one of them, or hand it over: kubectl -n ${namespace} label secret ${name} rcs.dana.io/managed-by=rcs`,
      );
    if (isRefused(error))
      return not('Refused', `The site's API server refuses Secret ${name}: ${error.code} ${error.reason}.`);
    throw error;
  }
  return { status: 'True', reason: 'Opened', message: `Secret ${name} is as it was sealed.` };
}

function not(reason: Said['reason'], message: string): Said {
  return { status: 'False', reason, message };
}

async function say(kube: Pick<Kube, 'patch'>, { metadata, status }: CappSecret, said: Said): Promise<void> {
  const { namespace = '', name, uid, generation = 0 } = metadata;
  const before = status?.conditions ?? [];
  const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const told: Condition = conditionSince(
    before,
    { type: OPENED, ...said, observedGeneration: generation },
    now,
  );
  const known = conditionOf(before, OPENED);
  if (isDeepStrictEqual({ ...known }, { ...told })) return;
  const conditions = [...before.filter(({ type }) => type !== OPENED), told];
  const body = { metadata: { uid, resourceVersion: metadata.resourceVersion }, status: { conditions } };
  await kube.patch(CAPP_SECRET, { namespace, name }, body, { subresource: 'status' });
}
