// The annotation by which a Capp goes before or after others when many leave a site together: a whole number, and a bounded one.
import { PRIORITY } from '../../crds/labels.ts';
import { HIGHEST_PRIORITY, parsePriority } from '../../crds/capp/requests.ts';
import { textAt } from '../fields.ts';
import type { Rule } from '../opinion.ts';
import { hasChanged } from '../request.ts';

const PATH = ['metadata', 'annotations', PRIORITY] as const;

export const priority: Rule = (request) => {
  const value = textAt(request.object, ...PATH);
  if (!hasChanged(request, ...PATH) || value === '' || Math.abs(parsePriority(value) ?? Infinity) <= HIGHEST_PRIORITY) return {};
  const message = `"${value}" is not a whole number between -${HIGHEST_PRIORITY} and ${HIGHEST_PRIORITY}: use one such as 10, or remove the annotation for 0. Among Capps that leave a site together, the highest goes first`;
  return { problems: [{ field: `metadata.annotations[${PRIORITY}]`, reason: 'FieldValueInvalid', message, looked: false }] };
};
