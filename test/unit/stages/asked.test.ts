// What people ask of a rollout: edits, undo, pause, abort, retry; and the way back.
import { doneSaid } from '../../../activities/hub/rollout/telling/said.ts';
import { abort, approve, begin, pause, resume, retry } from '../../../workflows/stages/rollout.ts';
import { resettled, settle } from '../../../workflows/stages/gates.ts';
import {
  aRollout,
  aTarget,
  planned,
  SETTLED,
  targets,
  written,
} from '../../support/builders/fleet/rollouts.ts';
import { NOW } from '../../support/builders/states.ts';

const AT_NEW = { revision: 'new', since: NOW - 60_000 } as const;

test('an edit supersedes: approvals and gates are those of the newest revision', () => {
  const halfway = aRollout({ approved: ['canary'], closed: ['canary'], retries: { s1: NOW } });
  expect(begin(halfway, 'newest', NOW)).toMatchObject({
    revision: 'newest',
    settled: 'old',
    halfway: ['new'],
    approved: [],
    closed: [],
    retries: {},
    direction: 'Forward',
  });
});

test('the same revision again changes nothing', () => {
  const rollout = aRollout();
  expect(begin(rollout, 'new', NOW + 1)).toBe(rollout);
});

test('however many edits there are, a rollout stays small, and pause outlives them', () => {
  let rollout = pause(aRollout());
  for (let edit = 0; edit < 100; edit += 1) rollout = begin(rollout, `e${edit}`, NOW);
  rollout = retry(
    rollout,
    targets(1_000).map(({ cluster }) => cluster),
    NOW,
  );
  expect(rollout).toMatchObject({ paused: true, halfway: expect.any(Array) });
  expect(JSON.stringify(rollout).length).toBeLessThan(1_000);
});

test('broken sites on the half-way revision go to the newest first, without a further place', () => {
  const given = [aTarget('s1'), aTarget('s2', { revision: 'new', verdict: 'Failed' }), aTarget('s3', AT_NEW)];
  const rollout = { ...begin(aRollout(), 'newest', NOW) };
  expect(written(planned(given, { strategy: { maxConcurrent: 1 }, rollout }))).toEqual(['s2=newest']);
  expect(written(planned(given, { strategy: { maxConcurrent: 2 }, rollout }))).toEqual([
    's2=newest',
    's1=newest',
  ]);
});

test('a site whose settled revision is unhealthy may be changed', () => {
  expect(written(planned(targets(1, { verdict: 'Failed' })))).toEqual(['s1=new']);
});

test('a paused rollout changes no site, and goes on where it was', () => {
  expect(planned(targets(3), { rollout: { paused: true } })).toMatchObject({
    advance: [],
    hold: { reason: 'Paused', until: null },
    wakeAt: null,
  });
  const joined = [...targets(2), aTarget('s3', { revision: null, verdict: 'Progressing' })];
  expect(planned(joined, { rollout: { paused: true } }).advance).toEqual([]);
  expect(resume(pause(aRollout()))).toEqual(aRollout());
});

test('a rollout that is paused on its way back says how many sites have the earlier revision again', () => {
  const given = [aTarget('s1'), aTarget('s2', AT_NEW), aTarget('s3', AT_NEW)];
  const back = planned(given, { rollout: { direction: 'Back', cause: 'It failed.', paused: true } });
  expect(back.stages).toMatchObject([{ state: 'Back', ready: 1, underWay: 0 }]);
});

test('an aborted revision reaches no further site; what was away catches up to the settled one', () => {
  const given = [
    aTarget('back', { revision: 'ancient' }),
    aTarget('changed', AT_NEW),
    aTarget('joins', { revision: null }),
    aTarget('superseded', { revision: 'halfway' }),
    aTarget('usual'),
  ];
  const rollout = abort(aRollout({ halfway: ['halfway'] }));
  const plan = planned(given, { strategy: { maxConcurrent: 5 }, rollout });
  expect(written(plan)).toEqual(['back=old', 'joins=old']);
  expect(plan).toMatchObject({ done: false, hold: { reason: 'Aborted' } });
});

