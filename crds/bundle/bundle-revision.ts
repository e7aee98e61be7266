// BundleRevision: what a Bundle shipped as it was, so that a rollout can go back to it.
//
// The schema takes any manifests: what a version accepted must not be refused here by another.
import type { KubeObject } from '../../kube/resource.ts';
import { digestOf } from '../digest.ts';
import type { BundlePattern } from './bundle.ts';

export const BUNDLE_REVISION_KIND = {
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'BundleRevision',
  plural: 'bundlerevisions',
  namespaced: true,
  keepsDigits: true,
} as const;

/** So many a Bundle keeps. */
export const BUNDLE_REVISIONS_KEPT = 10;

export const BUNDLE_REVISION_SCHEMA: object = {
  type: 'object',
  required: ['revision', 'pattern'],
  properties: {
    revision: { type: 'string', description: 'As status.revision of the Bundle named it.' },
    pattern: {
      type: 'object',
      description:
        'What of the spec of the Bundle was shipped. ConfigMaps and Secrets are named, not copied.',
      'x-kubernetes-preserve-unknown-fields': true,
    },
    secrets: {
      type: 'string',
      description: 'The version of the Secrets that are written into the manifests themselves.',
    },
  },
};

export interface BundleRevision extends KubeObject {
  readonly spec: {
    readonly revision: string;
    readonly pattern: BundlePattern;
    readonly secrets: string;
  };
}

/**
 * `<Bundle>-<revision>`. Where that would be too long for a name, the Bundle's is cut and a hash of it stands
 * behind: two Bundles that ship the same have the same revision, and neither may take the other's name.
 */
export function bundleRevisionName(bundle: string, revision: string): string {
  const plain = `${bundle}-${revision}`;
  if (plain.length <= LONGEST) return plain;
  const end = `-${digestOf(bundle, 10)}-${revision}`;
  return `${bundle.slice(0, LONGEST - end.length).replace(/[-.]+$/, '')}${end}`;
}

const LONGEST = 253;

/** Under which it may be kept: an earlier version wrote twelve digits of its name. */
export function bundleRevisionNames(bundle: string, revision: string): readonly [string, ...string[]] {
  return [bundleRevisionName(bundle, revision), bundleRevisionName(bundle, revision.slice(0, 12))];
}

export function patternOf({
  manifests,
  manifestsFrom,
  ready,
  plurals,
  executor,
  onRemoval,
}: BundlePattern): BundlePattern {
  return {
    ...(manifests === undefined ? {} : { manifests }),
    ...(manifestsFrom === undefined ? {} : { manifestsFrom }),
    ...(ready === undefined ? {} : { ready }),
    ...(plurals === undefined ? {} : { plurals }),
    ...(executor === undefined ? {} : { executor }),
    onRemoval,
  };
}
