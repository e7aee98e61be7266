// Times that somebody who may edit the Capps of a set has written into them, years ahead or years ago: no
// stage waits until then, and no approval of before lets a stage pass.
import { shipAll } from '../../../activities/hub/set/carry-out.ts';
import { memberOn } from '../../../activities/hub/set/targets.ts';
import { verificationOf } from '../../../activities/hub/set/verification.ts';
import { HUB_TIMES } from '../../../activities/hub/times.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import { SET_REVISION, VERIFY } from '../../../crds/labels.ts';
import { VerifyCheck } from '../../../crds/verification/check.ts';
import { orderText } from '../../../crds/verification/order.ts';
import { readWritten, writtenAs } from '../../../crds/written.ts';
import type { Kube } from '../../../kube/client.ts';
import type { Rollout } from '../../../workflows/stages/types.ts';
import {
  CONTENT,
  READY,
  REVISION,
  SHOP,
  SITE,
  WRITTEN,
  aChild,
  seenOf,
} from '../../support/builders/fleet/children.ts';
import { aTarget, planned, written } from '../../support/builders/fleet/rollouts.ts';

const LATE = Date.parse('2999-01-01T00:00:00Z');
const NOW = READY + 600_000;
const { ms: apart } = HUB_TIMES.clocksApart;
const CHECKS = [VerifyCheck.parse({ name: 'answers', http: { path: '/healthz' } })];

const datedAt = (at: number, more: object = {}) =>
  aChild({ written: writtenAs({ revision: REVISION, content: CONTENT, at }), ...more });
const PROGRESSING = { ready: { status: 'False', reason: 'Deploying' } };

const memberAt = (child: Capp, now: number, site: Partial<typeof SITE> | { lostSince: number } = {}) =>
  memberOn(seenOf(child, {}, now), { ...SITE, ...site });

const planOn = (child: Capp, rollout: Partial<Rollout>, strategy = {}) =>
  planned([memberAt(child, NOW).target], { rollout: { revision: REVISION, ...rollout }, strategy, now: NOW });

test('a Capp that says it is written years ahead is to be written again, and nothing waits until then', () => {
  for (const more of [{}, PROGRESSING]) {
    const { target, settlesAt } = memberAt(datedAt(LATE, more), NOW);
    expect(target).toMatchObject({ revision: REVISION, isMisdated: true, since: NOW, writtenAt: NOW });
    expect(settlesAt).toBeNull();
    expect(memberAt(datedAt(NOW + apart, more), NOW).target.isMisdated).toBeUndefined();
  }
});

test.each([
  ['forward in a stage that has passed', REVISION, { closed: ['all'] }],
  ['back after a revision that has failed', REVISION, { direction: 'Back', revision: 'bad' }],
  ['back since somebody edits back to it', REVISION, { direction: 'Back' }],
  ['back from the one that it says to have', 'settled', { direction: 'Back', settled: 'settled' }],
] as const)('such a Capp is written again at the next look on the way %s', (_, goal, rollout) => {
  for (const more of [{}, PROGRESSING])
    expect(written(planOn(datedAt(LATE, more), { settled: REVISION, ...rollout }))).toEqual([
      `site-1=${goal}`,
    ]);
});

test('such a Capp of a settled set gets its time, and begins no rollout that would wait for an approval', () => {
  const strategy = { stages: [{ name: 'all', approval: 'Required' }] } as const;
  const settled = { settled: REVISION, direction: 'Forward', revision: REVISION } as const;
  const of = (child: Capp) => planOn(child, settled, strategy);
  for (const more of [{}, PROGRESSING]) {
    const next = of(datedAt(LATE, more));
    expect(written(next)).toEqual([`site-1=${REVISION}`]);
    expect(next.rollout.isResettling).toBeUndefined();
    expect(next.hold?.reason).toBe('SitesUnderWay');
  }
  expect(of(datedAt(WRITTEN))).toMatchObject({ done: true, advance: [] });
  // What would change something on its site goes stage by stage, whatever its time is.
  const misfit = aChild({ written: writtenAs({ revision: REVISION, content: 'other', at: LATE }) });
  expect(of(misfit)).toMatchObject({ advance: [], hold: { reason: 'AwaitsApproval' } });
});

