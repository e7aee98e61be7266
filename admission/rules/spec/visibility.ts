// The visibility of a Capp: Knative knows one value, and a private Capp answers under no hostname.
import { CLUSTER_LOCAL, isPrivate, VISIBILITY } from '../../../crds/knative/visibility.ts';
import { at, textAt } from '../../fields.ts';
import type { Common } from '../../known.ts';
import type { Problem, AdmissionRule } from '../../rule.ts';
import { hasChanged, type AdmissionRequest } from '../../request.ts';

const TEMPLATE = ['spec', 'configurationSpec', 'template', 'metadata'] as const;
const PLACES = [['metadata'], TEMPLATE].flatMap((path) =>
  ['labels', 'annotations'].map((kind) => [...path, kind, VISIBILITY]),
);

export const visibility: AdmissionRule<Common> = (request) => ({
  problems: PLACES.flatMap((path) => ofValue(request, path)),
  warnings: idleHostname(request),
});

function ofValue(request: AdmissionRequest, path: readonly string[]): Problem[] {
  const value = at(request.object, ...path);
  if (value === undefined || value === CLUSTER_LOCAL || !hasChanged(request, ...path)) return [];
  const field = `${path.slice(0, -1).join('.')}[${VISIBILITY}]`;
  const message = `Knative knows only ${CLUSTER_LOCAL}, for a Capp that nobody reaches from outside its site: write that, or leave it out`;
  return [{ field, reason: 'FieldValueInvalid', message, fromCache: false }];
}

function idleHostname({ object }: AdmissionRequest): string[] {
  const hostname = textAt(object, 'spec', 'routeSpec', 'hostname');
  const metadata = at(object, 'metadata');
  const asked = { metadata: metadata ?? {}, spec: at(object, 'spec') ?? {} };
  if (hostname === '' || !isPrivate(asked as Parameters<typeof isPrivate>[0])) return [];
  return [
    `spec.routeSpec.hostname has no effect: ${VISIBILITY} makes the Capp private, so no name of its own leads to it.`,
  ];
}
