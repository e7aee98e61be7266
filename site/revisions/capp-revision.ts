// A CappRevision of a site's Capp, and what of the Capp counts as a change. Pure.
import { canonical, digestOf } from '../../crds/digest.ts';
import {
  CAPP_REVISION,
  revisionName,
  templateOf,
  withoutNotes,
  type CappRevision,
  type CappTemplate,
} from '../../crds/capp-revision.ts';
import type { Capp } from '../../crds/capp/capp.ts';
import { APPLIED, CAPP_OF_REVISION } from '../../crds/labels.ts';
import { ownerOf, ownLabels } from '../objects/owned.ts';

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
  return digestOf(canonical(template), 16);
}
