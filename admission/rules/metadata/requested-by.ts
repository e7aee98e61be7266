// For each annotation by which a person asks the hub for something, a second one names that user. Only the
// webhook writes it.
import { REQUESTS, requestedBy as byOf } from '../../../crds/labels.ts';
import { textAt } from '../../fields.ts';
import type { AdmissionRule } from '../../rule.ts';
import { annotate, type Operation } from '../../patch.ts';
import { hasChanged, isControlPlane, type AdmissionRequest } from '../../request.ts';

export const requestedBy: AdmissionRule = authorsOf(REQUESTS);

/**
 * The same for the annotations of another kind. Each patch rests on those before it, which may make the
 * annotations.
 */
export function authorsOf(annotations: readonly string[]): AdmissionRule {
  return (request, known) => {
    if (isControlPlane(request, known.namespace)) return {};
    return { patches: annotations.flatMap((annotation) => named(request, annotation)) };
  };
}

/** An unchanged request keeps its author; without a request there is none. */
function named(request: AdmissionRequest, annotation: string): Operation[] {
  const { object, oldObject, username } = request;
  const by = byOf(annotation);
  if (textAt(object, 'metadata', 'annotations', annotation) === '') return annotate(object, by, '');
  const before = textAt(oldObject, 'metadata', 'annotations', by);
  const author = hasChanged(request, 'metadata', 'annotations', annotation) ? username : before;
  return annotate(object, by, author);
}
