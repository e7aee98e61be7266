// The priority of a Capp among those that leave a site together is a bounded whole number.
import { PRIORITY } from '../../../crds/labels.ts';
import { HIGHEST_PRIORITY, parsePriority } from '../../../crds/capp/requests.ts';
import { textAt } from '../../fields.ts';
import type { Rule } from '../../rule.ts';
import { hasChanged } from '../../request.ts';

const PATH = ['metadata', 'annotations', PRIORITY] as const;

export const priority: Rule = (request) => {
  const value = textAt(request.object, ...PATH);
  if (
    !hasChanged(request, ...PATH) ||
    value === '' ||
    Math.abs(parsePriority(value) ?? Infinity) <= HIGHEST_PRIORITY
  )
    return {};
  const message = `"${value}" is not a whole number between -${HIGHEST_PRIORITY} and ${HIGHEST_PRIORITY}: use one such as 10, or remove the annotation for 0. Among Capps that leave a site together, the highest goes first`;
  return {
    problems: [
      { field: `metadata.annotations[${PRIORITY}]`, reason: 'FieldValueInvalid', message, fromCache: false },
    ],
  };
};
