// Faults in what a Bundle takes for ready, by the kinds of its objects.
import type { Mutant } from '../mutant.ts';

export const READINESS: readonly Mutant[] = [
  {
    file: 'activities/hub/bundle/ready/kinds.ts',
    breaks: 'a Bundle is ready in a Namespace that is being deleted',
    inside: null,
    text: '  Namespace: NAMESPACE,\n',
    becomes: '',
    seenBy: ['test/activity/hub/bundle/ready.test.ts'],
  },
  {
    file: 'activities/hub/bundle/ready/workloads.ts',
    breaks: 'a stage passes over a Deployment that somebody has paused on the site',
    inside: null,
    text: "${asked('paused') === true ? `${flag('spec.paused')} || ` : ''}",
    becomes: "${flag('spec.paused')} || ",
    seenBy: ['test/activity/hub/bundle/ready.test.ts'],
  },
  {
    file: 'activities/hub/bundle/ready/workloads.ts',
    breaks: 'a stage passes over a Job that a queue holds back',
    inside: 'jobRule',
    text: 'if (first === undefined) return JOB;',
    becomes: 'if (first === undefined) return heldJob(SUSPENDED);',
    seenBy: ['test/activity/hub/bundle/ready.test.ts'],
  },
  {
    file: 'activities/hub/bundle/ready/workloads.ts',
    breaks: 'a Job that asks for no Pods is never ready',
    inside: 'jobRule',
    text: "asked('parallelism') === 0",
    becomes: "asked('parallelism') === false",
    seenBy: ['test/activity/hub/bundle/ready.test.ts'],
  },
  {
    file: 'activities/hub/bundle/ready/kinds.ts',
    breaks: 'of a Certificate whose request has failed nobody reads why',
    inside: null,
    text: "waits: [['Issuing', 'False'], ...",
    becomes: 'waits: [...',
    seenBy: ['test/activity/hub/bundle/ready.test.ts'],
  },
  {
    file: 'activities/hub/bundle/status/unready-servers.ts',
    breaks: 'a conversion webhook that still starts fails a stage',
    inside: null,
    text: 'conversion webhook for ([',
    becomes: 'conversion webhook of ([',
    seenBy: ['test/unit/hub/bundle/status/refusals.test.ts'],
  },
  {
    file: 'activities/hub/bundle/ready/kinds.ts',
    breaks: 'a budget whose Pods nobody can count is ready',
    inside: null,
    text: "`${OBSERVED} && !${has(['DisruptionAllowed', 'False', 'SyncFailed'])}`",
    becomes: 'OBSERVED',
    seenBy: ['test/activity/hub/bundle/ready.test.ts'],
  },
  {
    file: 'activities/hub/bundle/ready/gateways.ts',
    breaks: 'a stage passes over a route that one of its Gateways refuses',
    inside: null,
    text: ' && size(${REFUSING}) == 0',
    becomes: '',
    seenBy: ['test/activity/hub/bundle/ready.test.ts'],
  },
];