test('such a Capp that is not Ready takes a place, so that no other site is changed beside it', () => {
  const late = memberAt(datedAt(LATE, PROGRESSING), NOW).target;
  const other = aTarget('site-0', { revision: 'bad', since: NOW });
  const rollout = { direction: 'Back', settled: REVISION, revision: 'bad', halfway: [] } as const;
  const next = planned([other, late], { rollout, now: NOW, strategy: { maxConcurrent: 1 } });
  expect(written(next)).toEqual([`site-1=${REVISION}`]);
});

test('what a clock that was ahead said of a Capp counts from then, at whatever time: that proves nothing sooner, and un-fails nothing later', () => {
  const deadlineSeconds = 900;
  for (const ready of [{}, PROGRESSING.ready]) {
    const changed = NOW + 2 * apart;
    const child = aChild({ ready: { lastTransitionTime: new Date(changed).toISOString(), ...ready } });
    const at = (now: number) => memberAt(child, now).target;
    const times = [NOW, NOW + apart - 1, NOW + apart, changed, changed + apart];
    expect(times.map((now) => at(now).since)).toEqual(times.map(() => changed));
    const holdAt = (now: number) => {
      const stages = [{ name: 'all', soakSeconds: deadlineSeconds }];
      const rollout = { revision: REVISION, halfway: [] };
      return planned([at(now)], { rollout, strategy: { stages, deadlineSeconds }, now }).hold?.reason;
    };
    const [waits, ends] = 'status' in ready ? ['SitesUnderWay', 'SitesFailed'] : ['Soaking', undefined];
    expect(times.map(holdAt)).toEqual(times.map(() => waits));
    expect(holdAt(changed + deadlineSeconds * 1_000)).toBe(ends);
  }
});

test('a site that was lost with such a Capp has a deadline, which does not move', () => {
  const lost = { reachable: false, lostSince: READY - 1_000 };
  for (const now of [NOW, NOW + 60_000])
    expect(memberAt(datedAt(LATE, PROGRESSING), now, lost).target.writtenAt).toBe(READY - 1_000);
});

test('what somebody has changed of such a Capp is found all the same, and no later than now', () => {
  const { target, problem } = memberAt(datedAt(LATE, { spec: { site: 'site-1' } }), NOW);
  expect(problem?.reason).toBe('Overridden');
  expect(target).toMatchObject({ verdict: 'Failed', since: NOW });
});

test.each([
  ['years ahead is written, with the time of now', LATE, NOW],
  ['at a time that may be is not written', WRITTEN, null],
  ['by a clock that is a little ahead is not written', NOW + apart, null],
])('the same content %s', async (_, at, becomes) => {
  const child = datedAt(at);
  const notes: (string | undefined)[] = [];
  const apply = (_kind: unknown, object: Capp) => {
    notes.push(object.metadata.annotations?.[SET_REVISION]);
    return Promise.resolve({ metadata: { resourceVersion: '7' } });
  };
  const look = {
    members: [memberAt(child, NOW)],
    plan: { advance: [{ cluster: 'site-1', revision: REVISION }] },
    memory: { rollout: { revision: REVISION }, refused: {} },
  };
  const kube = { apply } as unknown as Kube;
  await shipAll({ kube, set: SHOP, look: look as never, most: 10, now: NOW });
  expect(notes.map((text) => readWritten(text)?.at ?? null)).toEqual(becomes === null ? [] : [becomes]);
});

function ordered(at: number): Capp {
  const order = orderText({ revision: REVISION, round: '1/0', generation: 2, at, checks: CHECKS });
  const child = aChild();
  const annotations = { ...child.metadata.annotations, [VERIFY]: order };
  return { ...child, metadata: { ...child.metadata, annotations } };
}

test.each([LATE, Number.MAX_SAFE_INTEGER])('checks that were ordered at %d are ordered again', (at) => {
  expect(memberAt(ordered(at), NOW).target.verification).toBeUndefined();
  expect(memberAt(ordered(NOW + apart), NOW).target.verification).toBeDefined();
});

test('checks that were ordered before the Capp was written have time, as if ordered then', () => {
  const about = { writtenAt: WRITTEN, now: NOW };
  const until = (at: number) => verificationOf(ordered(at), about)?.until ?? 0;
  expect(until(0)).toBe(until(WRITTEN));
  expect(until(WRITTEN + 1_000)).toBe(until(WRITTEN) + 1_000);
});
