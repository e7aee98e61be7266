// The status of a Bundle: counts, the worst that is so, what helps, and when it is stalled.
import { happeningOf } from '../../../../../activities/hub/bundle/status/told.ts';
import { memberOn } from '../../../../../activities/hub/bundle/members.ts';
import { verdictOf, type BundleVerdict } from '../../../../../activities/hub/bundle/status/verdicts.ts';
import { seenWork } from '../../../../../activities/hub/bundle/status/seen.ts';
import { HUB_TIMES } from '../../../../../activities/hub/times.ts';
import { BundleStatus } from '../../../../../crds/bundle/status.ts';
import { aBundle, rendered, reportedWork, WRITTEN_AT } from '../../../../support/builders/fleet/bundles.ts';
import {
  COURSE,
  NOT_ALLOWED,
  NOW,
  bundle,
  conditionOf,
  memberOf,
  of,
  revision,
  site,
  told,
  waitingFor,
  workOf,
} from '../../../../support/builders/fleet/bundle-status.ts';

test('a Bundle whose sites are all ready is Ready', () => {
  const { status } = told([of('site-1'), of('site-2')]);
  expect(status).toMatchObject({
    readyOfSites: '2/2',
    sites: 2,
    ready: 2,
    progressing: 0,
    failed: 0,
    revision,
  });
  expect(conditionOf(status, 'Ready')).toMatchObject({
    status: 'True',
    reason: 'Ready',
    observedGeneration: 1,
  });
  expect(conditionOf(status, 'Stalled')?.status).toBe('False');
  expect(BundleStatus.safeParse(status).success).toBe(true);
});

test('one site that refuses makes it stalled, with the resource, the site and the account that needs rights', () => {
  const { status } = told([of('site-1'), of('site-2', NOT_ALLOWED)]);
  const ready = conditionOf(status, 'Ready');
  expect(ready).toMatchObject({ status: 'False', reason: 'NotAllowed' });
  expect(ready?.message).toContain(
    'Ready on 1 of 2 sites. ConfigMap settings on site-2: not allowed to apply',
  );
  expect(ready?.message).toContain(
    'ServiceAccount open-cluster-management-agent-addon/cappstan-bundles-apps',
  );
  expect(conditionOf(status, 'Stalled')).toMatchObject({ status: 'True', reason: 'NotAllowed' });
});

test('the account that needs rights is that of the work, which may have the name of an earlier setting', () => {
  const work = reportedWork(bundle, NOT_ALLOWED);
  const messageFor = (executor: NonNullable<typeof work.spec>['executor']) => {
    const { executor: _, ...spec } = work.spec ?? { workload: {} };
    const as = { ...work, spec: executor === undefined ? spec : { ...spec, executor } };
    const verdict = verdictOf(memberOf('site-1', seenWork(as as never)), revision, undefined);
    return conditionOf(told([verdict]).status, 'Ready')?.message;
  };
  const serviceAccount = { namespace: 'add-on', name: 'cappstan-bundles-apps.0123456789' };
  expect(messageFor({ subject: { type: 'ServiceAccount', serviceAccount } })).toContain(
    'must give ServiceAccount add-on/cappstan-bundles-apps.0123456789 get,',
  );
  expect(messageFor(undefined)).toContain("OCM's work agent has no rights for it on the site");
});

test('a work at another revision, or that is being deleted, counts for nothing', () => {
  const old = seenWork(reportedWork(aBundle({ onRemoval: 'Orphan' })) as never);
  expect(verdictOf(memberOf('site-1', old), revision, undefined).state).toBe('Waiting');
  const leaving = { ...workOf(), metadata: { ...workOf().metadata, deletionTimestamp: 'now' } };
  expect(memberOf('site-1', leaving).target.revision).toBeNull();
  expect(verdictOf(memberOf('site-1', leaving), revision, undefined).state).toBe('Waiting');
});

