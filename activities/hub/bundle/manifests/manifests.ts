// The manifests of a Bundle as they are carried, each with a token for its version. Pure.
import { checkedManifests, type Given } from '../../../../crds/bundle/manifests.ts';
import type { BundleReason } from '../../../../crds/bundle/status.ts';
import { canonical, digestOf } from '../../../../crds/digest.ts';
import type { Manifest } from '../../../../crds/ocm/ocm.ts';

/** Hex digits that sites see. */
const SHORT = 12;

/**
 * A manifest, and a text that is another for every version of it. It tells nothing of what a Secret holds.
 */
export interface Carried {
  readonly manifest: Manifest;
  readonly token: string;
  /** The same without collisions: sites do not see it. */
  readonly long: string;
  /**
   * It may be secret, so its token is of the place and the version of what holds it, and not of what it says.
   */
  readonly isVeiled: boolean;
}

/** Why a Bundle, or a part of it, cannot be shipped, and what would help. */
export interface Refusal {
  readonly reason: BundleReason;
  readonly message: string;
}

export interface FoundManifest extends Given {
  /** The version of the object that holds it, if it may be secret; null otherwise. */
  readonly version: string | null;
}

/** Every manifest with its token, or the first reason why the Bundle cannot be shipped. */
export function carriedOf(
  found: readonly FoundManifest[],
): { readonly carried: readonly Carried[] } | Refusal {
  const checked = checkedManifests(found);
  if ('reason' in checked) {
    const { reason, where, message } = checked;
    return { reason, message: where === null ? message : `${where} ${message}.` };
  }
  if (checked.manifests.length === 0)
    return {
      reason: 'Invalid',
      message:
        'The Bundle has no manifests, since its ConfigMaps and Secrets hold no YAML document: write one there, or into spec.manifests.',
    };
  const carried = checked.manifests.map((manifest, index) => ({
    manifest,
    ...tokensOf(found[index] as FoundManifest, manifest),
    isVeiled: found[index]?.version !== null,
  }));
  return { carried };
}

/** Of what is secret only the version counts: from a hash of its content somebody could guess that. */
function tokensOf({ where, version }: FoundManifest, manifest: Manifest): Pick<Carried, 'token' | 'long'> {
  const long = longHashOf(version === null ? [manifest] : [where, version]);
  return { token: long.slice(0, SHORT), long };
}

/** Twelve hex digits over a value's JSON with sorted keys. */
export function hashOf(value: unknown): string {
  return longHashOf(value).slice(0, SHORT);
}

/** All 64 of them. */
export function longHashOf(value: unknown): string {
  return digestOf(canonical(value), 64);
}
