// What no site could run: the rules that hubs and sites ask about a Capp, and that a set is asked for each of
// its Capps.
import type { Common } from '../../known.ts';
import type { AdmissionRule } from '../../rule.ts';
import { knativeAnnotations } from '../metadata/knative-annotations.ts';
import { knativeSlips } from '../metadata/knative-slips.ts';
import { autoscaling } from './autoscaling.ts';
import { pingSources } from './ping-sources.ts';
import { pod } from './pod/pod.ts';
import { unmakeable } from './pod/unmakeable.ts';
import { resources } from './resources.ts';
import { revisionName } from './revision-name.ts';
import { template } from './template.ts';
import { visibility } from './visibility.ts';
import { volumes } from './volumes.ts';

export const WORKLOAD: readonly AdmissionRule<Common>[] = [
  resources,
  template,
  pod,
  unmakeable,
  revisionName,
  volumes,
  autoscaling,
  pingSources,
  visibility,
  knativeAnnotations,
  knativeSlips,
];
