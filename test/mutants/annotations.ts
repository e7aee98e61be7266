// Faults in what annotations of Knative mean, and in who is told of those that mean nothing.
import type { Mutant } from './mutant.ts';

const SLIPS = {
  file: 'admission/rules/metadata/knative-slips.ts',
  seenBy: ['test/unit/admission/knative-annotations.test.ts'],
};
const UNMAKEABLE = {
  file: 'admission/rules/spec/pod/annotations.ts',
  seenBy: ['test/unit/admission/unmakeable-annotations.test.ts'],
};
const LIMITS = { file: 'site/workload/limits.ts', seenBy: ['test/unit/site/workload/limits.test.ts'] };
const TAKEN_OVER = {
  file: 'site/workload/service.ts',
  seenBy: ['test/unit/site/config/live-config.test.ts'],
};

const NAMED = {
  file: 'site/workload/service.ts',
  seenBy: ['test/unit/site/workload/named-revision.test.ts'],
};

export const ANNOTATIONS: readonly Mutant[] = [
  {
    ...SLIPS,
    breaks: 'what the author of a template writes for the Service has no effect, and nobody is told',
    inside: 'readIn',
    text: 'if (OF_SERVICES.has(key)) return OF_CAPP;',
    becomes: '',
  },
  {
    ...SLIPS,
    breaks: 'a minimum of replicas among the labels has no effect, and nobody is told',
    inside: 'misplaced',
    text: 'where === place',
    becomes: "where === place || place.endsWith('labels')",
  },
  {
    ...SLIPS,
    breaks: 'what revisions read and a Capp has has no effect, and nobody is told',
    inside: 'misplaced',
    text: 'where === place',
    becomes: 'where === place || place === OF_CAPP',
  },
  {
    ...SLIPS,
    breaks: 'a switch that is true and not Enabled has no effect, and nobody is told',
    inside: 'switchedBy',
    text: 'enabled|disabled',
    becomes: 'enabled|disabled|true',
  },
  {
    ...UNMAKEABLE,
    breaks: 'a deadline of no second is taken, and no Deployment is made',
    inside: 'deadlineFault',
    text: 'seconds >= 1 &&',
    becomes: 'seconds >= 0 &&',
  },
  {
    ...UNMAKEABLE,
    breaks: 'nobody is told of a limit of the sidecar below what it asks for on most sites',
    inside: 'annotationsDoubtful',
    text: 'most < amount(USUAL_CPU)',
    becomes: 'most < 0',
  },
  {
    ...UNMAKEABLE,
    breaks: 'a limit of the sidecar is doubted although its request is below it',
    inside: 'annotationsDoubtful',
    text: '[request, ...SHARES]',
    becomes: '[...SHARES]',
  },
  {
    file: 'admission/rules/spec/pod/unmakeable.ts',
    breaks: 'a limit that runs where the site says so is refused on the hub',
    inside: 'found',
    text: '...annotationsUnmakeable(object),',
    becomes: '...annotationsUnmakeable(object),\n    ...annotationsDoubtful(object),',
    seenBy: ['test/unit/admission/unmakeable-annotations.test.ts'],
  },
  {
    file: 'admission/rules/spec/autoscaling.ts',
    breaks: 'beside another autoscaler than Knative’s own nothing is refused that Knative cannot read',
    inside: 'unreadable',
    text: 'name === OF_KPA && ',
    becomes: '',
    seenBy: ['test/unit/admission/capp/scaling.test.ts'],
  },
  {
    file: 'admission/rules/spec/autoscaling.ts',
    breaks: 'an app by cpu is refused for an annotation that Knative does not ask about there',
    inside: 'unreadable',
    text: 'classOf(texts, object) !== KPA',
    becomes: '(texts[`${AUTOSCALING}class`] ?? KPA) !== KPA',
    seenBy: ['test/unit/admission/capp/scaling.test.ts'],
  },
  {
    file: 'admission/rules/spec/autoscaling.ts',
    breaks: 'an edit that takes out only the class brings a site an algorithm that Knative refuses',
    inside: null,
    text: '...newly(request, unreadable),',
    becomes:
      "...unreadable(request.object).filter(({ field }) => hasChanged(request, ...PATH, field.slice(PATH.join('.').length + 1, -1))),",
    seenBy: ['test/unit/admission/capp/scaling.test.ts'],
  },
  {
    file: 'admission/rules/spec/revision-name.ts',
    breaks: 'a name of which no revision can be made passes the hub',
    inside: 'faultOfNew',
    text: 'isDnsLabel(name)',
    becomes: 'isDnsLabel(name.toLowerCase())',
    seenBy: ['test/unit/admission/capp/revision-name.test.ts'],
  },
  {
    ...LIMITS,
    breaks: 'an app scales by a window shorter than that of all others',
    inside: 'delaysOf',
    text: 'Math.max(scaleDelaySeconds, USUAL_WINDOW_S)',
    becomes: 'scaleDelaySeconds',
  },
  {
    ...LIMITS,
    breaks: 'an app keeps the replicas of an hour ago where its site allows less',
    inside: 'delaysOf',
    text: "['window', windowSeconds ?? Infinity]",
    becomes: "['window', Infinity]",
  },
  {
    ...LIMITS,
    breaks: 'a window is said to be above a limit that is less than what it is lowered to',
    inside: 'limitOf',
    text: "name === 'window' ? USUAL_WINDOW_S : 0",
    becomes: '0',
  },
  {
    file: 'site/workload/figures.ts',
    breaks: 'all Capps with a long window get a new revision at once when their site is upgraded',
    inside: 'limitsOf',
    text: "    windowSeconds: lowered('window', secondsOf),\n",
    becomes: '',
    seenBy: ['test/unit/site/workload/limits.test.ts'],
  },
  {
    ...NAMED,
    breaks: 'an app that runs under a name is refused for a figure of its site',
    inside: 'rendered',
    text: '!mustKeep(capp, live, autoscale)',
    becomes: 'true',
  },
  {
    ...NAMED,
    breaks: 'an edit under the same name has no effect, and nobody is told',
    inside: 'mustKeep',
    text: ' || !asksForMore(scaled(autoscale.limits), scaled(figures.limits))',
    becomes: ' || capp.spec !== null',
  },
  {
    ...NAMED,
    breaks: 'an edit under the same name has no effect once it was refused',
    inside: 'isUnedited',
    text: 'isReady && ',
    becomes: '',
  },
  {
    ...TAKEN_OVER,
    breaks: 'all Capps above the limits get a new revision at once when their site is taken over',
    inside: 'isAs',
    text: ' || isInherited(live, object)',
    becomes: '',
  },
  {
    file: 'site/workload/undeployed.ts',
    breaks: 'a revision whose Pods start is said to have no Deployment',
    inside: 'isLacking',
    text: " && conditionOf(status?.conditions, 'Active') === undefined",
    becomes: '',
    seenBy: ['test/unit/site/workload/undeployed.test.ts'],
  },
  {
    file: 'site/config/fields.ts',
    breaks: 'a ConfigMap that was made of files gives no hostname its zone',
    inside: null,
    text: "value.trim() === '' ? undefined : value.trim()",
    becomes: "value === '' ? undefined : value",
    seenBy: ['test/unit/site/config/capp-config.test.ts'],
  },
];
