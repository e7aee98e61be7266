// The manifests of a Bundle as they are carried, each with a token for its version. Pure.
import { createHash } from 'node:crypto';
import { isAlias, isMap, isScalar, parseAllDocuments, visit, type Document, type YAMLMap } from 'yaml';
import { checkedManifests, type Given } from '../../../../crds/bundle/manifests.ts';
import type { BundleReason } from '../../../../crds/bundle/status.ts';
import type { Manifest } from '../../../../crds/ocm/ocm.ts';
import { fieldsOf } from '../../../../workflows/parse/fields.ts';

/** A manifest, and a text that is another for every version of it. It tells nothing of what a Secret holds. */
export interface Carried {
  readonly manifest: Manifest;
  readonly token: string;
  /** The same without collisions: sites do not see it. */
  readonly long: string;
}

/** Why a Bundle, or a part of it, cannot be shipped, and what would help. */
export interface Refusal {
  readonly reason: BundleReason;
  readonly message: string;
}

export interface Found extends Given {
  /** The version of the object that holds it, if it may be secret; null otherwise. */
  readonly version: string | null;
}

/** Each alias is looked for among all anchors and aliases before it: more of them than this is no file of a person. */
const MOST_ANCHORS = 1000;

/** All YAML documents of a text; null if it is no YAML, or repeats a key or more anchors than a thousand. Lists are taken apart. */
export function documentsOf(text: string): unknown[] | null {
  try {
    // The package compares every key with every other of its map: half a minute for a ConfigMap full of short keys.
    const documents = parseAllDocuments(text, { logLevel: 'silent', uniqueKeys: false });
    if (!Array.isArray(documents)) return [];
    if (documents.some((document) => document.errors.length > 0 || isTooMuch(document))) return null;
    return documents
      .map((document) => document.toJS({ maxAliasCount: 100 }) as unknown)
      .filter((value) => value !== null && value !== undefined)
      .flatMap((value) => itemsOf(value));
  } catch {
    return null;
  }
}

/** Whether a map of the document has a key twice, or the document too many anchors: in time linear in its size. */
function isTooMuch(document: Document): boolean {
  let anchors = 0;
  let isBad = false;
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node) || node.anchor !== undefined) anchors += 1;
      if (isMap(node)) isBad = repeatsKey(node);
      isBad ||= anchors > MOST_ANCHORS;
      return isBad ? visit.BREAK : undefined;
    },
  });
  return isBad;
}

function repeatsKey({ items }: YAMLMap): boolean {
  const keys = items.map(({ key }) => (isScalar(key) ? key.value : key));
  return new Set(keys).size < keys.length;
}

function itemsOf(value: unknown): unknown[] {
  const { kind, items } = fieldsOf(value) ?? {};
  return kind === 'List' && Array.isArray(items) ? items : [value];
}

/** Every manifest with its token, or the first reason why the Bundle cannot be shipped. */
export function carriedOf(found: readonly Found[]): { readonly carried: readonly Carried[] } | Refusal {
  const checked = checkedManifests(found);
  if ('reason' in checked) {
    const { reason, where, message } = checked;
    return { reason, message: where === null ? message : `${where} ${message}.` };
  }
  if (checked.manifests.length === 0)
    return {
      reason: 'Invalid',
      message: 'The Bundle has no manifests: its ConfigMaps and Secrets hold no YAML document.',
    };
  const carried = checked.manifests.map((manifest, index) => ({
    manifest,
    ...tokensOf(found[index] as Found, manifest),
  }));
  return { carried };
}

/** Of what is secret only the version counts: from a hash of its content somebody could guess that. */
function tokensOf({ where, version }: Found, manifest: Manifest): Pick<Carried, 'token' | 'long'> {
  const long = longHashOf(version === null ? [manifest] : [where, version]);
  return { token: shortHash(long), long };
}

/** Twelve hex digits over a value's JSON with sorted keys. */
export function hashOf(value: unknown): string {
  return shortHash(longHashOf(value));
}

/** All 64 of them. */
export function longHashOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex');
}

function shortHash(long: string): string {
  return long.slice(0, 12);
}

/** With the keys of all objects in the order in which API servers keep them. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]),
  );
}
