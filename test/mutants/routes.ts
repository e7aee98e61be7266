// Faults in where requests of an app are led, and in what its author is told of that.
import type { Mutant } from './mutant.ts';

const UNROUTED = {
  file: 'site/route/unrouted.ts',
  seenBy: ['test/unit/site/route/unrouted.test.ts'],
};

const EACH_NAME = {
  file: 'site/route/domain-mapping.ts',
  seenBy: ['test/unit/site/route/each-name.test.ts'],
};

export const ROUTES: readonly Mutant[] = [
  {
    ...UNROUTED,
    breaks: 'an app whose revision still starts is said to have no ingress',
    inside: 'isWaiting',
    text: "configurations?.status === 'True' &&",
    becomes: '',
  },
  {
    ...UNROUTED,
    breaks: 'an app whose ingress is being programmed is said to have none',
    inside: 'isWaiting',
    text: " &&\n    routes.reason === 'IngressNotConfigured'",
    becomes: '',
  },
  {
    ...UNROUTED,
    breaks: 'each app that is edited is said to have no ingress while that only restarts',
    inside: 'mayHaveHadRoute',
    text: 'service?.metadata.generation !== 1 || ',
    becomes: '',
  },
  {
    ...UNROUTED,
    breaks: 'an app that is served is said to have no ingress while that only restarts',
    inside: 'mayHaveHadRoute',
    text: " || conditionOf(conditions, 'Serving')?.status === 'True'",
    becomes: '',
  },
  {
    ...UNROUTED,
    breaks:
      'whoever names a class by the annotation that Knative reads first is told to correct the other one',
    inside: 'unroutedMessage',
    text: 'correct ${annotation}',
    becomes: 'correct networking.knative.dev/ingress-class',
  },
  {
    ...EACH_NAME,
    breaks: 'an app that is to be reached by HTTPS alone serves its hostname in plain text',
    inside: 'domainMapping',
    text: '...protocol(capp, secretName), ',
    becomes: '',
  },
  {
    ...EACH_NAME,
    breaks: 'a hostname leads to HTTPS that nobody serves, and is off the net',
    inside: 'protocol',
    text: ' || secretName === null',
    becomes: '',
  },
  {
    ...EACH_NAME,
    file: 'admission/rules/metadata/knative-annotations.ts',
    breaks: 'nobody is told that an ingress class does not hold for the hostname',
    inside: 'ofHostname',
    text: ', ...unclassed(request)',
    becomes: '',
  },
  {
    ...EACH_NAME,
    file: 'admission/rules/metadata/knative-annotations.ts',
    breaks: 'the author of a private Capp is told what its hostname does, which leads nowhere',
    inside: 'ofHostname',
    text: "!== '' && !isPrivate(asked as Parameters<typeof isPrivate>[0])",
    becomes: "!== ''",
  },
];
