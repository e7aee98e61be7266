// The annotations on a Drain that name who created it and who changed it last. Only the webhook writes them.
import { LAST_UPDATED_BY, REQUESTED_BY } from '../../../crds/labels.ts';
import { textAt } from '../../fields.ts';
import { annotateAll } from '../../patch.ts';
import type { AdmissionRule } from '../../rule.ts';
import { hasChanged } from '../../request.ts';

export const drainAuthors: AdmissionRule = (request) => {
  const { object, oldObject, operation, username } = request;
  const before = (annotation: string): string => textAt(oldObject, 'metadata', 'annotations', annotation);
  const isNew = operation === 'CREATE';
  const creator = isNew ? username : before(REQUESTED_BY);
  const editor = !isNew && hasChanged(request, 'spec') ? username : before(LAST_UPDATED_BY);
  return {
    patches: annotateAll(object, [
      [REQUESTED_BY, creator],
      [LAST_UPDATED_BY, editor],
    ]),
  };
};