test('what runs on a site that cannot be reached is not known, whatever it said last', () => {
  const lost = verdictOf(memberOf('site-1', workOf(), false), revision, undefined);
  expect(lost).toMatchObject({ state: 'Offline', reason: 'SiteUnreachable' });
  const alone = told([lost], bundle, { course: waitingFor('Unproven', 'No site proves it.') });
  expect(alone.reason).toBe('SiteUnreachable');
  const { status } = told([of('site-2'), lost]);
  expect(conditionOf(status, 'Ready')).toMatchObject({
    status: 'True',
    message:
      'All manifests are applied and ready on 1 site. 1 site cannot be reached, and get it when they are back.',
  });
});

test('what a site refuses at first may come a moment later, and counts as failed only after a minute', () => {
  const reported = { refused: { settings: 'no matches for kind "Foo" in version "b/v1"' } };
  const at = (now: number) =>
    memberOn({ rendered: rendered(bundle), refused: {}, now }, site('site-1'), workOf(reported));
  const settlesAt = WRITTEN_AT + HUB_TIMES.bundleSettles.ms;
  expect(at(settlesAt - 1)).toMatchObject({ target: { verdict: 'Progressing' }, settlesAt: settlesAt });
  expect(at(settlesAt)).toMatchObject({ target: { verdict: 'Failed' }, settlesAt: null });
  expect(memberOf('site-1', workOf(NOT_ALLOWED)).target.verdict).toBe('Failed');
});

test('a revision that is on its way for longer than it may is stalled, with the sites by name', () => {
  const late = of('site-1', { generation: 2, observed: 1 });
  const course = waitingFor('SitesFailed', '1 of 1 site of stage all failed (site-1).');
  const stalled = conditionOf(told([late], bundle, { course, late: ['site-1'] }).status, 'Stalled');
  expect(stalled).toMatchObject({ status: 'True', reason: 'DeadlinePassed' });
  expect(stalled?.message).toContain('The deadline of this revision has passed on site-1.');
});

test('a Bundle of which a stage waits for a person says so, with what is ready already', () => {
  const waiting: BundleVerdict = {
    cluster: 'site-2',
    state: 'Waiting',
    reason: 'SitesUnderWay',
    problems: [],
  };
  const course = waitingFor('AwaitsApproval', 'Stage rest with 1 site waits for approval.');
  const { status } = told([of('site-1'), waiting], bundle, { course });
  expect(status).toMatchObject({ readyOfSites: '1/2', waiting: 1, stage: 'all 2/2' });
  expect(conditionOf(status, 'Ready')).toMatchObject({
    status: 'False',
    reason: 'AwaitsApproval',
    message: 'Ready on 1 of 2 sites. Stage rest with 1 site waits for approval.',
  });
  expect(conditionOf(status, 'Progressing')).toMatchObject({ status: 'False', reason: 'AwaitsApproval' });
  expect(happeningOf(bundle, status)).toMatchObject({
    type: 'Normal',
    reason: 'AwaitsApproval',
  });
});

test('a removal that is held is what people must know first', () => {
  const { status } = told([of('site-1')], bundle, { course: { ...COURSE, held: 7 } });
  const stalled = conditionOf(status, 'Stalled');
  expect(stalled).toMatchObject({ status: 'True', reason: 'RemovalHeld' });
  expect(stalled?.message).toContain("kubectl annotate bundle <name> rcs.dana.io/approve-removal='7#");
});

test('twenty problems are listed at most, those that fail before those on their way', () => {
  const many = [
    of('slow', { generation: 2, observed: 1 }),
    ...Array.from({ length: 25 }, (_, index) => of(`site-${index}`, NOT_ALLOWED)),
  ];
  const { failing } = told(many).status;
  expect(failing).toHaveLength(20);
  expect(failing?.every(({ reason }) => reason === 'NotAllowed')).toBe(true);
});

test('a status that says the same again is no news and no event, with the times of before', () => {
  const before = told([of('site-1')]);
  const known = { ...bundle, status: before.status };
  const again = told([of('site-1')], known, { now: NOW + 60_000 });
  expect(again.status).toEqual(before.status);
  expect(happeningOf(known, again.status)).toBeNull();
  expect(happeningOf(bundle, before.status)).toMatchObject({ type: 'Normal', reason: 'BundleReady' });
  expect(happeningOf(known, told([of('site-1', NOT_ALLOWED)], known).status)).toMatchObject({
    type: 'Warning',
    reason: 'BundleNotAllowed',
  });
});
