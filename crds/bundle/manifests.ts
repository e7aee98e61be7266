// The manifests of a Bundle, checked: whole objects, each once, and not more than a work may carry. Pure.
// Messages name a manifest by its place, kind and name, never by what it holds.
import type { Manifest } from '../ocm/ocm.ts';
import { carriedBytes, MANIFEST_LIMIT } from '../ocm/work-size.ts';
import { MOST_MANIFESTS } from './bundle.ts';
import { isNamespaced } from './scopes.ts';
import { asShipped } from './shipped.ts';
import { isFields, type Fields } from '../../kube/fields.ts';

/** What is to become a manifest, and where it was found. */
export interface Given {
  readonly value: unknown;
  /** Such as `spec.manifests[0]`, or `Secret tls, key a.yaml, document 1`. */
  readonly where: string;
}

/** The manifests that stand in a Bundle itself, each with its place. */
export function inlineGiven(manifests: readonly unknown[] = []): Given[] {
  return manifests.map((value, index) => ({ value, where: `spec.manifests[${index}]` }));
}

export interface BadManifests {
  readonly reason: 'Invalid' | 'TooLarge';
  /** The object is among the manifests already. */
  readonly isDuplicate?: true;
  /** Where the first of them is; null if it is about all. */
  readonly where: string | null;
  /** What is wrong there, and what would help. */
  readonly message: string;
}

/** Every manifest as it is shipped, in the same order; or the first reason why they cannot be. */
export function checkedManifests(given: readonly Given[]): { readonly manifests: Manifest[] } | BadManifests {
  if (given.length > MOST_MANIFESTS)
    return invalid(
      null,
      `The Bundle has ${given.length} manifests, more than the ${MOST_MANIFESTS} allowed. Make several Bundles of it.`,
    );
  const manifests: Manifest[] = [];
  const seen = new Map<string, string>();
  for (const { value, where } of given) {
    const read = manifestOf(value);
    if (typeof read === 'string') return invalid(where, read);
    const text = objectText(read);
    const earlier = seen.get(text);
    if (earlier !== undefined)
      return {
        ...invalid(where, `is ${titleOf(read)}, as ${earlier} is: leave one of them out`),
        isDuplicate: true,
      };
    seen.set(text, where);
    manifests.push(read);
  }
  return tooLarge(manifests) ?? { manifests };
}

/** The manifest without what only an API server writes, as it is shipped; or what is wrong with it. */
function manifestOf(value: unknown): Manifest | string {
  if (!isFields(value)) return 'is no Kubernetes object: write it with apiVersion, kind and metadata.name';
  const { apiVersion, kind, metadata, status: _status, ...rest } = value;
  const meta: Fields = isFields(metadata) ? metadata : {};
  if (!isText(apiVersion) || !isText(kind)) return 'has no apiVersion or no kind: write the whole object';
  if (Array.isArray(rest['items']) && kind.endsWith('List'))
    return `is a ${kind}: write each of its items as a manifest of its own`;
  const { name } = meta;
  if (KUSTOMIZE.test(apiVersion))
    return `is a ${kind}, which kubectl kustomize reads: ship what that prints, in place of this file`;
  if (!isText(name)) return `is a ${kind} ${namelessAs(meta)}`;
  if (kind === 'Capp' && apiVersion.startsWith('rcs.dana.io/'))
    return 'is a Capp: create it on the hub, which places and moves it';
  const isInNamespace = isNamespaced(groupOf(apiVersion), kind);
  const bad = faultOf(meta, isInNamespace);
  if (bad !== null) return `is ${kind} ${name}${bad}`;
  const data = badData(kind, apiVersion, rest);
  if (data !== null) return `is ${kind} ${name}, ${data}`;
  const kept = KEPT.flatMap((field) =>
    meta[field] == null || meta[field] === '' ? [] : [[field, withoutRecords(meta[field])]],
  );
  const wished = Object.fromEntries(kept) as Fields;
  // kubectl ignores the namespace of what has none, too.
  const { namespace: _namespace, ...elsewhere } = wished;
  const own = isInNamespace === false ? elsewhere : wished;
  return asShipped({ apiVersion, kind, metadata: { ...own, name }, ...rest });
}

/** No server has its kinds. */
const KUSTOMIZE = /^kustomize\.config\.k8s\.io\//;

function namelessAs({ name, generateName }: Fields): string {
  if (name != null && name !== '') return 'whose metadata.name is no text: put it in quotes';
  return isText(generateName)
    ? 'with metadata.generateName, of which each apply would make another: give it metadata.name instead'
    : 'without metadata.name: give it a name';
}

