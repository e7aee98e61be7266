// A CappRevision of a Capp: its name, its content, and what of the Capp counts as a change. Pure.
import { createHash } from 'node:crypto';
import { CAPP_REVISION } from '../../crds/capp-revision.ts';
import type { Capp } from '../../crds/capp/capp.ts';
import { APPLIED, CAPP_OF_REVISION } from '../../crds/labels.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { ownerOf, ownLabels } from '../objects/owned.ts';

/** What tools and the system itself note there says nothing about the app, and changes all the time. */
const NOTES = ['rcs.dana.io/', 'kubectl.kubernetes.io/'] as const;

export interface CappRevision extends KubeObject {
  readonly spec?: {
    readonly revisionNumber: number;
    readonly cappTemplate: CappTemplate;
  };
}

interface CappTemplate {
  readonly cappSpec: unknown;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Takes a Capp as its API server has it. */
export function cappRevision(capp: Capp, revisionNumber: number): CappRevision {
  const { name, namespace } = capp.metadata;
  const cappTemplate = templateOf(capp);
  return {
    apiVersion: CAPP_REVISION.apiVersion,
    kind: CAPP_REVISION.kind,
    metadata: {
      name: revisionName(name, revisionNumber),
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...ownLabels(capp), [CAPP_OF_REVISION]: name },
      annotations: { [APPLIED]: fingerprintOf(capp) },
      ownerReferences: [ownerOf(capp)],
    },
    spec: { revisionNumber, cappTemplate },
  };
}

/** The same for Capps that differ in nothing that a revision has. */
export function fingerprintOf(capp: Capp): string {
  return hashOf(templateOf(capp));
}

/** The same, of what a revision has, whoever made it; undefined if it has nothing. */
export function fingerprintIn(revision: CappRevision | null): string | undefined {
  const template = revision?.spec?.cappTemplate;
  if (template === undefined) return undefined;
  // Their maker leaves out what is empty.
  const { cappSpec, labels, annotations }: Partial<CappTemplate> = template;
  return hashOf({ cappSpec, labels: labels ?? {}, annotations: withoutNotes(annotations ?? {}) });
}

function hashOf(template: CappTemplate): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(template)))
    .digest('hex')
    .slice(0, 16);
}

function templateOf({ spec, metadata: { labels = {}, annotations = {} } }: Capp): CappTemplate {
  return { cappSpec: spec, labels, annotations: withoutNotes(annotations) };
}

function withoutNotes(annotations: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(annotations).filter(([key]) => !NOTES.some((prefix) => key.startsWith(prefix))),
  );
}

/** API servers may give the keys of an object in any order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

const LONGEST = 63;
const HASH = 32;

/** As Knative names children: with a hash in place of the end of a name that leaves no room for the number. */
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
