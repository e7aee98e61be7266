// Which fields, labels and annotations of a set's Capp somebody has changed since the set wrote it, and which
// fields somebody has added: the latter by the record that the API server keeps of who wrote what. What
// admission adds to a write stands under no name there. Pure.
import { isDeepStrictEqual } from 'node:util';
import { CappSpec, type Capp } from '../../../crds/capp/capp.ts';
import { travelling } from '../../../crds/capp/travelling.ts';
import { PRIORITY } from '../../../crds/labels.ts';
import type { RenderedChild } from '../../../crds/set/render.ts';
import { containsAll, type KubeObject, type ObjectMeta } from '../../../kube/resource.ts';
import { isFields, type Fields } from '../../../kube/fields.ts';

/** How the record names the set as a writer. */
export const SET_WRITER = 'cappstan-set';

/**
 * What one writer has written: the API's FieldsV1,
 * https://kubernetes.io/docs/reference/using-api/server-side-apply.
 */
interface Writer {
  readonly manager?: string;
  readonly subresource?: string;
  readonly fieldsV1?: Fields;
}

type Recorded = ObjectMeta & { readonly managedFields?: readonly Writer[] };

/** The Capp without the record of writers, but for what others than the set have written of its spec. */
export function withOthersFields<T extends KubeObject>(capp: T): T {
  const { managedFields: _all, ...metadata } = capp.metadata as Recorded;
  const others = othersIn(capp).map((spec) => ({ fieldsV1: { 'f:spec': spec } }));
  return { ...capp, metadata: others.length === 0 ? metadata : { ...metadata, managedFields: others } };
}

function othersIn({ metadata }: KubeObject): Fields[] {
  const { managedFields = [] } = metadata as Recorded;
  return managedFields
    .filter(({ manager, subresource = '' }) => manager !== SET_WRITER && subresource === '')
    .map(({ fieldsV1 }) => fieldsV1?.['f:spec'])
    .filter(isFields);
}

/**
 * Paths of what others have written and `rendered` does not have like that. What they have taken back, or
 * written as the set does, is not among them.
 */
export function addedByOthers(
  capp: KubeObject & { readonly spec: unknown },
  rendered: unknown,
): readonly (readonly string[])[] {
  return othersIn(capp).flatMap((written) => addedIn(written, capp.spec, rendered, ['spec']));
}

function addedIn(
  written: Fields,
  live: unknown,
  wanted: unknown,
  path: readonly string[],
): readonly (readonly string[])[] {
  if (isNothing(live)) return [];
  const below = Object.entries(written).filter(([key]) => key !== '.');
  if (wanted === undefined || below.length === 0) return isDeepStrictEqual(live, wanted) ? [] : [path];
  return below.flatMap(([key, part]) => {
    const known = isFields(part) ? part : {};
    const name = key.startsWith('f:') ? key.slice(2) : null;
    if (name !== null) return addedIn(known, fieldOf(live, name), fieldOf(wanted, name), [...path, name]);
    return addedIn(known, itemOf(live, key), itemOf(wanted, key), path);
  });
}

/** The field is absent, or an empty list or object, which says the same. */
function isNothing(live: unknown): boolean {
  return live === undefined || (typeof live === 'object' && live !== null && Object.keys(live).length === 0);
}

function fieldOf(value: unknown, name: string): unknown {
  return isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** `k:` and the keys of an item as JSON. Lists of other kinds are written as a whole. */
function itemOf(list: unknown, key: string): unknown {
  if (!Array.isArray(list) || !key.startsWith('k:')) return undefined;
  const keys = Object.entries(JSON.parse(key.slice(2)) as Fields);
  return list.find((item: unknown) =>
    keys.every(([name, value]) => fieldOf(item, name) === value),
  ) as unknown;
}

/** Fields that are named at most. */
const MOST_NAMED = 3;
/** Levels of a field's path that are named. */
const MOST_LEVELS = 3;

/**
 * The first levels are named, such as `spec.configurationSpec.template`, and labels and annotations with
 * their names. What the API server or a webhook has added is no change, and neither is a field that the
 * schema of Capps does not know and the API server has dropped. What somebody else has added to the spec is
 * one: it may be why the Capp is Ready. Labels and annotations that people add are theirs.
 */
export function overriddenFields(
  live: Capp,
  { spec, labels, annotations }: Pick<RenderedChild, 'spec' | 'labels' | 'annotations'>,
): readonly string[] {
  const added = addedByOthers(live, spec).map((path) => path.slice(0, MOST_LEVELS).join('.'));
  const marks = [
    ...changedMarks('labels', live.metadata.labels, labels),
    ...changedMarks('annotations', live.metadata.annotations, annotations),
  ];
  return [...new Set([...changedFields(live.spec, spec), ...added, ...marks])].slice(0, MOST_NAMED);
}

/** Of what the set writes and a site gets: anything else proves nothing of a revision. */
function changedMarks(
  kind: 'labels' | 'annotations',
  live: RenderedChild['labels'] = {},
  rendered: RenderedChild['labels'],
): string[] {
  return Object.entries(travelling(writtenMarks(rendered)))
    .filter(([name, value]) => live[name] !== value)
    .map(([name]) => `metadata.${kind}[${name}]`);
}

/**
 * Names under our group ask something of the hub: a person asks it of one Capp, and a template never does.
 */
export function writtenMarks(marks: RenderedChild['labels']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(marks).filter(([key]) => key === PRIORITY || !key.startsWith('rcs.dana.io/')),
  );
}

function changedFields(live: unknown, rendered: unknown): readonly string[] {
  if (containsAll(live, rendered)) return [];
  const known = CappSpec.safeParse(rendered);
  return differing(live, known.success ? known.data : rendered, ['spec']);
}

function differing(live: unknown, wanted: unknown, path: readonly string[]): string[] {
  if (containsAll(live, wanted)) return [];
  const isDeep = path.length < MOST_LEVELS && isFields(live) && isFields(wanted);
  if (!isDeep) return [path.join('.')];
  return Object.entries(wanted).flatMap(([name, value]) => differing(live[name], value, [...path, name]));
}
