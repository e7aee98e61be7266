// Writes and deletes the Capps of a set. Another object of the name is never taken over, not even one that is
// made between a read and the write that rests on it, and what a person may change is never overwritten.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { ABANDON, HUB_NOTES, SET, SET_REVISION, SET_UID, SHARED_HOSTNAME } from '../../../crds/labels.ts';
import { CAPP_SET, type CappSet } from '../../../crds/set/cappset.ts';
import { setOf } from '../../../crds/set/child.ts';
import { writtenAs } from '../../../crds/written.ts';
import { contentOf, type RenderedChild } from '../../../crds/set/render.ts';
import type { SetSiteReason } from '../../../crds/set/status.ts';
import type { Kube } from '../../../kube/client.ts';
import { isConflict, type ApiError } from '../../../kube/failure.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { RolloutRefusal, Shipped } from '../rollout/kind.ts';
import { isRejected, rejectedBy } from '../rollout/refusals.ts';
import type { Removal } from '../retire/removal.ts';
import { SET_WRITER, writtenMarks } from './hand-edits.ts';
import { setKey } from './targets.ts';

export interface WantedChild {
  readonly set: CappSet;
  readonly cluster: string;
  readonly name: string;
  readonly child: Capp | null;
  readonly revision: string;
  readonly rendered: RenderedChild;
}

export interface SetRefusal extends RolloutRefusal {
  readonly reason: SetSiteReason;
}

/**
 * A resourceVersion that no object has, so an apply with it is a create: where there is an object after all,
 * it is a Conflict.
 */
const OF_NO_OBJECT = '1';

/**
 * A Capp that is being deleted is written again when it is gone. Throws ApiError when the API server
 * does not answer, and a Conflict when another Capp came or went meanwhile: the next try reads what is there.
 */
export async function writeChild(kube: Kube, wanted: WantedChild, now: number): Promise<Shipped<SetRefusal>> {
  const { set, name } = wanted;
  const key = { namespace: set.metadata.namespace ?? '', name };
  // Read live: the cache may not show it yet.
  const known = wanted.child ?? (await kube.getMetadata(CAPP, key));
  if (known !== null && setOf(known) !== setKey(set)) return nameTaken(name);
  if (known?.metadata.deletionTimestamp !== undefined) return { is: 'waits', refusal: null };
  try {
    const written = await applied(kube, childOf(wanted, known, now), known);
    return { is: 'there', version: written.metadata.resourceVersion ?? null };
  } catch (error) {
    const refusal = isConflict(error)
      ? await conflictWith(kube, key, { error, set, known })
      : refusalOf(error, name);
    if (refusal === null) throw error;
    return refusal;
  }
}

/**
 * By force only where somebody owns nothing but what the hub notes: an edit that the webhook puts back leaves
 * its author the owner. It takes no other field, since the Capp must be as it was known.
 */
async function applied(kube: Kube, child: KubeObject, known: KubeObject | null): Promise<KubeObject> {
  const options = { fieldManager: SET_WRITER };
  try {
    return await kube.apply<KubeObject>(CAPP, child, options);
  } catch (error) {
    const { resourceVersion } = known?.metadata ?? {};
    if (resourceVersion === undefined || !isOfNotes(error)) throw error;
    const metadata = { ...child.metadata, resourceVersion };
    return kube.apply<KubeObject>(CAPP, { ...child, metadata }, { ...options, force: true });
  }
}

const NOTES: ReadonlySet<string> = new Set(
  HUB_NOTES.map((note) => `.metadata.annotations.${note}: FieldManagerConflict`),
);

function isOfNotes(error: unknown): boolean {
  return isConflict(error) && error.fields.length > 0 && error.fields.every((field) => NOTES.has(field));
}

type Refused = Extract<Shipped<SetRefusal>, { is: 'refused' }>;

/**
 * Null if it is not about fields of the Capp that was known, and nobody else has the name. The server names
 * the fields that another manager owns; a Conflict without any is of writes that met.
 */
async function conflictWith(
  kube: Kube,
  key: { readonly namespace: string; readonly name: string },
  {
    error,
    set,
    known,
  }: { readonly error: ApiError; readonly set: CappSet; readonly known: KubeObject | null },
): Promise<Refused | null> {
  const live = await kube.getMetadata(CAPP, key);
  if (live !== null && setOf(live) !== setKey(set)) return nameTaken(key.name);
  const isSame = known !== null && live?.metadata.uid === known.metadata.uid;
  return isSame && error.fields.length > 0 ? overridden(error, key.name) : null;
}

export function nameTaken(name: string): Refused {
  const message = `Another Capp is named ${name}, and is not taken over. Delete or rename it, or rename the set; then ask with annotation rcs.dana.io/retry.`;
  return refused('NameTaken', message);
}

function refusalOf(error: unknown, name: string): Refused | null {
  if (!isRejected(error)) return null;
  const message = `The API server refuses Capp ${name}${rejectedBy(error)}: ${error.reason}. Correct the template, or what refuses it; then ask with annotation rcs.dana.io/retry.`;
  return refused('Rejected', message);
}

function overridden(error: ApiError, name: string): Refused {
  const message = `Somebody has changed fields of Capp ${name} that the set writes${rejectedBy(error)}. Undo that, or delete the Capp; then ask with annotation rcs.dana.io/retry.`;
  return refused('Overridden', message);
}

function refused(reason: SetSiteReason, message: string): Refused {
  return { is: 'refused', refusal: { reason, message } };
}

function childOf(
  { set, name, revision, rendered }: WantedChild,
  known: KubeObject | null,
  now: number,
): KubeObject & { readonly spec: unknown } {
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
      ...(known === null ? { resourceVersion: OF_NO_OBJECT } : { uid: known.metadata.uid ?? '' }),
      labels: { ...writtenMarks(rendered.labels), [SET]: setName, [SET_UID]: uid },
      annotations: {
        ...writtenMarks(rendered.annotations),
        [SET_REVISION]: written,
        ...(rendered.sharesHostname ? { [SHARED_HOSTNAME]: 'true' } : {}),
      },
      ownerReferences: [owner],
    },
    spec: rendered.spec,
  };
}

/** Deletes a Capp whatever it is like by now, but never another one of its name. */
export async function removeChild(kube: Kube, { metadata }: Capp): Promise<Removal> {
  const { namespace = '', name, uid = '' } = metadata;
  return (await kube.remove(CAPP, { namespace, name }, { uid })) ? 'Begun' : 'Gone';
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
