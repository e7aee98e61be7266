// CappRevision: what a Capp was, so that people can see what changed and when, and go back to it.
//
// The schema takes any Capp: a Capp that one version accepted must not be refused here by another.
import { createHash } from 'node:crypto';
import type { KubeObject } from '../kube/resource.ts';
import type { Capp } from './capp/capp.ts';

export const CAPP_REVISION = {
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind: 'CappRevision',
  plural: 'capprevisions',
  namespaced: true,
} as const;

const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const texts = { type: 'object', additionalProperties: { type: 'string' } };

export const CAPP_REVISION_SCHEMA: object = {
  type: 'object',
  required: ['revisionNumber', 'cappTemplate'],
  properties: {
    revisionNumber: {
      type: 'integer',
      format: 'int64',
      description: 'Grows with each change of the Capp.',
    },
    cappTemplate: {
      type: 'object',
      required: ['cappSpec'],
      description: 'The Capp as it was.',
      properties: { cappSpec: anything, labels: texts, annotations: texts },
    },
  },
};

/** What tools and the system itself note there says nothing about the app, and changes all the time. */
const NOTES = ['rcs.dana.io/', 'kubectl.kubernetes.io/'] as const;

export interface CappRevision extends KubeObject {
  readonly spec?: {
    readonly revisionNumber: number;
    readonly cappTemplate: CappTemplate;
  };
}

export interface CappTemplate {
  readonly cappSpec: unknown;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** What a revision keeps of a Capp, as its API server has it. */
export function templateOf({ spec, metadata: { labels = {}, annotations = {} } }: Capp): CappTemplate {
  return { cappSpec: spec, labels, annotations: withoutNotes(annotations) };
}

/** Annotations that say something about the app. */
export function withoutNotes(annotations: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(annotations).filter(([key]) => !NOTES.some((prefix) => key.startsWith(prefix))),
  );
}

const LONGEST = 63;
const HASH = 32;

/**
 * As Knative names children: with a hash in place of the end of a name that leaves no room for the number.
 */
export function revisionName(capp: string, revisionNumber: number): string {
  const suffix = `-${String(revisionNumber).padStart(5, '0')}`;
  if (capp.length + suffix.length <= LONGEST) return `${capp}${suffix}`;
  const hash = createHash('md5').update(capp).digest('hex');
  return `${capp.slice(0, LONGEST - HASH - suffix.length)}${hash}${suffix}`;
}

/** The number in a name; 0 for a name of somebody else's. */
export function numberOf({ metadata: { name } }: KubeObject): number {
  return Number(/-(\d{5,15})$/.exec(name)?.[1] ?? 0);
}

/** Another Capp of the same name has another uid. */
export function isRevisionOf(uid: string | undefined, { metadata }: KubeObject): boolean {
  return uid !== undefined && metadata.ownerReferences?.some((owner) => owner.uid === uid) === true;
}