/** What is wrong with its metadata beside the name. */
function faultOf(meta: Fields, isInNamespace: boolean | null): string | null {
  const { namespace } = meta;
  if (namespace != null && typeof namespace !== 'string')
    return ', whose metadata.namespace is no text: put it in quotes';
  const [bad] = ['labels', 'annotations'].flatMap((field) => faultOfTexts(`metadata.${field}`, meta[field]));
  if (bad !== undefined) return `, ${bad}`;
  if (isInNamespace !== true || isText(namespace)) return null;
  return ' without metadata.namespace: name the namespace on the site that it belongs to';
}

/** What of the metadata is somebody's wish, and not an API server's record. */
const KEPT = ['namespace', 'labels', 'annotations', 'finalizers'] as const;

/**
 * Annotations in which kubectl and controllers keep records of one object on one cluster. Written by us they
 * would be stale, and a Conflict with the controller that writes them.
 */
const RECORDS: ReadonlySet<string> = new Set([
  'deployment.kubernetes.io/revision',
  'kubectl.kubernetes.io/last-applied-configuration',
  'pv.kubernetes.io/bind-completed',
  'pv.kubernetes.io/bound-by-controller',
  'volume.beta.kubernetes.io/storage-provisioner',
  'volume.kubernetes.io/selected-node',
  'volume.kubernetes.io/storage-provisioner',
]);

function withoutRecords(value: unknown): unknown {
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !RECORDS.has(key)));
}

/** What a ConfigMap or a Secret holds that is no text, by its key alone: null if nothing. */
function badData(kind: string, apiVersion: string, content: Fields): string | null {
  if (apiVersion !== 'v1' || !['ConfigMap', 'Secret'].includes(kind)) return null;
  for (const field of ['data', 'stringData', 'binaryData']) {
    const entries = isFields(content[field]) ? Object.entries(content[field]) : [];
    const [key] = entries.find(([, value]) => value !== null && typeof value !== 'string') ?? [];
    if (key !== undefined)
      return `with a value in ${field}, key ${shown(key)}, that is no text: put it in quotes`;
    const isEncoded = field === 'binaryData' || (field === 'data' && kind === 'Secret');
    const [plain] = (isEncoded && entries.find(([, value]) => !isBase64(value))) || [];
    if (plain !== undefined)
      return `with a value in ${field}, key ${shown(plain)}, that is not in base64: encode it${kind === 'Secret' ? ', or write it in stringData' : ''}`;
  }
  return null;
}

/** Keys have 253 characters at most where they are read, and may have any number here. */
function shown(key: string): string {
  return key.slice(0, 253);
}

/** As Go reads it, which skips line breaks. */
function isBase64(value: unknown): boolean {
  if (typeof value !== 'string') return true;
  const text = value.replaceAll(/[\r\n]/g, '');
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** What is wrong with a map of texts, by its key alone: nothing, or one. */
function faultOfTexts(field: string, value: unknown): string[] {
  if (value == null) return [];
  if (!isFields(value)) return [`whose ${field} is no map: write each entry as "key: text"`];
  const [key, given] = Object.entries(value).find(([, one]) => typeof one !== 'string') ?? [];
  if (key === undefined) return [];
  const remedy = given === null ? 'leave it out, or write ""' : 'put it in quotes';
  return [`with a value in ${field}, key ${shown(key)}, that is no text: ${remedy}`];
}

function tooLarge(manifests: readonly Manifest[]): BadManifests | null {
  const bytes = carriedBytes(manifests);
  if (bytes <= MANIFEST_LIMIT) return null;
  const biggest = manifests
    .map((manifest) => ({ manifest, size: carriedBytes([manifest]) }))
    .toSorted((a, b) => b.size - a.size)
    .slice(0, 3)
    .map(({ manifest, size }) => `${titleOf(manifest)} (${inKib(size)})`);
  const message = `The manifests have ${inKib(bytes)}, more than the ${MANIFEST_LIMIT / 1024} KiB that a ManifestWork may carry. The largest are ${biggest.join(', ')}. Make several Bundles of them.`;
  return { reason: 'TooLarge', where: null, message };
}

/** Rounded up, so that a size above the limit never reads as one below it. */
function inKib(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KiB`;
}

function invalid(where: string | null, message: string): BadManifests {
  return { reason: 'Invalid', where, message };
}

export function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
}

/** One text for each object on a site, whichever version of its group a manifest is written in. */
function objectText({ apiVersion, kind, metadata: { name, namespace = '' } }: Manifest): string {
  return `${groupOf(apiVersion)}/${kind}/${namespace}/${name}`;
}

function titleOf({ kind, metadata: { name, namespace } }: Manifest): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
