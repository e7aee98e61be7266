// How far a cluster is with joining, what it waits for, and what is done about it.
import type { JoinSight, SeenCluster, SeenRequest, SeenToken } from '../../../crds/join/sight.ts';
import { joinVerdict, type JoinReason, type JoinVerdict } from '../../../workflows/join/verdict.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;

const TOKEN: SeenToken = { id: 'abcdef', paidFor: null, endsAt: NOW + 60 * MINUTE, isOfThisOne: true };
const NEW: SeenCluster = {
  isAccepted: false,
  isLeaving: false,
  acceptedAt: null,
  joinedAt: null,
  isAvailable: false,
  availableAt: null,
  tokenEndsAt: TOKEN.endsAt,
};
const REQUEST: SeenRequest = {
  name: 'shop-7-x',
  uid: 'r-1',
  username: 'system:bootstrap:abcdef',
  token: 'abcdef',
  state: 'Pending',
  isIssued: false,
  askedAt: NOW - 1_000,
  approvedAt: null,
  unfit: null,
  tokenIsFor: 'shop-7',
};
const SPENT: SeenToken = { ...TOKEN, paidFor: 'r-1' };
const ISSUED: SeenRequest = { ...REQUEST, state: 'Approved', isIssued: true, approvedAt: NOW - 500 };
const ACCEPTED: SeenCluster = { ...NEW, isAccepted: true, acceptedAt: NOW };

const of = (given: Partial<JoinSight>): JoinVerdict =>
  joinVerdict('shop-7', { cluster: NEW, token: TOKEN, requests: [], addOn: null, ...given }, NOW);
const brief = (given: Partial<JoinSight>): unknown => {
  const { phase, reason, act } = of(given);
  return [phase, reason, act.do];
};
const cluster = (more: Partial<SeenCluster>): SeenCluster => ({ ...ACCEPTED, ...more });

describe('what is done', () => {
  test('a request with the token for this cluster is approved', () => {
    expect(of({ requests: [REQUEST] }).act).toEqual({ do: 'approve', request: 'shop-7-x', token: 'abcdef' });
  });

  test('of two the newest: the agent of the earlier one has lost its key', () => {
    const later = { ...REQUEST, name: 'shop-7-y', uid: 'r-2', askedAt: NOW };
    expect(of({ requests: [REQUEST, later] }).act).toMatchObject({ request: 'shop-7-y' });
    expect(of({ requests: [later, REQUEST] }).act).toMatchObject({ request: 'shop-7-y' });
  });

  test('a cluster that has joined before is approved again by a token that was made since', () => {
    const known = cluster({ joinedAt: NOW - MINUTE, isAvailable: true });
    expect(of({ cluster: known, requests: [REQUEST] }).act.do).toBe('approve');
  });

  test.each<[string, Partial<JoinSight>]>([
    ['by another token', { requests: [{ ...REQUEST, token: 'zzzzzz' }] }],
    ['by nobody who has shown a token', { requests: [{ ...REQUEST, token: null }] }],
    ['that does not fit', { requests: [{ ...REQUEST, unfit: 'for groups' }] }],
    ['that is denied', { requests: [{ ...REQUEST, state: 'Denied' }] }],
    ['of which nothing says when its token ends', { requests: [REQUEST], token: { ...TOKEN, endsAt: null } }],
    ['with a token that ends now', { requests: [REQUEST], token: { ...TOKEN, endsAt: NOW } }],
    [
      'with a token for an earlier cluster of the name',
      { requests: [REQUEST], token: { ...TOKEN, isOfThisOne: false } },
    ],
    ['without a token', { requests: [REQUEST], token: null }],
    [
      'beside one that the token has paid for',
      { requests: [{ ...REQUEST, uid: 'r-2' }], cluster: ACCEPTED, token: SPENT },
    ],
    ['of a cluster that is being deleted', { requests: [REQUEST], cluster: { ...NEW, isLeaving: true } }],
    [
      'that was paid for, of a cluster that a person has refused since',
      { requests: [REQUEST], token: SPENT },
    ],
  ])('a request %s is left alone', (_what, given) => {
    expect(of(given).act.do).not.toBe('approve');
  });

  test('a request that was paid for and not approved, since the worker ended, is approved', () => {
    expect(of({ requests: [REQUEST], cluster: ACCEPTED, token: SPENT }).act).toMatchObject({
      request: 'shop-7-x',
    });
  });

  test('a token that is spent goes when the agent has come with its certificate', () => {
    expect(brief({ requests: [ISSUED], token: SPENT, cluster: ACCEPTED })).toEqual([
      'Accepted',
      null,
      'wait',
    ]);
    expect(of({ requests: [ISSUED], token: SPENT, cluster: ACCEPTED }).wakeAt).toBe(NOW - 500 + MINUTE);
    expect(of({ requests: [ISSUED], token: SPENT, cluster: cluster({ joinedAt: NOW }) }).act).toEqual({
      do: 'release',
      token: 'abcdef',
    });
    // Of a cluster that joined before, that says nothing.
    expect(of({ requests: [ISSUED], token: SPENT, cluster: cluster({ joinedAt: NOW - 5_000 }) }).act.do).toBe(
      'wait',
    );
  });

  test('a token that is spent goes a minute later in any case, and at once when its request is gone', () => {
    const long = { ...ISSUED, approvedAt: NOW - MINUTE };
    expect(of({ requests: [long], token: SPENT, cluster: ACCEPTED }).act.do).toBe('release');
    expect(of({ requests: [], token: SPENT, cluster: ACCEPTED }).act.do).toBe('release');
  });

  test('a token that is not spent stays', () => {
    expect(of({ cluster: cluster({}) }).act.do).toBe('wait');
    expect(of({}).act.do).toBe('wait');
  });

  test('it ends when the cluster is equipped and no token is left, or when it is gone', () => {
    const whole = cluster({ joinedAt: NOW, isAvailable: true });
    const addOn = { isAvailable: true };
    expect(brief({ cluster: whole, addOn, token: null })).toEqual(['Equipped', null, 'end']);
    expect(of({ cluster: whole, addOn }).act.do).toBe('wait');
    expect(brief({ cluster: null })).toEqual(['Leaving', null, 'end']);
    expect(brief({ cluster: { ...NEW, isLeaving: true } })).toEqual(['Leaving', null, 'wait']);
  });
});

