// What the planner is told of a site: only what is known about exactly the revision that its Capp was written
// with.
import { memberOn } from '../../../activities/hub/set/targets.ts';
import { wantedBy } from '../../../activities/hub/set/wanted.ts';
import { writtenAs } from '../../../crds/written.ts';
import {
  WRITTEN,
  READY,
  SITE,
  REVISION,
  CONTENT,
  SPEC,
  aChild,
  seenOf,
  targetOf,
} from '../../support/builders/fleet/children.ts';

test('a Capp that is Ready at its generation is Ready at its revision, since it became Ready', () => {
  expect(targetOf(aChild())).toMatchObject({ revision: REVISION, verdict: 'Ready', since: READY });
});

test('a status about an earlier generation says nothing about the revision', () => {
  expect(targetOf(aChild({ generation: 3 }))).toMatchObject({
    revision: REVISION,
    verdict: 'Progressing',
    since: WRITTEN,
  });
});

test('a soak does not count time in which an earlier revision was Ready', () => {
  const written = writtenAs({ revision: REVISION, content: CONTENT, at: READY + 60_000 });
  expect(targetOf(aChild({ written })).since).toBe(READY + 60_000);
});

test('a Ready from before an edit of labels alone counts only when the Capp had time to ship it', () => {
  const at = READY + 60_500;
  const edited = aChild({ written: writtenAs({ revision: REVISION, content: CONTENT, at }) });
  const early = memberOn(seenOf(edited, {}, at + 9_999), SITE);
  expect(early).toMatchObject({ settlesAt: at + 10_000, target: { verdict: 'Progressing', since: at } });
  const late = memberOn(seenOf(edited, {}, at + 10_000), SITE);
  expect(late).toMatchObject({ settlesAt: null, target: { verdict: 'Ready', since: at } });
});

test.each<[string, string | null, object, RegExp]>([
  ['while it is paused', 'true', {}, /^The Capp is paused, so .* kubectl capp resume shop-site-1 -n apps/],
  [
    'until its workflow has seen that it goes on',
    null,
    { migrating: 'Paused' },
    /^The Capp is paused no more, (?!.*resume)/,
  ],
])(
  'a Ready from before an edit of labels alone never counts %s: nothing of it is shipped',
  (_, paused, said, message) => {
    const at = READY + 60_500;
    const edited = aChild({
      written: writtenAs({ revision: REVISION, content: CONTENT, at }),
      paused,
      ...said,
    });
    const seenAt = memberOn(seenOf(edited, {}, at + 3_600_000), SITE);
    expect(seenAt).toMatchObject({ settlesAt: null, target: { verdict: 'Progressing', since: at } });
    expect(seenAt.problem?.message).toMatch(message);
  },
);

test('a paused Capp that became Ready after it was written counts, and so does one that goes on', () => {
  const before = aChild({ paused: 'true', migrating: 'Paused' });
  expect(targetOf(before)).toMatchObject({ verdict: 'Ready', since: READY });
  const at = READY + 60_500;
  const on = aChild({
    written: writtenAs({ revision: REVISION, content: CONTENT, at }),
    paused: 'false',
    migrating: 'NotMoving',
  });
  expect(memberOn(seenOf(on, {}, at + 10_000), SITE).target).toMatchObject({ verdict: 'Ready' });
});

test('a Capp that became Ready in the second of the edit, or after it, counts at once', () => {
  const at = READY + 900;
  const { target, settlesAt } = memberOn(
    seenOf(aChild({ written: writtenAs({ revision: REVISION, content: CONTENT, at }) }), {}, at + 1),
    SITE,
  );
  expect({ verdict: target.verdict, settlesAt }).toEqual({ verdict: 'Ready', settlesAt: null });
});

test('the planner is told that a Capp is disabled by what the hub wants, and not by what a site says', () => {
  const off = aChild({ spec: { ...SPEC, state: 'disabled' }, ready: { reason: 'Disabled' } });
  expect(targetOf(off)).toMatchObject({ isDisabled: true });
  expect(targetOf(aChild({ ready: { reason: 'Disabled' } })).isDisabled).toBeUndefined();
});

test('the planner is told whether the newest revision would disable the Capp, also where there is none', () => {
  const wanted = wantedBy({ template: { spec: { ...SPEC, state: 'disabled' } }, overrides: [] } as never);
  const off = [undefined, aChild()].map((child) => memberOn({ ...seenOf(child), wanted }, SITE).target);
  expect(off.map(({ isToBeDisabled }) => isToBeDisabled)).toEqual([true, true]);
  expect(targetOf(aChild()).isToBeDisabled).toBeUndefined();
});

