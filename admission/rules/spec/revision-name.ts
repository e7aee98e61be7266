// A Capp may name its revision. Knative changes no revision, so the name must be another one with each edit
// of what the revision is made of (knative.dev/serving, pkg/apis/serving/v1/revision_validation.go).
import { isDeepStrictEqual } from 'node:util';
import { templateLabels } from '../../../crds/knative/template-labels.ts';
import { isFields } from '../../../kube/fields.ts';
import { at, textAt } from '../../fields.ts';
import type { Common } from '../../known.ts';
import type { Problem, AdmissionRule } from '../../rule.ts';
import { hasChanged, type AdmissionRequest } from '../../request.ts';
import { isDnsLabel } from './pod/names.ts';

const NAME = ['spec', 'configurationSpec', 'template', 'metadata', 'name'] as const;

/** What the template of the Knative Service is made of, beside labels. */
const MADE_OF = [
  ['spec', 'configurationSpec', 'template'],
  ['spec', 'minReplicas'],
  ['spec', 'routeSpec', 'routeTimeoutSeconds'],
  ['spec', 'scaleMetric'],
  ['spec', 'scaleSpec'],
  ['spec', 'volumesSpec'],
] as const;

export const revisionName: AdmissionRule<Common> = (request) => {
  const name = textAt(request.object, ...NAME);
  if (name === '') return {};
  const message = faultOf(name, request);
  return message === null ? {} : { problems: [problem(message)] };
};

function faultOf(name: string, request: AdmissionRequest): string | null {
  const prefix = `${request.name}-`;
  if (hasChanged(request, ...NAME)) return faultOfNew(name, prefix);
  return isRunning(request.oldObject) && isRunning(request.object) && isAnother(request)
    ? `is the name of the former revision, which Knative does not change: give this one another that begins with "${prefix}", or leave it out`
    : null;
}

function faultOfNew(name: string, prefix: string): string | null {
  if (!name.startsWith(prefix))
    return `must begin with "${prefix}", as Knative names revisions: correct it, or leave it out`;
  return isDnsLabel(name)
    ? null
    : 'must be at most 63 lower-case letters, digits and "-", with a letter or digit at its end: correct it, or leave it out';
}

/** A disabled Capp has no revisions. */
function isRunning(capp: unknown): boolean {
  return textAt(capp, 'spec', 'state') !== 'disabled';
}

function isAnother(request: AdmissionRequest): boolean {
  if (MADE_OF.some((path) => hasChanged(request, ...path))) return true;
  const [now, before] = [request.object, request.oldObject].map((capp) => labelsOf(capp));
  return !isDeepStrictEqual(now, before);
}

function labelsOf(capp: unknown): Record<string, string> {
  const labels = at(capp, 'metadata', 'labels');
  return templateLabels(isFields(labels) ? (labels as Record<string, string>) : {});
}

function problem(message: string): Problem {
  return { field: NAME.join('.'), reason: 'FieldValueInvalid', message, fromCache: false };
}
