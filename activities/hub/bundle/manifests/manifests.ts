// The manifests of a Bundle as they are carried, each with a token for its version. Pure.
import { createHash } from 'node:crypto';
import { checkedManifests, type Given } from '../../../../crds/bundle/manifests.ts';
import type { BundleReason } from '../../../../crds/bundle/status.ts';
import type { Manifest } from '../../../../crds/ocm/ocm.ts';
import { isDigits } from '../../../../kube/files/digits.ts';

/** A manifest, and a text that is another for every version of it. It tells nothing of what a Secret holds. */
export interface Carried {
  readonly manifest: Manifest;
  readonly token: string;
  /** The same without collisions: sites do not see it. */
  readonly long: string;
  /** It may be secret, so its token is of the place and the version of what holds it, and not of what it says. */
  readonly isVeiled: boolean;
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
    isVeiled: found[index]?.version !== null,
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
  if (typeof value !== 'object' || value === null || isDigits(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]),
  );
}
