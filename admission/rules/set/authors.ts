// The annotations on a CappSet or a Bundle that name who changed it last and who asked for something. Only
// the webhook writes them.
import { LAST_UPDATED_BY, SET_REQUESTS } from '../../../crds/labels.ts';
import { textAt } from '../../fields.ts';
import { annotate } from '../../patch.ts';
import { hasChanged, isControlPlane } from '../../request.ts';
import type { AdmissionRule } from '../../rule.ts';
import { authorsOf } from '../metadata/requested-by.ts';

const editor: AdmissionRule = (request, known) => {
  if (isControlPlane(request, known.namespace)) return {};
  const { object, oldObject, username } = request;
  const before = textAt(oldObject, 'metadata', 'annotations', LAST_UPDATED_BY);
  return { patches: annotate(object, LAST_UPDATED_BY, hasChanged(request, 'spec') ? username : before) };
};

export const SET_AUTHORS: readonly AdmissionRule[] = [editor, authorsOf(SET_REQUESTS)];
