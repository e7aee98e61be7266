// What Knative refuses of a Pod although it has the field: names, ports and paths that it keeps for itself,
// and what does not fit together (knative.dev/serving v0.50, pkg/apis/serving/k8s_validation.go). What a site
// can switch on or off is for the site to say.
import type { Common } from '../../../known.ts';
import { newly } from '../../../newly.ts';
import { hasChanged } from '../../../request.ts';
import type { Problem, AdmissionRule } from '../../../rule.ts';
import { annotationProblems } from './annotations.ts';
import { containerProblems, podProblems } from './containers.ts';
import { envProblems } from './env.ts';
import { containersOf } from './found.ts';
import { mountProblems, volumesOf } from './mounts.ts';
import { portProblems } from './ports.ts';
import { probeProblems, servingPortOf } from './probes.ts';
import { volumeProblems } from './volumes.ts';

const MADE_OF = [
  ['spec', 'configurationSpec'],
  ['spec', 'volumesSpec'],
] as const;
/** Enough to see what is wrong. */
const MOST = 10;

export const pod: AdmissionRule<Common> = (request) =>
  MADE_OF.some((path) => hasChanged(request, ...path))
    ? { problems: newly(request, found).slice(0, MOST) }
    : {};

function found(object: unknown): Problem[] {
  const containers = containersOf(object);
  const portName = servingPortOf(containers);
  const mountable = volumesOf(object);
  return [
    ...portProblems(containers),
    ...containers.flatMap((container) => [
      ...containerProblems(container),
      ...envProblems(container),
      ...probeProblems(container, portName),
      ...mountProblems(container, mountable),
    ]),
    ...volumeProblems(containers, object),
    ...podProblems(object, containers),
    ...annotationProblems(object),
  ];
}
