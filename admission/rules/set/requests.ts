// What a person asks of a CappSet or a Bundle by annotation has the form `<target>#<id>`, so that nothing is
// done twice.
import { parseMoveRequest } from '../../../crds/capp/requests.ts';
import { ABORT, APPROVE, APPROVE_REMOVAL, RETRY } from '../../../crds/labels.ts';
import { textAt } from '../../fields.ts';
import { hasChanged } from '../../request.ts';
import type { Problem, AdmissionRule } from '../../rule.ts';

interface Form {
  readonly spelling: string;
  /** Null for what may name nothing. */
  readonly target: RegExp | null;
}

const FORMS: Readonly<Record<string, Form>> = {
  [APPROVE]: {
    spelling:
      '<stage>#<revision>, with the revision that status.revision has; to approve it once more, <stage>#<revision>/<id>, where the id is a word not used before',
    target: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
  },
  [ABORT]: {
    spelling: '<revision>#<id>, with the revision that status.revision has, and a word not used before',
    target: /^[0-9a-f]+$/,
  },
  [RETRY]: {
    spelling: '<site>#<id>, or #<id> for all sites, where the id is a word not used before',
    target: null,
  },
  [APPROVE_REMOVAL]: {
    spelling:
      '<number of sites>#<set>, with the set that status.heldRemoval.set has; to allow it once more, <number of sites>#<set>/<id>, where the id is a word not used before',
    target: /^[1-9]\d{0,5}$/,
  },
};

export const setRequests: AdmissionRule = (request) => ({
  problems: Object.entries(FORMS).flatMap(([annotation, form]) => {
    const value = textAt(request.object, 'metadata', 'annotations', annotation);
    const isAsked = value !== '' && hasChanged(request, 'metadata', 'annotations', annotation);
    return isAsked && !fits(value, form) ? [problem(annotation, value, form)] : [];
  }),
});

function fits(value: string, { target }: Form): boolean {
  const asked = parseMoveRequest(value);
  return asked !== null && (target === null || target.test(asked.to ?? ''));
}

function problem(annotation: string, value: string, { spelling }: Form): Problem {
  return {
    field: `metadata.annotations[${annotation}]`,
    reason: 'FieldValueInvalid',
    message: `"${value}" is not of the form ${spelling}`,
    fromCache: false,
  };
}
