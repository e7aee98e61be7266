// Move requests by annotation have the form `<site>#<id>`, so that none is answered twice, and name a site
// that exists.
import { FORCE, MIGRATE } from '../../../crds/labels.ts';
import { MOVE_REQUEST_SPELLING, parseMoveRequest } from '../../../crds/capp/requests.ts';
import type { HubKnowledge } from '../../known.ts';
import { textAt } from '../../fields.ts';
import { listed, type Problem, type AdmissionRule } from '../../rule.ts';
import { hasChanged } from '../../request.ts';
import { pinRefused } from '../spec/site.ts';

export const requests: AdmissionRule = (request, known) => {
  const asked = [MIGRATE, FORCE].filter((annotation) =>
    hasChanged(request, 'metadata', 'annotations', annotation),
  );
  return {
    problems: asked.flatMap((annotation) =>
      check(annotation, textAt(request.object, 'metadata', 'annotations', annotation), known),
    ),
  };
};

function check(annotation: string, value: string, known: HubKnowledge): Problem[] {
  if (value === '') return [];
  const asked = parseMoveRequest(value);
  if (asked === null)
    return [problem(annotation, `"${value}" is not of the form ${MOVE_REQUEST_SPELLING}`, false)];
  return asked.to === null ? [] : unknownSite(annotation, asked.to, known);
}

function unknownSite(annotation: string, target: string, known: HubKnowledge): Problem[] {
  const sites = known.sites().filter(({ isHub }) => !isHub);
  const found = sites.find(({ name }) => name === target);
  if (found?.mayPin === true) return [];
  if (found !== undefined)
    return [{ field: fieldOf(annotation), ...pinRefused(known, target), fromCache: true }];
  return [
    problem(
      annotation,
      `there is no site "${target}": name one that there is (${listed(sites.map(({ name }) => name))})`,
      true,
    ),
  ];
}

function problem(annotation: string, message: string, fromCache: boolean): Problem {
  const reason = fromCache ? 'FieldValueNotFound' : 'FieldValueInvalid';
  return { field: fieldOf(annotation), reason, message, fromCache };
}

function fieldOf(annotation: string): string {
  return `metadata.annotations[${annotation}]`;
}
