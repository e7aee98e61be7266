// SetRevision: the template of a CappSet as it was, so that a rollout can go back to it.
//
// The schema takes any template: one that a version accepted must not be refused here by another.
import type { KubeObject } from '../../kube/resource.ts';
import type { RevisionContent } from './render.ts';

export const SET_REVISION_KIND = {
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'SetRevision',
  plural: 'setrevisions',
  namespaced: true,
} as const;

/** So many a set keeps. */
export const SET_REVISIONS_KEPT = 10;

const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

export const SET_REVISION_SCHEMA: object = {
  type: 'object',
  required: ['revision', 'template'],
  properties: {
    revision: { type: 'string', description: 'As status.revision of the set named it.' },
    template: { ...anything, description: 'spec.template of the set.' },
    overrides: { type: 'array', items: anything, description: 'spec.overrides of the set.' },
  },
};

export interface SetRevision extends KubeObject {
  readonly spec: RevisionContent & { readonly revision: string };
}

export function setRevisionName(set: string, revision: string): string {
  return `${set}-${revision}`;
}

/** Under which it may be kept: an earlier version wrote ten digits of its name. */
export function setRevisionNames(set: string, revision: string): readonly [string, ...string[]] {
  return [setRevisionName(set, revision), setRevisionName(set, revision.slice(0, 10))];
}
