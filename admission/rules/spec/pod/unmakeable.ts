// What Knative takes and Kubernetes refuses of each Pod that is made of it: nobody would say so before the
// deadline. What it asks is Kubernetes' own validation (k8s.io/kubernetes, pkg/apis/core/validation).
import type { Common } from '../../../known.ts';
import { isFields } from '../../../../kube/fields.ts';
import { at, listAt, textAt } from '../../../fields.ts';
import { newly } from '../../../newly.ts';
import { hasChanged } from '../../../request.ts';
import type { Problem, AdmissionRule } from '../../../rule.ts';
import { annotationsDoubtful, annotationsUnmakeable } from './annotations.ts';
import { containersOf, isThere, POD, problem, quoted } from './found.ts';
import { isLabelValue, isQualifiedName, WORD_SAYS } from './names.ts';
import { containersUnmakeable } from './unmakeable-containers.ts';
import { volumesUnmakeable } from './unmakeable-volumes.ts';

const TEMPLATE = ['spec', 'configurationSpec', 'template'] as const;
/** Enough to see what is wrong. */
const MOST = 10;

export const unmakeable: AdmissionRule<Common> = (request) =>
  hasChanged(request, ...TEMPLATE)
    ? {
        problems: newly(request, found).slice(0, MOST),
        warnings: newly(request, annotationsDoubtful).map(({ field, message }) => `${field}: ${message}.`),
      }
    : {};

function found(object: unknown): Problem[] {
  const containers = containersOf(object);
  const metadata = at(object, ...TEMPLATE, 'metadata');
  const selector = at(object, ...POD, 'nodeSelector');
  const path = `${TEMPLATE.join('.')}.metadata`;
  return [
    ...labelProblems(at(metadata, 'labels'), `${path}.labels`),
    ...keyProblems(at(metadata, 'annotations'), `${path}.annotations`, (key) => key.toLowerCase()),
    ...annotationsUnmakeable(object),
    ...labelProblems(selector, `${POD.join('.')}.nodeSelector`),
    ...containersUnmakeable(containers),
    ...volumesUnmakeable(listAt(object, ...POD, 'volumes'), `${POD.join('.')}.volumes`),
    ...listAt(object, ...POD, 'tolerations').flatMap((one, index) =>
      tolerationProblems(one, `${POD.join('.')}.tolerations[${index}]`),
    ),
  ];
}

function labelProblems(labels: unknown, path: string): Problem[] {
  const values = Object.entries(isFields(labels) ? labels : {})
    .filter(([, value]) => typeof value === 'string' && !isLabelValue(value))
    .map(([key, value]) =>
      problem(
        `${path}[${key.slice(0, 63)}]`,
        `${quoted(String(value))} is no value of a label: write ${WORD_SAYS}`,
      ),
    );
  return [...keyProblems(labels, path, (key) => key), ...values];
}

/** Of an annotation Kubernetes reads the key in lower case. */
function keyProblems(map: unknown, path: string, read: (key: string) => string): Problem[] {
  return Object.keys(isFields(map) ? map : {})
    .filter((key) => !isQualifiedName(read(key)))
    .map((key) =>
      problem(
        `${path}[${key.slice(0, 63)}]`,
        `${quoted(key)} is no key: write ${WORD_SAYS}; before it may stand a DNS name with /`,
      ),
    );
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function tolerationProblems(one: unknown, path: string): Problem[] {
  const [key, operator, value, effect] = ['key', 'operator', 'value', 'effect'].map((name) =>
    textAt(one, name),
  );
  const isEqual = operator === 'Equal' || operator === '';
  const said: readonly (readonly [boolean, string, string])[] = [
    [key !== '' && !isQualifiedName(key ?? ''), 'key', `is no key: write ${WORD_SAYS}`],
    // Newer versions compare numbers, too.
    [!isEqual && !['Exists', 'Lt', 'Gt'].includes(operator ?? ''), 'operator', 'must be Equal or Exists'],
    [key === '' && isEqual, 'operator', 'must be Exists where no key is: name the key'],
    [isEqual && !isLabelValue(value ?? ''), 'value', `must be ${WORD_SAYS}`],
    [operator === 'Exists' && value !== '', 'value', 'has no meaning beside Exists: take it out'],
    [
      effect !== '' && !EFFECTS.includes(effect ?? ''),
      'effect',
      `must be ${EFFECTS.join(', ')}, or be left out`,
    ],
    [
      isThere(one, 'tolerationSeconds') && effect !== 'NoExecute',
      'effect',
      'must be NoExecute beside tolerationSeconds',
    ],
  ];
  const fault = said.find(([isWrong]) => isWrong);
  return fault === undefined ? [] : [problem(`${path}.${fault[1]}`, fault[2])];
}
