// Times that a site has written into its works of a Bundle, years ahead: whatever it does to managedFields,
// and whenever its hub looks, no stage waits for it until then.
import { checkingOf, checksOn } from '../../../../activities/hub/bundle/checks/seen.ts';
import { renderChecks } from '../../../../activities/hub/bundle/checks/render.ts';
import { asWrittenBefore, writtenIn } from '../../../../activities/hub/bundle/manifests/as-written.ts';
import { memberOn } from '../../../../activities/hub/bundle/members.ts';
import { seenWork } from '../../../../activities/hub/bundle/status/seen.ts';
import { HUB_TIMES } from '../../../../activities/hub/times.ts';
import { BUNDLE_REVISION, VERIFY } from '../../../../crds/labels.ts';
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { Strategy } from '../../../../crds/rollout/stages.ts';
import { askedOf } from '../../../../crds/verification/asked-of-jobs.ts';
import { writtenAs } from '../../../../crds/written.ts';
import {
  rendered,
  reportedWork,
  SETTINGS_AND_WEB,
  WRITTEN_AT,
} from '../../../support/builders/fleet/bundles.ts';
import { planned, written } from '../../../support/builders/fleet/rollouts.ts';

const LATE = Date.parse('2999-01-01T00:00:00Z');
const NOW = WRITTEN_AT + 600_000;
const { ms: apart } = HUB_TIMES.clocksApart;
const made = rendered(SETTINGS_AND_WEB);
const failing: ManifestWork = reportedWork(SETTINGS_AND_WEB, { refused: { web: 'no' } });

/** What the fields of a work are managed by: nobody says it, all is taken off, or it is forged. */
const MANAGED = [
  undefined,
  [{}],
  [{ time: '2999-01-01T00:00:00Z' }, { subresource: 'status', time: '2999-01-01T00:00:00Z' }],
];

function dated<W extends ManifestWork>(work: W, at: number, managedFields?: readonly object[]): W {
  const annotations = { ...work.metadata.annotations, [BUNDLE_REVISION]: noteAt(work, at) };
  const metadata = {
    ...work.metadata,
    annotations,
    ...(managedFields === undefined ? {} : { managedFields }),
  };
  return { ...work, metadata };
}

function noteAt(work: ManifestWork, at: number): string {
  const was = writtenIn(work);
  if (was === null) throw new Error('The work says nothing.');
  return writtenAs({ ...was, at });
}

function saying(lastTransitionTime: string): ManifestWork {
  const { status } = failing;
  const manifests = (status?.resourceStatus?.manifests ?? []).map((one) => ({
    ...one,
    conditions: (one.conditions ?? []).map((said) => ({ ...said, lastTransitionTime })),
  }));
  return { ...failing, status: { ...status, resourceStatus: { manifests } } };
}

function targetOf(
  work: ManifestWork,
  now: number,
  site: { isReachable?: boolean; lostSince?: number | null } = {},
) {
  const { isReachable = true, lostSince = null } = site;
  const known = { rendered: made, refused: {}, now };
  const on = { cluster: 'site-1', labels: {}, refusal: null, isReachable, lostSince };
  return memberOn(known, on, seenWork(work as never)).target;
}

test.each(MANAGED)(
  'a work that says it is written years ahead is written again (managedFields %j)',
  (managed) => {
    expect(targetOf(dated(failing, LATE, managed), NOW)).toMatchObject({
      revision: made.revision,
      isMisdated: true,
      since: NOW,
      writtenAt: NOW,
    });
    expect(targetOf(dated(failing, NOW + apart, managed), NOW).isMisdated).toBeUndefined();
  },
);

test.each([
  ['back since somebody edits back to what is settled', { settled: made.revision }, made.revision],
  ['back after a revision that has failed', { settled: 'good' }, 'good'],
])('such a work is written again at the next look on the way %s', (_, settled, goal) => {
  const rollout = { revision: made.revision, direction: 'Back', ...settled } as const;
  const next = planned([targetOf(dated(failing, LATE), NOW)], { rollout, now: NOW });
  expect(written(next)).toEqual([`site-1=${goal}`]);
});

/** Its only stage waits for a person. */
const ASKING = { stages: [{ name: 'all', approval: 'Required' as const }] };