test('abort of a revision that every site has changes nothing', () => {
  const rollout = { ...abort(aRollout()), settled: 'new' };
  expect(planned(targets(2, AT_NEW), { rollout })).toMatchObject({ advance: [], done: true });
});

test('a retry after an abort begins again at the first stage, without its approvals', () => {
  const before = abort(approve(aRollout({ closed: ['canary'] }), 'tenth'));
  expect(retry(before, 'All', NOW)).toMatchObject({ aborted: false, closed: [], approved: [], retries: {} });
});

test('a site that was offline catches up when it is back, also after the end', () => {
  const given = [aTarget('s1', AT_NEW), aTarget('s2')];
  const rollout = { settled: 'new' };
  expect(written(planned(given, { rollout }))).toEqual(['s2=new']);
});

test('a new site gets the settled revision at once while its stage waits, and the new one where it has passed', () => {
  const strategy = { stages: [{ name: 'first', sites: { matchLabels: { is: 'first' } } }] };
  const canary = { labels: { is: 'first' } };
  const given = [
    aTarget('s1', { ...canary, ...AT_NEW, verdict: 'Progressing' }),
    aTarget('s2', { revision: null }),
    aTarget('s3', { ...canary, revision: null }),
  ];
  expect(written(planned(given, { strategy }))).toEqual(['s2=old']);
  const passed = { closed: ['first'], settled: null };
  const ready = [aTarget('s1', { ...canary, ...AT_NEW }), ...given.slice(1)];
  expect(written(planned(ready, { strategy, rollout: passed }))).toEqual(['s3=new', 's2=new']);
});

const STAGED = {
  stages: [{ name: 'first', sites: { matchLabels: { is: 'first' } } }],
  maxConcurrent: 1,
  onFailure: 'RollBack' as const,
};
const CHANGED = [
  aTarget('s1', { ...AT_NEW, labels: { is: 'first' } }),
  aTarget('s2', { ...AT_NEW, since: NOW - 50_000 }),
  aTarget('s3', { ...AT_NEW, since: NOW - 40_000, verdict: 'Failed' }),
  aTarget('s4'),
];

test('RollBack goes back through the stages from the last, one site at a time, the last changed first', () => {
  let given = CHANGED;
  let rollout = aRollout();
  const order: string[] = [];
  for (let step = 0; step < 10; step += 1) {
    const plan = planned(given, { strategy: STAGED, rollout });
    expect(plan.advance.length).toBeLessThanOrEqual(1);
    rollout = plan.rollout;
    order.push(...plan.advance.map(({ cluster }) => cluster));
    const gone = new Map(plan.advance.map(({ cluster, revision }) => [cluster, revision]));
    given = given.map((target) =>
      gone.has(target.cluster)
        ? { ...target, revision: gone.get(target.cluster) ?? null, verdict: 'Ready', since: NOW }
        : target,
    );
  }
  expect(order).toEqual(['s3', 's2', 's1']);
  const { hold, done } = planned(given, { strategy: STAGED, rollout });
  expect({ reason: hold?.reason, done }).toEqual({ reason: 'RolledBack', done: false });
  expect(hold?.message).toContain('1 of 3 sites of stage rest failed (s3)');
  expect(retry(rollout, 'All', NOW)).toMatchObject({ direction: 'Forward', closed: [], cause: null });
});

test('on the way back a site that fails does not keep the others with the revision that failed', () => {
  const rollout = { direction: 'Back' as const, cause: 'It failed.' };
  const stuck = aTarget('s9', { revision: 'old', verdict: 'Failed', since: NOW - 1_000 });
  const given = [...CHANGED, stuck];
  expect(written(planned(given, { strategy: STAGED, rollout }))).toEqual(['s3=old']);
});

test('a way back has not reached a site whose copy there is being deleted and does not go', () => {
  const rollout = { direction: 'Back' as const, cause: 'It failed.' };
  const going = { revision: null, verdict: 'Progressing' as const, leavingSince: NOW - 900_000 };
  const given = [aTarget('s1'), aTarget('s2', going)];
  const { hold } = planned(given, { rollout });
  expect(hold).toMatchObject({
    reason: 'SitesFailed',
    message: expect.stringMatching(/^It failed\. The copy on s2 is being deleted and does not go:/),
  });
  expect(hold?.message).not.toContain('did not become Ready');
  const failed = aTarget('s3', { verdict: 'Failed' });
  expect(planned([...given, failed], { rollout }).hold?.message).toMatch(/ s3 did not .* copy on s2 is /);
  // One that was edited back ends as each does that is within its bounds, and says which site is left out.
  const edited = planned(given, { rollout: begin(aRollout(), 'old', NOW) });
  expect([edited.done, doneSaid(edited)]).toEqual([true, expect.stringContaining('but for 1 that')]);
});

