// What the chart's policies refuse of the annotations that only the webhook and the hub write, on objects
// that are being deleted: where an API server holds no policies, the webhook alone refuses it.
import { LAST_UPDATED_BY, HUB_NOTES, REQUESTED_BY, REQUESTS, requestedBy } from '../../../crds/labels.ts';
import { textAt } from '../../fields.ts';
import { isControlPlane, type AdmissionRequest } from '../../request.ts';
import type { AdmissionRule, Problem } from '../../rule.ts';

const PATH = ['metadata', 'annotations'] as const;

/** Of a Capp. */
export const forgedWhileDeleting: AdmissionRule = (request, known) => {
  if (isControlPlane(request, known.namespace)) return {};
  const { object, oldObject, username } = request;
  const [is, was] = [object, oldObject].map((of) => (name: string) => textAt(of, ...PATH, name));
  if (is === undefined || was === undefined) return {};
  const isNamed = (name: string): boolean => {
    const by = is(requestedBy(name));
    const isOfAuthor = is(name) !== '' && by === username;
    return by === '' || isOfAuthor || (by === was(requestedBy(name)) && ['', was(name)].includes(is(name)));
  };
  const names = REQUESTS.filter((name) => !isNamed(name)).map(requestedBy);
  const noted = HUB_NOTES.filter((name) => !['', was(name)].includes(is(name)));
  return { problems: [...[...names, ...editor(request)].map(named(username)), ...noted.map(hubs)] };
};

/** Of a Drain: who asked for it stays, whatever comes. */
export const forgedDrainWhileDeleting: AdmissionRule = (request) => {
  const [is, was] = [request.object, request.oldObject].map((of) => textAt(of, ...PATH, REQUESTED_BY));
  const names = [...(is === was ? [] : [REQUESTED_BY]), ...editor(request)];
  return { problems: names.map(named(request.username)) };
};

function editor({ object, oldObject, username }: AdmissionRequest): string[] {
  const [is = '', was = ''] = [object, oldObject].map((of) => textAt(of, ...PATH, LAST_UPDATED_BY));
  return ['', username, was].includes(is) ? [] : [LAST_UPDATED_BY];
}

function named(username: string): (annotation: string) => Problem {
  return (annotation) =>
    problem(annotation, `names the user who asked: leave it as it is, or write ${username}`);
}

function hubs(annotation: string): Problem {
  return problem(
    annotation,
    'is what the hub notes of the Capp, and the hub alone writes it: leave it as it is',
  );
}

function problem(annotation: string, message: string): Problem {
  const field = `${PATH.join('.')}[${annotation}]`;
  return { field, reason: 'FieldValueInvalid', message, fromCache: false };
}
