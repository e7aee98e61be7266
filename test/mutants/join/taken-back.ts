// Faults in what is taken back of a ClusterJoin.
import type { Mutant } from '../mutant.ts';

const REVOKE = {
  file: 'activities/hub/join/revoke.ts',
  seenBy: ['test/activity/hub/join/declared.test.ts'],
} as const;
const REFUSED = ['test/activity/hub/join/refused.test.ts'] as const;
const NAMESPACES = ['test/activity/chart/join-namespaces.test.ts'] as const;

export const CLUSTER_JOIN_ENDS: readonly Mutant[] = [
  {
    ...REVOKE,
    breaks: 'a cluster that was accepted is detached with its ClusterJoin',
    inside: 'withoutCluster',
    text: '!isThere && isNobodys && managed.spec?.hubAcceptsClient !== true',
    becomes: "uid !== ''",
  },
  {
    ...REVOKE,
    breaks: 'what a revoked ClusterJoin has made stays',
    inside: 'withoutCluster',
    text: '!isThere && isNobodys && managed.spec?.hubAcceptsClient !== true',
    becomes: 'isThere',
  },
  {
    ...REVOKE,
    breaks: 'a cluster that has joined, and that an admin has shut out, is detached with its ClusterJoin',
    inside: 'hasCome',
    text: ' || hasJoined(managed)',
    becomes: '',
  },
  {
    ...REVOKE,
    breaks: 'a token that a person has made for a cluster goes with a ClusterJoin that gave way to it',
    inside: 'withoutCluster',
    text: '!isThere && isNobodys &&',
    becomes: '!isThere &&',
  },
  {
    ...REVOKE,
    breaks: 'the token by which a cluster has come goes when its namespace counts no more',
    inside: 'end',
    text: ' && !hasCome(managed)',
    becomes: '',
    seenBy: ['test/activity/hub/join/taken-back.test.ts'],
  },
  {
    ...REVOKE,
    breaks: 'a token outlives its ClusterJoin’s time',
    inside: 'end',
    text: "standing.state !== 'Joined' && isOf(managed, join)",
    becomes: "standing.state === 'Joined' && isOf(managed, join)",
  },
  {
    ...REVOKE,
    breaks: 'a person’s token goes with a ClusterJoin',
    inside: 'end',
    text: 'token !== null && isFor(token, join)',
    becomes: 'token !== null',
  },
  {
    breaks: 'a refused ClusterJoin is over while a token of its stays that is good',
    ...REVOKE,
    inside: 'end',
    text: 'holdsUntil > now',
    becomes: 'holdsUntil < now',
    seenBy: REFUSED,
  },
  {
    breaks: 'a ClusterJoin that is deleted stays for ever for what may not be deleted',
    ...REVOKE,
    inside: 'revoke',
    text: 'holdsUntil > now',
    becomes: 'holdsUntil >= 0',
    seenBy: NAMESPACES,
  },
  {
    breaks: 'a ClusterJoin that is deleted leaves its ManagedCluster at the first refusal',
    ...REVOKE,
    inside: 'revoke',
    text: 'holdsUntil > now',
    becomes: 'holdsUntil > Infinity',
    seenBy: NAMESPACES,
  },
  {
    breaks: 'what a ClusterJoin leaves behind is named nowhere',
    ...REVOKE,
    inside: 'revoke',
    text: 'if (left.length > 0)',
    becomes: 'if (left.length > 9)',
    seenBy: NAMESPACES,
  },
];
