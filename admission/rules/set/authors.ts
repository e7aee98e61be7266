// The annotations on a CappSet or a Bundle that name who changed it last and who asked for something. Only
// the webhook writes them.
import { LAST_UPDATED_BY, SET_REQUESTS } from '../../../crds/labels.ts';
import { textAt } from '../../fields.ts';
import { annotate, applied } from '../../patch.ts';
import { hasChanged, isControlPlane } from '../../request.ts';
import type { AdmissionRule } from '../../rule.ts';
import { authorsOf } from '../metadata/requested-by.ts';

const requesters = authorsOf(SET_REQUESTS);

export const setAuthors: AdmissionRule = (request, known) => {
  if (isControlPlane(request, known.namespace)) return {};
  const { object, oldObject, username } = request;
  const before = textAt(oldObject, 'metadata', 'annotations', LAST_UPDATED_BY);
  const editor = hasChanged(request, 'spec') ? username : before;
  const edited = annotate(object, LAST_UPDATED_BY, editor === '' ? null : editor);
  const asked = requesters({ ...request, object: applied(object, edited) }, known);
  return { patches: [...edited, ...(asked.patches ?? [])] };
};