test('the first revision cannot be rolled back: the rollout stops', () => {
  const { advance, hold } = planned(CHANGED, { strategy: STAGED, rollout: { settled: null } });
  expect({ advance, reason: hold?.reason }).toEqual({ advance: [], reason: 'SitesFailed' });
});

test('an edit back to the settled revision needs no approval, and ends as a rollout does', () => {
  const strategy = { stages: [{ name: 'first', sites: { count: 4 }, approval: 'Required' as const }] };
  const rollout = begin(aRollout(), 'old', NOW);
  expect(written(planned(CHANGED, { strategy, rollout }))).toEqual(['s3=old']);
  const { done, rollout: after } = planned(targets(4), { strategy, rollout });
  expect({ done, after }).toMatchObject({
    done: true,
    after: { direction: 'Forward', settled: 'old', halfway: [] },
  });
});

test('on the way back the sites of a stage that changed last come first', () => {
  const changed = [1, 3, 2].map((minute) =>
    aTarget(`s${minute}`, { revision: 'new', since: NOW - 600_000 + minute * 60_000 }),
  );
  const rollout = { direction: 'Back' as const, cause: 'It failed.' };
  expect(written(planned(changed, { strategy: { maxConcurrent: 2 }, rollout }))).toEqual([
    's3=old',
    's2=old',
  ]);
});

test('what is refused for good in the very moment of a retry has failed again at once', () => {
  const refused = targets(1, { revision: 'new', verdict: 'Failed', since: NOW });
  expect(planned(refused, { rollout: { retries: { '*': NOW } } }).hold?.reason).toBe('SitesFailed');
  expect(planned(refused, { rollout: { retries: { '*': NOW + 1 } } }).hold?.reason).toBe('SitesUnderWay');
});

test('a way back has a deadline of its own, whatever a person has asked for on the way forward', () => {
  const failed = targets(2, { revision: 'new', verdict: 'Failed', since: NOW });
  const back = planned(failed, {
    strategy: { onFailure: 'RollBack' },
    rollout: { retries: { '*': NOW - 1 } },
  });
  expect(back.rollout.direction).toBe('Back');
  expect(back.rollout.retries).toEqual({});
});

test('a site that has failed with the settled revision takes no place on the way back, whatever was retried before', () => {
  const given = [
    aTarget('s1', { ...AT_NEW, verdict: 'Failed', since: NOW, labels: { is: 'first' } }),
    aTarget('s2', { verdict: 'Failed' }),
  ];
  const rollout = { retries: { '*': NOW - 1 } };
  expect(written(planned(given, { strategy: STAGED, rollout }))).toEqual(['s1=old']);
});

test('what begins at its first stage has no retries of before', () => {
  const asked = { retries: { '*': NOW, s1: NOW } };
  const begun = [
    begin(aRollout(asked), 'newest', NOW),
    begin(aRollout(asked), 'old', NOW),
    retry(abort(aRollout(asked)), 'All', NOW),
    settle(aRollout(asked)),
    resettled({ ...SETTLED, ...asked }, [aTarget('s1', { ...AT_NEW, isStale: true })], NOW),
  ];
  for (const { retries } of begun) expect(retries).toEqual({});
});

test('a retry while a revision is undone goes on with that, and a revision that is begun again is not half-way', () => {
  const undone = begin(aRollout(), 'old', NOW);
  const retried = retry(undone, 'All', NOW + 1);
  expect(retried).toMatchObject({ direction: 'Back', revision: 'old', retries: { '*': NOW + 1 } });
  expect(begin(begin(aRollout(), 'newer', NOW), 'new', NOW)).toMatchObject({ halfway: ['newer'] });
});
