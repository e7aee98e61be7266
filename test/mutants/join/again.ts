// Faults in a join that is done again, and in leaving a hub that is gone.
import type { Mutant } from '../mutant.ts';

const STORY = ['test/activity/hub-command/join-again.test.ts'];
const LET_IN = {
  file: 'deploy/join/credential.ts',
  seenBy: ['test/unit/deploy/join/let-in.test.ts'],
} as const;
const GONE = { file: 'deploy/join/leave/gone.ts', seenBy: ['test/unit/deploy/join/gone.test.ts'] } as const;

export const JOINS_AGAIN: readonly Mutant[] = [
  {
    breaks: 'a join that was killed before its note takes its own namespace for that of another agent',
    file: 'deploy/join/site.ts',
    inside: 'membershipOf',
    text: ' && place.metadata.labels?.[MADE_BY] !== MADE_BY_JOIN',
    becomes: '',
    seenBy: ['test/unit/deploy/join/membership.test.ts'],
  },
  {
    ...LET_IN,
    breaks: 'an agent counts as let in though its cluster is not accepted',
    inside: 'isLetIn',
    text: 'spec?.hubAcceptsClient === true',
    becomes: 'spec?.hubAcceptsClient !== null',
  },
  {
    ...LET_IN,
    breaks: 'an agent throws its credential away when the hub is about to stop',
    inside: 'isLetIn',
    text: '!REFUSALS.has(code)',
    becomes: 'false',
  },
  {
    ...LET_IN,
    breaks: 'an agent that the hub refuses counts as let in',
    inside: 'isLetIn',
    text: '!REFUSALS.has(code)',
    becomes: 'true',
  },
  {
    breaks: 'OCM’s agent takes the credential that the hub refuses from the site again',
    file: 'deploy/join/credential.ts',
    inside: 'forgetCredential',
    text: 'await site.remove(SECRET, HUB_CREDENTIAL);',
    becomes: '',
    seenBy: STORY,
  },
  {
    breaks: 'a site that comes by another proxy throws its credential away',
    file: 'deploy/join/join.ts',
    inside: 'prepared',
    text: 'await leadByWayOf(site, bootstrapOf(layout), () => stopStack(asked.dir));',
    becomes: '',
    seenBy: STORY,
  },
  {
    breaks: 'an agent that has run does not start again on a disk that is full',
    file: 'deploy/join/preflight.ts',
    inside: 'refuseNoRoom',
    text: '|| !isNew',
    becomes: '',
    seenBy: ['test/unit/deploy/join/room.test.ts'],
  },
  {
    breaks: 'a kubeconfig that is written in another order counts as another way to the hub',
    file: 'deploy/local/kubernetes/kubeconfig.ts',
    inside: 'withClustersOf',
    text: "isDeepStrictEqual(before['clusters'], clusters)",
    becomes: "JSON.stringify(before['clusters']) === JSON.stringify(clusters)",
    seenBy: ['test/unit/deploy/join/way.test.ts'],
  },
  {
    breaks: 'a proxy with TLS is taken without its authority, which OCM’s agent does not know',
    file: 'deploy/join/proxy.ts',
    inside: 'proxyOf',
    text: "caFile === undefined && url.protocol === 'https:'",
    becomes: 'false',
    seenBy: ['test/unit/deploy/join/command-line.test.ts'],
  },
  {
    ...GONE,
    breaks: 'what is only counted may change after a person has seen it',
    inside: 'refuseUnseenLosses',
    text: 'Number.POSITIVE_INFINITY',
    becomes: 'SHOWN',
  },
  {
    ...GONE,
    breaks: 'what a hub has brought goes unseen when it is gone',
    inside: 'refuseUnseenLosses',
    text: 'whole.length === 0 ? null : digest',
    becomes: 'lose',
  },
  {
    breaks: 'a hub that answers counts as gone',
    file: 'deploy/join/leave/gone.ts',
    inside: 'refuseReachable',
    text: '() => true,',
    becomes: '() => false,',
    seenBy: STORY,
  },
];
