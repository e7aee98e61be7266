// Who asked, of each annotation by which a person asks the hub for something: the user as the API server knows them, written by us alone.
import { REQUESTS, requestedBy as byOf } from '../../crds/labels.ts';
import { textAt } from '../fields.ts';
import type { Rule } from '../opinion.ts';
import { annotate, type Operation } from '../patch.ts';
import { hasChanged, isControlPlane, type Request } from '../request.ts';

export const requestedBy: Rule = (request, known) => {
  if (isControlPlane(request, known.namespace)) return {};
  return { patches: REQUESTS.flatMap((annotation) => named(request, annotation)) };
};

/** A request that stands as it was keeps its author; without a request there is none. */
function named(request: Request, annotation: string): Operation[] {
  const { object, oldObject, username } = request;
  const by = byOf(annotation);
  if (textAt(object, 'metadata', 'annotations', annotation) === '') return annotate(object, by, null);
  const before = textAt(oldObject, 'metadata', 'annotations', by);
  const author = hasChanged(request, 'metadata', 'annotations', annotation) ? username : before;
  return annotate(object, by, author === '' ? null : author);
}
