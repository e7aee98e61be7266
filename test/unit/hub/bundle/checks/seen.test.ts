// What is known of the Jobs that check a Bundle on a site which can be reached, is lost, or has come back.
import { areLeaving, checkingOf, checksOn } from '../../../../../activities/hub/bundle/checks/seen.ts';
import { renderChecks } from '../../../../../activities/hub/bundle/checks/render.ts';
import { seenWork } from '../../../../../activities/hub/bundle/status/seen.ts';
import { RULE_CONDITION } from '../../../../../activities/hub/bundle/ready/ready-rules.ts';
import { HUB_TIMES } from '../../../../../activities/hub/times.ts';
import { VERIFY } from '../../../../../crds/labels.ts';
import { AVAILABLE, type ManifestWork } from '../../../../../crds/ocm/ocm.ts';
import { Strategy } from '../../../../../crds/rollout/stages.ts';
import { notedOn, textOf, type JobVerdict } from '../../../../../crds/verification/asked-of-jobs.ts';
import { aBundle, WRITTEN_AT } from '../../../../support/builders/fleet/bundles.ts';
import { aCluster } from '../../../../support/builders/fleet/sets.ts';

const pod = { spec: { restartPolicy: 'Never', containers: [] } };
const strategy = Strategy.parse({
  stages: [
    {
      name: 'all',
      verify: [{ name: 'smoke', timeoutSeconds: 60, job: { template: { spec: { template: pod } } } }],
    },
  ],
});
const bundle = aBundle({ strategy });
const checks = JSON.stringify(strategy.stages?.[0]?.verify);
const ask = { cluster: 'site-1', revision: 'r1', round: '1/0', checks };
const jobs = renderChecks(bundle, { executorNamespace: null }, ask, WRITTEN_AT) as ManifestWork;
const { ms: spare } = HUB_TIMES.verdictSpare;
const SITE = { cluster: 'site-1', isReachable: true };
const JOB = jobs.spec?.workload.manifests?.[0]?.metadata.name ?? '';
const DUE = WRITTEN_AT + 60_000 + spare;

const shown = (work: ManifestWork, hearsSince: number | null = 0) =>
  ({ checkWorks: { get: () => seenWork(work as never), followsSince: () => hearsSince } }) as never;

function seenAt(
  now: number,
  site: { readonly isReachable: boolean; readonly reachableSince?: number },
  hearsSince: number | null = 0,
) {
  const ground = checkingOf(shown(jobs, hearsSince), bundle, strategy);
  const work = seenWork({ metadata: { namespace: 'site-1', name: 'w' } } as never);
  return checksOn(ground, { site: { cluster: 'site-1', ...site }, work }, now)?.seen;
}

test('it is about exactly what was asked, and due so long after that as the Job may take', () => {
  const { cluster: _cluster, ...about } = ask;
  expect(seenAt(DUE - 1, { isReachable: true })).toEqual({ ...about, until: DUE, result: null });
});

test('silence beyond that is a failure of a site that can be reached, and nothing of one that is lost', () => {
  expect(seenAt(DUE, { isReachable: true })?.result).toMatchObject({
    verdict: 'Failed',
    says: expect.stringContaining('came to no verdict on site-1 in time'),
  });
  expect(seenAt(DUE, { isReachable: false })?.result).toBeNull();
});

test('a site that has come back has time to report what has become of its Job', () => {
  const back = { isReachable: true, reachableSince: DUE - 1_000 };
  expect(seenAt(DUE, back)).toMatchObject({ until: DUE - 1_000 + spare, result: null });
  expect(seenAt(DUE - 1_000 + spare, back)?.result).toMatchObject({ verdict: 'Failed' });
});

