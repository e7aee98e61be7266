// A container by itself: its name, its image, and whom it runs as.
import { QUEUE_PROXY } from '../../../../crds/kubernetes/knative.ts';
import { at, listAt, textAt } from '../../../fields.ts';
import type { Problem } from '../../../rule.ts';
import { again, type FoundContainer, having, isThere, POD, problem, quoted } from './found.ts';
import { isImage } from './image.ts';
import { isDnsName } from './names.ts';

const POLICIES = ['File', 'FallbackToLogsOnError'];
const HIGHEST_ID = 2_147_483_647;
/**
 * Kubernetes has them for a container, and Knative has not; of other containers the shape of the template
 * says so.
 */
const NOT_OF_INIT = [
  'lifecycle',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'restartPolicy',
  'volumeDevices',
];

export function containerProblems({ value, path, role }: FoundContainer): Problem[] {
  const policy = textAt(value, 'terminationMessagePolicy');
  return [
    ...(textAt(value, 'name') === QUEUE_PROXY
      ? [
          problem(
            `${path}.name`,
            `Knative has a container ${QUEUE_PROXY} in each Pod: give this one another name`,
          ),
        ]
      : []),
    ...imageProblems(value, `${path}.image`),
    ...(policy === '' || POLICIES.includes(policy)
      ? []
      : [problem(`${path}.terminationMessagePolicy`, `must be ${POLICIES.join(' or ')}, or be left out`)]),
    ...idProblems(at(value, 'securityContext'), `${path}.securityContext`),
    ...(at(value, 'securityContext', 'privileged') === true
      ? [problem(`${path}.securityContext.privileged`, 'Knative runs no privileged container: take it out')]
      : []),
    ...(role === 'init' ? having(value, NOT_OF_INIT) : []).map((name) =>
      problem(`${path}.${name}`, 'Knative does not take it for an init container: take it out'),
    ),
  ];
}

function imageProblems(value: unknown, field: string): Problem[] {
  const image = textAt(value, 'image');
  if (image === '')
    return isThere(value, 'image') && typeof at(value, 'image') !== 'string'
      ? []
      : [problem(field, 'must say what to run, such as ghcr.io/me/app:v1')];
  const scheme = /^https?:\/\//.exec(image)?.[0];
  if (scheme !== undefined)
    return [problem(field, `${quoted(image)} is an address and no name of an image: leave out ${scheme}`)];
  if (isImage(image)) return [];
  return [
    problem(
      field,
      `${quoted(image)} is no name of an image: write it in lower case, such as ghcr.io/me/app:v1`,
    ),
  ];
}

function idProblems(security: unknown, path: string): Problem[] {
  const single = ['runAsUser', 'runAsGroup', 'fsGroup'].map((name) => [name, at(security, name)] as const);
  const several = listAt(security, 'supplementalGroups').map(
    (id, index) => [`supplementalGroups[${index}]`, id] as const,
  );
  return [...single, ...several]
    .filter(([, id]) => typeof id === 'number' && (id < 0 || id > HIGHEST_ID))
    .map(([name]) => problem(`${path}.${name}`, `must be from 0 to ${HIGHEST_ID}`));
}

/** What concerns all of its containers. */
export function podProblems(object: unknown, containers: readonly FoundContainer[]): Problem[] {
  const account = textAt(object, ...POD, 'serviceAccountName');
  const names = new Set(
    containers.filter(({ role }) => role !== 'init').map(({ value }) => textAt(value, 'name')),
  );
  return [
    ...containers
      .filter(({ value, role }) => role === 'init' && names.has(textAt(value, 'name')))
      .map(({ path }) =>
        problem(`${path}.name`, 'is the name of another container: give this one another name'),
      ),
    ...again(listAt(object, ...POD, 'imagePullSecrets'), `${POD.join('.')}.imagePullSecrets`),
    ...(account === '' || isDnsName(account)
      ? []
      : [
          problem(
            `${POD.join('.')}.serviceAccountName`,
            `${quoted(account)} is no name of a ServiceAccount: write lower-case letters, digits, "-" and "."`,
          ),
        ]),
    ...idProblems(at(object, ...POD, 'securityContext'), `${POD.join('.')}.securityContext`),
  ];
}
