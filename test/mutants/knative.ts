// Faults in what is known of Knative: what it refuses, how it reads annotations, and what its silence means.
import type { Mutant } from './mutant.ts';

const UNMADE = {
  file: 'site/workload/unmade.ts',
  seenBy: ['test/unit/site/workload/unmade.test.ts'],
};

const UNMAKEABLE = { seenBy: ['test/unit/admission/unmakeable.test.ts'] };

export const KNATIVE: readonly Mutant[] = [
  {
    file: 'site/status/ready.ts',
    breaks: 'an edit of which Knative can create no revision is starting until its deadline',
    inside: 'notYet',
    text: ' || seen.isUnmade',
    becomes: '',
    seenBy: ['test/unit/site/status/ready.test.ts'],
  },
  {
    ...UNMADE,
    breaks: 'a revision that fails by itself is said not to have been made',
    inside: 'isUnmade',
    text: "conditionOf(newest?.status?.conditions, 'Ready')?.status === 'True'",
    becomes: 'newest !== undefined',
  },
  {
    ...UNMADE,
    breaks: 'an edit is said to have failed by what Knative said of the one before',
    inside: 'isUnmade',
    text: 'status?.observedGeneration !== metadata?.generation',
    becomes: 'status === null',
  },
  {
    file: 'crds/knative/scaler.ts',
    breaks: 'a class that the template names scales by the metric of another',
    inside: 'scalerOf',
    text: 'scaler === usual ? scaleMetric : metricOf(scaler)',
    becomes: 'scaleMetric',
    seenBy: ['test/unit/site/workload/render.test.ts'],
  },
  {
    file: 'site/workload/figures.ts',
    breaks: 'a changed CappConfig makes a new revision at once of a Capp whose template names its metric',
    inside: 'figuresOf',
    text: 'written[`${AUTOSCALING}metric`] ?? capp.spec.scaleMetric',
    becomes: 'capp.spec.scaleMetric',
    seenBy: ['test/unit/site/workload/steps.test.ts'],
  },
  {
    file: 'admission/rules/spec/scaler.ts',
    breaks: 'a class that cannot scale by the metric of the spec passes the hub',
    inside: 'mismatches',
    text: ': otherClass(scaler.class, scaleMetric)',
    becomes: ': []',
    seenBy: ['test/unit/admission/capp/scaling.test.ts'],
  },
  {
    file: 'site/workload/limits.ts',
    breaks: 'an activation scale passes the most replicas of a site',
    inside: 'startsOf',
    text: "['activation-scale', Math.max(most, min)]",
    becomes: "['activation-scale', Infinity]",
    seenBy: ['test/unit/site/workload/limits.test.ts'],
  },
  {
    file: 'crds/knative/go-duration.ts',
    breaks: 'a delay that Go reads passes the limit of a site',
    inside: 'nanosecondsOf',
    text: '(\\d*)(?:',
    becomes: '(\\d+)(?:',
    seenBy: ['test/unit/site/workload/limits.test.ts'],
  },
  {
    ...UNMAKEABLE,
    file: 'admission/rules/spec/pod/unmakeable.ts',
    breaks: 'an old Capp with what no Pod can have can never be edited',
    inside: null,
    text: 'newly(request, found)',
    becomes: 'found(request.object)',
  },
  {
    ...UNMAKEABLE,
    file: 'admission/rules/spec/pod/names.ts',
    breaks: 'a variable with = passes the hub, and no Pod can have it',
    inside: null,
    text: '/^[ -<>-~]+$/',
    becomes: '/^[ -~]+$/',
  },
  {
    ...UNMAKEABLE,
    file: 'admission/rules/spec/pod/unmakeable-volumes.ts',
    breaks: 'a mode that was written as a decimal passes the hub',
    inside: 'modeProblems',
    text: ' && mode <= HIGHEST_MODE',
    becomes: '',
  },
  {
    file: 'site/workload/features.ts',
    breaks: 'a probe of an only container without a port needs a switch that it does not need',
    inside: 'ofContainers',
    text: 'own.length > 1 && ',
    becomes: '',
    seenBy: ['test/unit/site/workload/features.test.ts'],
  },
  {
    file: 'activities/hub/bundle/ready/kinds.ts',
    breaks: 'a Bundle is ready in a Namespace that is being deleted',
    inside: null,
    text: '  Namespace: NAMESPACE,\n',
    becomes: '',
    seenBy: ['test/activity/hub/bundle/ready.test.ts'],
  },
  {
    file: 'cli/doctor/site-needs.ts',
    breaks: 'a container whose name is that of a switch has the switch turned on',
    inside: null,
    text: '(?<=\\b(?:needs|and) )',
    becomes: '',
    seenBy: ['test/unit/cli/doctor/sites.test.ts'],
  },
];