test('such a work of a settled Bundle gets its time, and begins no rollout that would wait for an approval', () => {
  const rollout = { settled: made.revision, direction: 'Forward', revision: made.revision } as const;
  const of = (work: ManifestWork) => planned([targetOf(work, NOW)], { rollout, strategy: ASKING, now: NOW });
  const applied: ManifestWork = reportedWork(SETTINGS_AND_WEB, { rules: { web: { status: 'True' } } });
  for (const work of [failing, applied]) {
    const next = of(dated(work, LATE));
    expect(written(next)).toEqual([`site-1=${made.revision}`]);
    expect(next.rollout.isResettling).toBeUndefined();
    expect(next.hold?.reason).toBe('SitesUnderWay');
  }
  // What would change something on its site goes stage by stage, whatever its time is.
  const { spec } = applied;
  for (const changed of [
    { ...spec, workload: { manifests: [] } },
    { ...spec, deleteOption: {} },
  ]) {
    const misfit = dated({ ...applied, spec: changed } as ManifestWork, LATE);
    expect(of(misfit)).toMatchObject({ advance: [], hold: { reason: 'AwaitsApproval' } });
  }
});

test('such a work with an earlier revision has that until its turn comes, and is given the newest then', () => {
  const rollout = { settled: made.revision, revision: 'newer', halfway: [] } as const;
  const site = targetOf(dated(failing, LATE), NOW);
  expect(planned([site], { rollout, strategy: ASKING, now: NOW })).toMatchObject({
    advance: [],
    hold: { reason: 'AwaitsApproval' },
  });
  expect(written(planned([site], { rollout, now: NOW }))).toEqual(['site-1=newer']);
});

test('what is written again has the time of that, and what is as it was keeps its own', () => {
  const wanted = made.workOn('site-1', NOW);
  const at = (was: number) => writtenIn(asWrittenBefore(dated(failing, was), wanted))?.at;
  expect([at(LATE), at(WRITTEN_AT), at(NOW + apart)]).toEqual([NOW, WRITTEN_AT, NOW + apart]);
});

test('a site that was lost with such a work has a deadline, which does not move', () => {
  const lost = (now: number, lostSince: number | null) =>
    targetOf(dated(failing, LATE), now, { isReachable: false, lostSince });
  for (const now of [NOW, NOW + 60_000])
    expect(lost(now, NOW - 1_000)).toMatchObject({ since: NOW - 1_000, writtenAt: NOW - 1_000 });
  expect(lost(NOW, null).since).toBe(0);
});

test.each(MANAGED)(
  'a condition that has changed in years counts since the work was written (managedFields %j)',
  (managed) => {
    const said = dated(saying('2999-01-01T00:00:00Z'), WRITTEN_AT, managed);
    for (const now of [NOW, NOW + 60_000]) expect(targetOf(said, now).since).toBe(WRITTEN_AT);
    const early = dated(saying(new Date(NOW + apart).toISOString()), WRITTEN_AT, managed);
    expect(targetOf(early, NOW).since).toBe(NOW);
  },
);

/** What is known of the checks on a site, by the work with its Jobs and what its own work says of them. */
function checkedBy(jobsOf: (jobs: ManifestWork) => ManifestWork, noted?: object) {
  const pod = { spec: { restartPolicy: 'Never', containers: [] } };
  const job = { template: { spec: { template: pod } } };
  const strategy = Strategy.parse({ stages: [{ name: 'all', verify: [{ name: 'smoke', job }] }] });
  const checks = JSON.stringify(strategy.stages?.[0]?.verify);
  const ask = { cluster: 'site-1', revision: 'r1', round: '1/0', checks };
  const jobs = renderChecks(SETTINGS_AND_WEB, { executorNamespace: null }, ask, NOW) as ManifestWork;
  const work = seenWork(jobsOf(jobs) as never);
  const checkWorks = { get: () => work, followsSince: () => 0 } as never;
  const annotations =
    noted === undefined ? {} : { [VERIFY]: JSON.stringify({ ...askedOf(jobs), says: '', ...noted }) };
  const own = seenWork({ metadata: { namespace: 'site-1', name: 'w', annotations } } as never);
  const site = { cluster: 'site-1', isReachable: true };
  return checksOn(checkingOf({ checkWorks }, SETTINGS_AND_WEB, strategy), { site, work: own }, NOW);
}

test('checks that a site says it was asked for years ahead are asked for again', () => {
  expect(checkedBy((jobs) => jobs)?.seen.round).toBe('1/0');
  expect(checkedBy((jobs) => dated(jobs, LATE))).toBeUndefined();
});

test('no verdict that a site writes into its own work is one that only an approval after years lets pass', () => {
  const noted = (verdict: string, at: number) => checkedBy((jobs) => jobs, { verdict, at })?.seen.result;
  expect(noted('Failed', NOW)).toMatchObject({ verdict: 'Failed' });
  for (const at of [NOW, LATE]) expect(noted('Inconclusive', at)).toBeNull();
  // Another round of them is asked for by a person, whenever the failure is said to be.
  expect(noted('Failed', LATE)).toMatchObject({ verdict: 'Failed' });
});
