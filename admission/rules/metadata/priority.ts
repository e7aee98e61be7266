// The priority of a Capp among those that leave a site together is a bounded whole number.
import { PRIORITY } from '../../../crds/labels.ts';
import { HIGHEST_PRIORITY, parsePriority } from '../../../crds/capp/requests.ts';
import { textAt } from '../../fields.ts';
import type { AdmissionRule } from '../../rule.ts';
import { hasChanged } from '../../request.ts';

const PATH = ['metadata', 'annotations', PRIORITY] as const;

export const priority: AdmissionRule = (request) => {
  const message = hasChanged(request, ...PATH) ? priorityFault(textAt(request.object, ...PATH)) : null;
  if (message === null) return {};
  const field = `metadata.annotations[${PRIORITY}]`;
  return { problems: [{ field, reason: 'FieldValueInvalid', message, fromCache: false }] };
};

/** What is wrong with the annotation's value; null for one that is fine, and for none. */
export function priorityFault(value: string): string | null {
  if (value === '' || Math.abs(parsePriority(value) ?? Infinity) <= HIGHEST_PRIORITY) return null;
  return `"${value}" is not a whole number between -${HIGHEST_PRIORITY} and ${HIGHEST_PRIORITY}: use one such as 10, or remove the annotation for 0. Among Capps that leave a site together, the highest goes first`;
}