test('sites have time to report after the hub could not hear them, and are late for nothing while it cannot', () => {
  const back = DUE + 3_600_000;
  const ready = { isReachable: true };
  expect(seenAt(back, ready, back)).toMatchObject({ until: back + spare, result: null });
  expect(seenAt(back + spare, ready, back)?.result).toMatchObject({ verdict: 'Failed' });
  expect(seenAt(back, ready, null)).toMatchObject({ until: back + spare, result: null });
});

test('former Jobs hold up the next ones while they go, and for no time in which their site was away', () => {
  const going = { ...jobs, metadata: { ...jobs.metadata, deletionTimestamp: '2026-03-01T12:00:00Z' } };
  const lastTransitionTime = new Date(DUE).toISOString();
  const site = {
    ...aCluster('site-1'),
    status: { conditions: [{ type: AVAILABLE, status: 'True', lastTransitionTime }] },
  };
  const holdUp = (work: ManifestWork, since: number) => {
    const checkWorks = { get: () => seenWork(work as never) };
    return areLeaving({ checkWorks, clusters: { get: () => site } } as never, bundle, 'site-1', since);
  };
  expect([holdUp(going, DUE), holdUp(going, DUE - 1), holdUp(jobs, DUE)]).toEqual([true, false, false]);
});

test('checks that nobody asks for any more are not known of', () => {
  const ground = checkingOf(shown(jobs), bundle, Strategy.parse({}));
  const work = seenWork({ metadata: { namespace: 'site-1', name: 'w' } } as never);
  expect(checksOn(ground, { site: { cluster: 'site-1', isReachable: true }, work }, DUE)).toBeUndefined();
});

/** As the site says it, in words of its own where `words` are given. */
function saidOf(
  names: readonly string[],
  words?: { readonly name: string; readonly namespace?: string; readonly message: string },
) {
  const about = { status: 'True' as const, observedGeneration: 1 };
  const of = (name: string, conditions: readonly object[], namespace = 'apps') => ({
    resourceMeta: { group: 'batch', resource: 'jobs', kind: 'Job', namespace, name },
    conditions,
  });
  const good = [
    { ...about, type: 'Applied' },
    { ...about, type: 'Available' },
    { ...about, type: RULE_CONDITION },
  ];
  const bad = [{ ...about, type: 'Applied', status: 'False', message: words?.message }];
  const manifests = [
    ...names.map((name) => of(name, good)),
    ...(words === undefined ? [] : [of(words.name, bad, words.namespace)]),
  ];
  const status = { conditions: [{ ...about, type: 'Applied' }], resourceStatus: { manifests } };
  const work = { ...jobs, metadata: { ...jobs.metadata, generation: 1 }, status } as ManifestWork;
  const own = seenWork({ metadata: { namespace: 'site-1', name: 'w' } } as never);
  return checksOn(checkingOf(shown(work), bundle, strategy), { site: SITE, work: own }, DUE);
}

test('a site has said that the Job succeeded when it has said so of this Job', () => {
  expect(saidOf([JOB])?.unnoted).toMatchObject({ verdict: 'Passed' });
  expect(saidOf([])?.unnoted).toMatchObject({ verdict: 'Failed' });
  expect(saidOf(['another'])?.unnoted).toMatchObject({ verdict: 'Failed' });
});

test.each([
  ['of no Job of ours', 'n'.repeat(3_000), 'it is not allowed', undefined],
  ['of control characters', '\u0001'.repeat(700), '\u0001'.repeat(700), undefined],
  ['of our Job in a place of its own', JOB, 'no', '\u0001'.repeat(700)],
])('a verdict with words %s can be noted and read again', (_of, name, message, namespace) => {
  const verdict = saidOf([], { name, message, ...(namespace === undefined ? {} : { namespace }) })?.unnoted;
  expect(verdict?.verdict).toBe('Failed');
  expect(notedOn({ metadata: { annotations: { [VERIFY]: textOf(verdict as JobVerdict) } } })).toEqual(
    verdict,
  );
  if (name !== JOB) expect(verdict?.says).not.toContain(name);
});
