// Faults in whom a ClusterJoin lets in, and in what it takes back.
import type { Mutant } from '../mutant.ts';

const DECLARED = {
  file: 'activities/hub/join/declared.ts',
  seenBy: ['test/activity/hub/join/declared.test.ts'],
} as const;

export const CLUSTER_JOINS: readonly Mutant[] = [
  {
    ...DECLARED,
    breaks: 'a cluster that was accepted is detached with its ClusterJoin',
    inside: 'revoke',
    text: 'if (!hasCome && isNobodys && managed.spec?.hubAcceptsClient !== true)',
    becomes: 'if (uid !== "")',
  },
  {
    ...DECLARED,
    breaks: 'what a revoked ClusterJoin has made stays',
    inside: 'revoke',
    text: '!hasCome && isNobodys && managed.spec?.hubAcceptsClient !== true',
    becomes: 'hasCome',
  },
  {
    ...DECLARED,
    breaks: 'a cluster that has joined, and that an admin has shut out, is detached with its ClusterJoin',
    inside: 'revoke',
    text: ' || hasJoined(managed)',
    becomes: '',
  },
  {
    ...DECLARED,
    breaks: 'a token that a person has made for a cluster goes with a ClusterJoin that gave way to it',
    inside: 'revoke',
    text: '!hasCome && isNobodys &&',
    becomes: '!hasCome &&',
  },
  {
    ...DECLARED,
    breaks: 'a token outlives its ClusterJoin’s time',
    inside: 'end',
    text: "standing.state !== 'Joined' &&",
    becomes: "standing.state === 'Joined' &&",
  },
  {
    ...DECLARED,
    breaks: 'a person’s token goes with a ClusterJoin',
    inside: 'end',
    text: '(await isTokenOf(kube, managed, join))',
    becomes: '(await isTokenOf(kube, managed, join)) !== null',
  },
  {
    ...DECLARED,
    breaks: 'ClusterJoins of any namespace let clusters in',
    inside: 'sightOf',
    text: "namespaces.includes(join.metadata.namespace ?? '')",
    becomes: 'namespaces.length > 0',
  },
  {
    ...DECLARED,
    breaks: 'a ClusterJoin is another’s that has made the ManagedCluster',
    inside: 'isOf',
    text: 'managed.metadata.annotations?.[JOIN_OF] === join.metadata.uid',
    becomes: 'managed.metadata.annotations?.[JOIN_OF] !== undefined',
  },
  {
    breaks: 'who comes by a ClusterJoin that is being deleted is let in',
    file: 'activities/hub/join/approve.ts',
    inside: 'isRevoked',
    text: 'join.metadata.deletionTimestamp !== undefined',
    becomes: "join.metadata.name === ''",
    seenBy: DECLARED.seenBy,
  },
  {
    breaks: 'the Secret of somebody else is deleted as a line',
    file: 'activities/hub/join/line.ts',
    inside: 'takeBack',
    text: "(await lineOf(kube, join)) !== 'ours'",
    becomes: "(await lineOf(kube, join)) === 'absent'",
    seenBy: DECLARED.seenBy,
  },
  {
    breaks: 'a ClusterJoin mints a second token',
    file: 'workflows/join/declared.ts',
    inside: 'standingOf',
    text: 'tokenId === undefined && sight.token === null',
    becomes: 'sight.token === null || tokenId !== undefined',
    seenBy: DECLARED.seenBy,
  },
  {
    breaks: 'a ClusterJoin waits until something else changes',
    file: 'bridge/joins/keep.ts',
    inside: 'isJoining',
    text: 'join.spec.cluster === cluster && !isSettledJoin(join)',
    becomes: 'join.spec.cluster === cluster && isSettledJoin(join)',
    seenBy: ['test/unit/bridge/joins/keep.test.ts'],
  },
  {
    breaks: 'a ClusterJoin is never looked at',
    file: 'workflows/join/workflow.ts',
    inside: 'seen',
    text: 'sight.isDeclared !== true',
    becomes: 'sight.isDeclared !== false',
    seenBy: ['test/unit/join/workflow.test.ts'],
  },
];
