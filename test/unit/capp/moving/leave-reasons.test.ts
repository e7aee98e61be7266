// What follows from each reason to leave a site: whether the Capp may return, waits, and leaves with others.
import { homeOf } from '../../../../workflows/capp/facts/home.ts';
import { goes } from '../../../../workflows/placement/stay-or-go.ts';
import { LEAVE_REASONS, type LeaveReason } from '../../../../workflows/types/leave-reasons.ts';
import type { MoveRecord } from '../../../../workflows/types/moves.ts';
import { NOW } from '../../../support/builders/states.ts';

const [COOLDOWN, STABLE] = [600_000, 60_000];

function followsFrom(reason: LeaveReason) {
  const record: MoveRecord = {
    from: 'site-1',
    to: 'site-2',
    reason,
    result: 'Moved',
    message: '',
    since: NOW,
    at: NOW,
    request: null,
  };
  const rules = {
    policy: 'Evacuate',
    strategy: 'MakeBeforeBreak',
    failback: 'Auto',
    stabilisationMs: STABLE,
    cooldownMs: COOLDOWN,
    deadlineMs: 1,
  };
  const nowhere = { cluster: null, message: 'No site fits.', record: null };
  const { terms } = goes(reason, 'why', nowhere as never, { rules, handled: null } as never);
  const { holdMs, cooldownMs, inBulk } = terms;
  return [homeOf({ lastMove: record, serving: 'site-2' }), holdMs, cooldownMs, inBulk];
}

test('from each reason to leave follows what did before', () => {
  expect(Object.fromEntries(LEAVE_REASONS.map((reason) => [reason, followsFrom(reason)]))).toEqual({
    SiteGone: ['site-1', 0, 0, true],
    SiteLost: ['site-1', 0, 0, true],
    Tainted: ['site-1', 0, COOLDOWN, true],
    NotSelected: ['site-1', STABLE, COOLDOWN, true],
    Unfit: ['site-1', STABLE, COOLDOWN, true],
    Unhealthy: [null, 0, COOLDOWN, true],
    OtherHub: [null, 0, 0, false],
    SiteEdited: [null, 0, 0, false],
    Asked: [null, 0, 0, false],
    Failback: [null, STABLE, COOLDOWN, false],
  });
});
