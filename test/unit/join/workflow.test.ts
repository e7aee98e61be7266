// The loop of the workflow of a join, on a runtime of the test in place of Temporal: what it asks of
// activities, in which order, and when it ends.
import { ApplicationFailure } from '@temporalio/common';
import type { JoinSight } from '../../../crds/join/sight.ts';
import { Failure } from '../../../workflows/failures.ts';
import type { Runtime } from '../../../workflows/engine/runtime.ts';
import { liveInJoin } from '../../../workflows/join/workflow.ts';
import type { Approved, DeclaredTurn } from '../../../workflows/join/port.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const NOBODY: JoinSight = { cluster: null, token: null, requests: [], addOn: null };
const CLUSTER = {
  isAccepted: false,
  isLeaving: false,
  acceptedAt: null,
  joinedAt: null,
  isAvailable: false,
  availableAt: null,
  tokenEndsAt: NOW + 60_000,
};
const TOKEN = { id: 'abcdef', paidFor: null as string | null, endsAt: NOW + 60_000, isOfThisOne: true };
const REQUEST = {
  name: 'shop-7-x',
  uid: 'r-1',
  username: 'system:bootstrap:abcdef',
  token: 'abcdef',
  state: 'Pending' as const,
  isIssued: false,
  askedAt: NOW,
  approvedAt: null,
  unfit: null,
  tokenIsFor: 'shop-7',
};
const ASKED: JoinSight = { ...NOBODY, cluster: CLUSTER, token: TOKEN, requests: [REQUEST] };
const JOINED = { ...CLUSTER, isAccepted: true, joinedAt: NOW + 1 };
const ISSUED = { ...REQUEST, state: 'Approved' as const, isIssued: true, approvedAt: NOW };
const SPENT: JoinSight = {
  ...ASKED,
  cluster: JOINED,
  token: { ...TOKEN, paidFor: 'r-1' },
  requests: [ISSUED],
};
const EQUIPPED: JoinSight = {
  ...SPENT,
  token: null,
  cluster: { ...JOINED, isAvailable: true },
  addOn: { isAvailable: true },
};

interface Told {
  readonly id?: string;
  readonly sights: readonly (JoinSight | Error)[];
  readonly approved?: Approved;
  /** Rings that come while it looks for the n-th time. */
  readonly rungAt?: readonly number[];
  readonly settled?: DeclaredTurn;
}

/** Each wait is over at once: by its time. Ends when the sights are used up, too. */
async function live({
  id = 'join/shop-7',
  sights,
  approved = { outcome: 'Approved' },
  rungAt = [],
  settled = { hasActed: true, says: '' },
}: Told) {
  const done: string[] = [];
  const shown: string[] = [];
  let ring: () => void = () => undefined;
  let looks = 0;
  const hub = () => ({
    seeJoin: async (cluster: string) => {
      const sight = sights[looks];
      looks += 1;
      done.push(`look ${cluster}`);
      if (rungAt.includes(looks)) ring();
      if (sight === undefined) throw new Error('used up');
      if (sight instanceof Error) throw sight;
      return sight;
    },
    approveJoin: async (cluster: string, { request, token }: { request: string; token: string }) => {
      done.push(`approve ${cluster} ${request} ${token}`);
      return approved;
    },
    settleDeclared: async (cluster: string) => {
      done.push(`settle ${cluster}`);
      return settled;
    },
    releaseToken: async (cluster: string, token: string) => void done.push(`release ${cluster} ${token}`),
  });
  const runtime = {
    id: () => id,
    now: () => NOW,
    hub,
    handle: (_signal: unknown, handler: () => void) => {
      ring = handler;
    },
    show: (text: string) => void shown.push(text),
    isLong: () => false,
    until: async (holds: () => boolean, atMost?: { ms: number }) =>
      void done.push(holds() ? 'rung' : `wait ${(atMost?.ms ?? 0) / 1_000} s`),
  } as unknown as Runtime;
  const end = await liveInJoin(runtime).then(
    () => 'ended',
    (error: Error) => error.message,
  );
  return { done, shown, end };
}