test.each<[reason: string, verdict: string]>([
  ['RolloutFailed', 'Failed'],
  ['HostnameTaken', 'Failed'],
  ['AgentSilent', 'Progressing'],
  ['Applying', 'Progressing'],
])('a Capp that is not Ready for %s is %s', (reason, verdict) => {
  expect(targetOf(aChild({ ready: { status: 'False', reason } }))).toMatchObject({
    revision: REVISION,
    verdict,
  });
});

test('a Capp whose content no longer fits its site runs on, and is due to be written again', () => {
  const written = writtenAs({ revision: REVISION, content: 'other', at: WRITTEN });
  expect(targetOf(aChild({ written }))).toMatchObject({
    revision: REVISION,
    verdict: 'Ready',
    isStale: true,
  });
  expect(targetOf(aChild()).isStale).toBeUndefined();
});

test('a site that is drained or lost is said to be so, and is no less reachable for a drain', () => {
  const lost = { ...SITE, reachable: false, lostSince: READY, draining: true };
  expect(memberOn(seenOf(undefined), lost).target).toMatchObject({ reachable: false, lostSince: READY });
  const drained = memberOn(seenOf(undefined), { ...SITE, draining: true }).target;
  expect(drained).toMatchObject({ reachable: true, isDrained: true });
});

test('a Capp at an earlier revision, one that is being deleted, and no Capp at all', () => {
  const written = writtenAs({ revision: 'older', content: 'other', at: WRITTEN });
  expect(targetOf(aChild({ written }))).toMatchObject({ revision: 'older', verdict: 'Ready' });
  expect(targetOf(aChild({ written })).isStale).toBeUndefined();
  const leavingSince = Date.parse('2026-03-01T12:02:00Z');
  expect(targetOf(aChild({ deleting: true }))).toMatchObject({ revision: null, leavingSince });
  expect(targetOf(undefined).revision).toBeNull();
});

test('a Capp of another set is not the set’s own, whatever its labels say', () => {
  const member = memberOn(seenOf(aChild({ owner: 'other' })), SITE);
  expect(member).toMatchObject({ isTaken: true, child: null });
});

test('a Capp that was refused has failed until it or what is in its way has changed', () => {
  const refusal = { revision: REVISION, message: '', at: READY, generation: 2 };
  const overridden = { 'site-1': { ...refusal, reason: 'Overridden' } };
  expect(targetOf(aChild(), overridden)).toMatchObject({
    revision: REVISION,
    verdict: 'Failed',
    since: READY,
  });
  expect(targetOf(aChild({ generation: 3 }), overridden).verdict).toBe('Progressing');
  const taken = { 'site-1': { ...refusal, generation: null, reason: 'NameTaken' } };
  expect(targetOf(aChild({ owner: 'other' }), taken).verdict).toBe('Failed');
  expect(targetOf(undefined, taken)).toMatchObject({ revision: null, verdict: 'Progressing' });
});

test('that a Capp could not be asked for its checks counts for exactly the generation that could not', () => {
  const at = { revision: REVISION, reason: 'WriteFailed', message: 'no', at: READY, generation: 2 };
  const marker = { ...at, retryAt: READY + 5_000, asked: { round: '1/0', checks: 'd' } };
  const seen = { revision: REVISION, round: '1/0', checks: '[]', until: READY, result: null };
  const of = (child: Parameters<typeof seenOf>[0]) =>
    memberOn({ ...seenOf(child), unordered: { 'site-1': { marker, seen } } }, SITE);
  expect(of(aChild())).toMatchObject({ unordered: marker, target: { verification: seen } });
  const since = of(aChild({ generation: 3, ready: { observedGeneration: 3 } }));
  expect(since.target.verdict).toBe('Ready');
  expect([since.unordered, since.target.verification]).toEqual([undefined, undefined]);
});

test('a site that lacked a label of the template gets the Capp as soon as it has the label', () => {
  const missing = { reason: 'MissingLabel', revision: REVISION, message: '', at: READY, generation: null };
  const refused = { 'site-1': missing };
  expect(targetOf(undefined, refused)).toMatchObject({ revision: null, verdict: 'Progressing' });
  const seen = seenOf(undefined, refused);
  const without = {
    ...seen,
    wanted: () => ({ missingLabel: 'zone', content: null, isDisabled: false, overridden: [] }),
  };
  expect(memberOn(without, SITE).target).toMatchObject({ revision: REVISION, verdict: 'Failed' });
});
