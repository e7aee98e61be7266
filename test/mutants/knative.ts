// Faults in what is known of Knative: what it refuses, how it reads annotations, and what its silence means.
import type { Mutant } from './mutant.ts';

const UNMADE = {
  file: 'site/workload/unmade.ts',
  seenBy: ['test/unit/site/workload/unmade.test.ts'],
};

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
    inside: 'limited',
    text: "if (Number(value('activation-scale')) > most) ",
    becomes: 'if (most < 0) ',
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
];