test('it accepts, deletes the token when it is spent, and ends when Capps can be placed', async () => {
  const { done, end } = await live({ sights: [ASKED, SPENT, EQUIPPED] });
  expect({ done, end }).toEqual({
    done: [
      'look shop-7',
      'approve shop-7 shop-7-x abcdef',
      'wait 1 s',
      'look shop-7',
      'release shop-7 abcdef',
      'wait 1 s',
      'look shop-7',
    ],
    end: 'ended',
  });
});

test('what ClusterJoins ask for is done first, and then it looks again', async () => {
  const declared: JoinSight = { ...NOBODY, isDeclared: true };
  const { done, end } = await live({ sights: [declared, ASKED, EQUIPPED] });
  expect({ done, end }).toEqual({
    done: [
      'look shop-7',
      'settle shop-7',
      'look shop-7',
      'approve shop-7 shop-7-x abcdef',
      'wait 1 s',
      'look shop-7',
    ],
    end: 'ended',
  });
});

test('a ClusterJoin that waits until somebody mends the hub keeps it, and it looks ever more seldom', async () => {
  const declared: JoinSight = { ...NOBODY, isDeclared: true };
  const settled = { hasActed: false, isHeld: true, says: 'ClusterJoin joins/shop-7: Waiting, NoHubAddress' };
  const { done, shown } = await live({ sights: Array.from({ length: 8 }, () => declared), settled });
  expect(done.filter((one) => one.startsWith('wait'))).toEqual(
    [60, 120, 240, 480, 960, 1_920, 3_600, 3_600].map((seconds) => `wait ${seconds} s`),
  );
  expect(done.slice(0, 3)).toEqual(['look shop-7', 'settle shop-7', 'wait 60 s']);
  expect(shown[0]).toContain('NoHubAddress');
});

test('beside a ClusterJoin that waits, who comes is accepted at once', async () => {
  const settled = { hasActed: false, isHeld: true, says: '' };
  const { done } = await live({ sights: [{ ...ASKED, isDeclared: true }, SPENT, EQUIPPED], settled });
  expect(done.slice(0, 4)).toEqual([
    'look shop-7',
    'settle shop-7',
    'approve shop-7 shop-7-x abcdef',
    'wait 1 s',
  ]);
});

test('who is left alone is looked at again in a minute, and why is shown', async () => {
  const { done, shown } = await live({
    sights: [ASKED],
    approved: { outcome: 'LeftAlone', why: 'It has ended.' },
  });
  expect(done.slice(0, 3)).toEqual(['look shop-7', 'approve shop-7 shop-7-x abcdef', 'wait 60 s']);
  expect(shown.at(-1)).toContain('It has ended.');
});

test('what the hub refuses for good is asked again in a minute', async () => {
  const refused = ApplicationFailure.create({ type: Failure.Forbidden, message: 'managedclusters' });
  const { done, end, shown } = await live({ sights: [refused, EQUIPPED] });
  expect({ done, end }).toEqual({ done: ['look shop-7', 'wait 60 s', 'look shop-7'], end: 'ended' });
  expect(shown[0]).toContain('managedclusters');
});

test('a ring that comes while it looks for the last time has it look once more', async () => {
  const { done, end } = await live({ sights: [EQUIPPED, EQUIPPED], rungAt: [1] });
  expect({ done, end }).toEqual({ done: ['look shop-7', 'rung', 'look shop-7'], end: 'ended' });
});

test('a cluster that is gone ends it, and one that goes is waited for', async () => {
  const leaving = { ...NOBODY, cluster: { ...CLUSTER, isLeaving: true } };
  expect(await live({ sights: [leaving, NOBODY] })).toMatchObject({
    done: ['look shop-7', 'wait 86400 s', 'look shop-7'],
    end: 'ended',
  });
});

test.each(['join', 'join/a/b', 'join/A', 'site/shop-7', 'join/'])(
  'fails at once under the id %s',
  async (id) => {
    const { end, done } = await live({ id, sights: [] });
    expect(end).toContain('join/<cluster>');
    expect(done).toEqual([]);
  },
);
