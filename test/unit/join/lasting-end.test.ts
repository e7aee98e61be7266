// What a ClusterJoin that has come to its end says when the ground of its end is gone.
import type { ClusterJoin, JoinState } from '../../../crds/join/cluster-join.ts';
import { standingOf, type DeclaredSight } from '../../../workflows/join/declared.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

/** Its token is good, and nobody has come. */
const WAITS: DeclaredSight = {
  isServed: true,
  mayJoinSet: true,
  reservedLabels: [],
  nameFault: null,
  cluster: { isOfThisOne: true, isAccepted: false, isLeaving: false, tokenId: 'abcdef' },
  token: { isOfThisOne: true },
  line: 'ours',
  isWayKnown: true,
  verdict: {
    phase: 'Expected',
    reason: null,
    message: 'Nobody has come yet.',
  } as unknown as DeclaredSight['verdict'],
};

function join(state: JoinState, tokenEndsAt = '2026-03-02T12:00:00Z'): ClusterJoin {
  return {
    metadata: { namespace: 'rooms', name: 'edge-1', uid: 'uid-1' },
    spec: { cluster: 'edge-1' },
    status: { state, tokenId: 'abcdef', tokenEndsAt },
  };
}

test.each<[JoinState, string, string]>([
  ['Waiting', 'Waiting', 'wait'],
  ['Refused', 'Refused', 'end'],
  ['Expired', 'Expired', 'end'],
])('one that was %s is %s, and what is done next is: %s', (was, state, next) => {
  expect(standingOf(join(was), WAITS, NOW)).toMatchObject({ state, next });
});

test('one that is refused for the same reason still says so', () => {
  expect(standingOf(join('Refused'), { ...WAITS, isServed: false }, NOW)).toMatchObject({
    state: 'Refused',
    reason: 'NamespaceNotServed',
  });
});

test('one that was refused does not join, though its cluster has come', () => {
  const cluster = { isOfThisOne: true, isAccepted: true, isLeaving: false, tokenId: 'abcdef' };
  const verdict = { ...WAITS.verdict, phase: 'Joined' } as DeclaredSight['verdict'];
  expect(standingOf(join('Refused'), { ...WAITS, cluster, verdict }, NOW)).toMatchObject({
    state: 'Refused',
  });
});