describe('what is said', () => {
  test.each<[string, Partial<JoinSight>, string, string | null]>([
    ['nobody has come', {}, 'Expected', null],
    [
      'the token has ended',
      { token: null, cluster: { ...NEW, tokenEndsAt: NOW - 1 } },
      'Expected',
      'TokenExpired',
    ],
    [
      'the token is another cluster’s of the name',
      { token: { ...TOKEN, isOfThisOne: false } },
      'Expected',
      'NameTaken',
    ],
    [
      'it asks without a token for it',
      { token: null, cluster: { ...NEW, tokenEndsAt: null }, requests: [{ ...REQUEST, tokenIsFor: null }] },
      'Asked',
      'AwaitingAcceptance',
    ],
    [
      'it asks with another cluster’s token',
      { requests: [{ ...REQUEST, token: 'zzzzzz', tokenIsFor: 'shop-8' }] },
      'Asked',
      'TokenOfAnother',
    ],
    [
      'it asks for too much',
      { requests: [{ ...REQUEST, unfit: 'for groups that no agent is in' }] },
      'Asked',
      'RequestUnfit',
    ],
    ['it is accepted', { token: null, cluster: ACCEPTED }, 'Accepted', null],
    [
      'the agent does not come',
      { token: null, cluster: cluster({ acceptedAt: NOW - 3 * MINUTE }) },
      'Accepted',
      'AgentSilent',
    ],
    ['it has joined', { token: null, cluster: cluster({ joinedAt: NOW }) }, 'Joined', null],
    [
      'the agent is silent',
      { token: null, cluster: cluster({ joinedAt: NOW - 3 * MINUTE }) },
      'Joined',
      'AgentSilent',
    ],
    [
      'it is available',
      { token: null, cluster: cluster({ joinedAt: NOW, isAvailable: true, availableAt: NOW }) },
      'Available',
      null,
    ],
    [
      'somebody asks for it again',
      {
        token: null,
        addOn: { isAvailable: true },
        cluster: cluster({ joinedAt: NOW, isAvailable: true }),
        requests: [{ ...REQUEST, tokenIsFor: null }],
      },
      'Equipped',
      'AwaitingAcceptance',
    ],
    [
      'somebody with another’s token asks for it again',
      {
        token: null,
        addOn: { isAvailable: true },
        cluster: cluster({ joinedAt: NOW, isAvailable: true }),
        requests: [{ ...REQUEST, tokenIsFor: 'shop-8' }],
      },
      'Equipped',
      'TokenOfAnother',
    ],
  ])('%s', (_what, given, phase, reason) => {
    expect(of(given)).toMatchObject({ phase, reason });
  });

  test.each<[string, JoinSight['addOn'], JoinReason]>([
    ['the hub has none for it', null, 'AddOnMissing'],
    ['it is not applied', { isAvailable: false, isApplied: false, says: 'x' }, 'AddOnNotApplied'],
    ['it does not run', { isAvailable: false, isApplied: true, says: 'x' }, 'AddOnNotAvailable'],
    ['it is not available, says an earlier worker', { isAvailable: false }, 'AddOnNotAvailable'],
  ])('how far the add-on is: %s', (_what, addOn, reason) => {
    const sight = (ago: number) => ({
      token: null,
      addOn,
      cluster: cluster({ joinedAt: NOW, isAvailable: true, availableAt: NOW - ago }),
    });
    expect(of(sight(3 * MINUTE))).toMatchObject({ phase: 'Available', reason });
    expect(of(sight(3 * MINUTE)).message).toContain(addOn?.says == null ? 'kubectl' : '(x)');
    expect(of(sight(0))).toMatchObject({ phase: 'Available', reason: null, wakeAt: NOW + 3 * MINUTE });
  });

  test('a wait that is only long looks again when it is too long', () => {
    expect(of({ token: null, cluster: ACCEPTED }).wakeAt).toBe(NOW + 3 * MINUTE);
    expect(of({}).wakeAt).toBe(TOKEN.endsAt);
  });
});
