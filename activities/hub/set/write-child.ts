// Writes and deletes the Capps of a set. Another object of the name is never taken over, and what a person has changed
// is never overwritten.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { ABANDON, PRIORITY, SET, SET_REVISION, SET_UID, SHARED_HOSTNAME } from '../../../crds/labels.ts';
import { CAPP_SET, type CappSet } from '../../../crds/set/cappset.ts';
import { setOf } from '../../../crds/set/child.ts';
import { writtenAs } from '../../../crds/written.ts';
import { contentOf, type Rendered } from '../../../crds/set/render.ts';
import type { SetSiteReason } from '../../../crds/set/status.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError, isConflict } from '../../../kube/failure.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { Refused } from '../../../workflows/stages/memory.ts';
import { setKey } from './targets.ts';

const FIELD_MANAGER = 'cappstan-set';

export interface Wanted {
  readonly set: CappSet;
  readonly cluster: string;
  readonly name: string;
  readonly child: Capp | null;
  readonly revision: string;
  readonly rendered: Rendered;
}

export type Outcome =
  | { readonly is: 'written'; readonly resourceVersion: string }
  | { readonly is: 'refused'; readonly reason: SetSiteReason; readonly message: string };

/** What the API server and admission webhooks refuse a Capp with: another try of the same gets the same answer. */
const REJECTED: ReadonlySet<number> = new Set([400, 403, 413, 422]);

/** Throws ApiError when the API server does not answer. */
export async function writeChild(kube: Kube, wanted: Wanted, now: number): Promise<Outcome> {
  const { set, name, child } = wanted;
  const key = { namespace: set.metadata.namespace ?? '', name };
  if (child === null && (await isTaken(kube, key, set))) return nameTaken(name);
  try {
    const written = await kube.apply<KubeObject>(CAPP, childOf(wanted, now), { fieldManager: FIELD_MANAGER });
    return { is: 'written', resourceVersion: written.metadata.resourceVersion ?? '' };
  } catch (error) {
    const refusal = refusalOf(error, name);
    if (refusal === null) throw error;
    return refusal;
  }
}

/** Read live: the cache may not show it yet. */
async function isTaken(kube: Kube, key: { namespace: string; name: string }, set: CappSet): Promise<boolean> {
  const found = await kube.getMetadata(CAPP, key);
  return found !== null && setOf(found) !== setKey(set);
}

export function nameTaken(name: string): Extract<Outcome, { is: 'refused' }> {
  const message = `Another Capp is named ${name}, and is not taken over. Delete or rename it, or rename the set; then ask with annotation rcs.dana.io/retry.`;
  return { is: 'refused', reason: 'NameTaken', message };
}

function refusalOf(error: unknown, name: string): Extract<Outcome, { is: 'refused' }> | null {
  if (!(error instanceof ApiError)) return null;
  const { reason } = error;
  const where = error.fields.length === 0 ? '' : ` (${error.fields.join(', ')})`;
  if (REJECTED.has(error.code))
    return {
      is: 'refused',
      reason: 'Rejected',
      message: `The API server refuses Capp ${name}${where}: ${reason}. Correct the template, or what refuses it; then ask with annotation rcs.dana.io/retry.`,
    };
  if (isConflict(error))
    return {
      is: 'refused',
      reason: 'Overridden',
      message: `Somebody has changed fields of Capp ${name} that the set writes${where}. Undo that, or delete the Capp; then ask with annotation rcs.dana.io/retry.`,
    };
  return null;
}

export function refusedBy(
  { reason, message }: Extract<Outcome, { is: 'refused' }>,
  wanted: Pick<Wanted, 'child' | 'revision'>,
  at: number,
): Refused {
  return {
    revision: wanted.revision,
    reason,
    message,
    at,
    generation: wanted.child?.metadata.generation ?? null,
  };
}

function childOf(
  { set, name, child, revision, rendered }: Wanted,
  now: number,
): KubeObject & { spec: unknown } {
  const { namespace = '', uid = '', name: setName } = set.metadata;
  const written = writtenAs({ revision, content: contentOf(rendered), at: now });
  const owner = {
    apiVersion: CAPP_SET.apiVersion,
    kind: CAPP_SET.kind,
    name: setName,
    uid,
    controller: true,
  };
  return {
    apiVersion: CAPP.apiVersion,
    kind: CAPP.kind,
    metadata: {
      name,
      namespace,
      ...(child?.metadata.uid === undefined ? {} : { uid: child.metadata.uid }),
      labels: { ...plain(rendered.labels), [SET]: setName, [SET_UID]: uid },
      annotations: {
        ...plain(rendered.annotations),
        [SET_REVISION]: written,
        ...(rendered.sharesHostname ? { [SHARED_HOSTNAME]: 'true' } : {}),
      },
      ownerReferences: [owner],
    },
    spec: rendered.spec,
  };
}

/** What asks something of the hub is asked of one Capp by a person, never by a template. */
function plain(marks: Rendered['labels']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(marks).filter(([key]) => key === PRIORITY || !key.startsWith('rcs.dana.io/')),
  );
}

/** Deletes the Capp that was looked at, never another of its name. */
export async function removeChild(kube: Kube, { metadata }: Capp): Promise<void> {
  const { namespace = '', name, uid = '', deletionTimestamp } = metadata;
  if (deletionTimestamp === undefined) await kube.remove(CAPP, { namespace, name }, { uid });
}

/** A person has given up the copies on these sites, for all Capps of the set. */
export async function abandonChild(
  kube: Kube,
  { metadata, spec }: Capp,
  sites: readonly string[],
): Promise<void> {
  const { namespace = '', name, uid = '', annotations = {}, deletionTimestamp } = metadata;
  const site = spec.site ?? '';
  if (deletionTimestamp === undefined || !sites.includes(site) || annotations[ABANDON] !== undefined) return;
  await kube.patch(CAPP, { namespace, name }, { metadata: { uid, annotations: { [ABANDON]: site } } });
}
