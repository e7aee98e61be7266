// Jobs of checks that the hub's API server does not take: they are tried again until the deadline of the
// strategy, as copies are, and people read why.
import { jest } from '@jest/globals';
import { BUNDLE_REVISION, RETRY, VERIFY } from '../../../../../crds/labels.ts';
import type { ManifestWork } from '../../../../../crds/ocm/ocm.ts';
import { askedOf } from '../../../../../crds/verification/asked-of-jobs.ts';
import { bundleWorld, type BundleWorld } from '../../../../support/testbeds/fleet/bundle-world.ts';

const DEADLINE_S = 900;
const smoke = {
  name: 'smoke',
  job: { template: { spec: { template: { spec: { restartPolicy: 'Never', containers: [] } } } } },
};

beforeEach(() => void jest.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') }));
afterEach(() => void jest.useRealTimers());

const after = (ms: number) => jest.setSystemTime(Date.now() + ms);
const failing = ({ bundle }: BundleWorld) => bundle.status?.failing?.[0];
const reason = ({ bundle }: BundleWorld) =>
  bundle.status?.conditions?.find(({ type }) => type === 'Progressing')?.reason;

/** All sites are Ready, none has been asked, and the API server answers this to the works with the Jobs. */
async function ready(clusters: readonly string[], code: number): Promise<BundleWorld> {
  const strategy = {
    stages: [{ name: 'all', sites: { count: clusters.length }, verify: [smoke] }],
    maxConcurrent: '100%',
    deadlineSeconds: DEADLINE_S,
  };
  const world = bundleWorld(clusters, { strategy });
  for (const cluster of clusters) world.codes[`checks/${cluster}`] = code;
  while ((await world.turn()).isMore);
  await world.turn();
  for (const cluster of clusters) world.apply(cluster);
  return world;
}

test.each([
  [403, 'Refused'],
  [422, 'Refused'],
  [404, 'UnknownSite'],
  [503, 'WriteFailed'],
])('a Job that the hub answers %i for is told, and sent when it can be', async (code, why) => {
  const world = await ready(['site-1'], code);
  const { wakeAt } = await world.turn();
  expect(failing(world)).toMatchObject({ cluster: 'site-1', reason: why });
  expect(failing(world)?.message).toContain('It is tried again until the deadline of the strategy.');
  expect((wakeAt ?? Infinity) - Date.now()).toBe(5_000);
  await world.turn();
  expect(world.tries).toEqual([]);
  delete world.codes['checks/site-1'];
  after(5_000);
  await world.turn();
  expect(reason(world)).toBe('Verifying');
  world.jobsSay('site-1');
  await world.turn();
  expect(world.bundle.status?.failing ?? []).toEqual([]);
});

test('what cannot be sent until the deadline comes to no verdict, and a person may have it tried again', async () => {
  const world = await ready(['site-1'], 403);
  for (let turns = 0; turns < 60 && reason(world) !== 'VerificationInconclusive'; turns += 1) {
    const { wakeAt } = await world.turn();
    after(Math.min((wakeAt ?? Infinity) - Date.now(), 60_000));
  }
  expect(reason(world)).toBe('VerificationInconclusive');
  expect(failing(world)?.message).toContain('The Jobs of the checks cannot be sent to site-1: ');
  delete world.codes['checks/site-1'];
  world.annotate({ [RETRY]: 'site-1#again' });
  await world.turn();
  expect(reason(world)).toBe('Verifying');
});

test('Jobs that wait until their site has deleted the former ones wait no longer than the deadline, and come when those are gone', async () => {
  const world = await ready(['site-1'], 503);
  delete world.codes['checks/site-1'];
  await world.turn();
  const jobs = world.checks as Map<string, ManifestWork>;
  // As its work agent has taken it, so that only that can let it go.
  world.jobsSay('site-1');
  const { metadata, ...work } = jobs.get('site-1') as ManifestWork;
  const deletionTimestamp = new Date().toISOString();
  jobs.set('site-1', { ...work, metadata: { ...metadata, deletionTimestamp } });
  await world.turn();
  expect(failing(world)).toMatchObject({ cluster: 'site-1', reason: 'StillLeaving' });
  expect(failing(world)?.message).toContain("see whether the site's work agent runs");
  const begun = Date.now();
  for (let turns = 0; turns < 60 && reason(world) !== 'VerificationInconclusive'; turns += 1) {
    const { wakeAt } = await world.turn();
    after(Math.min((wakeAt ?? Infinity) - Date.now(), 60_000));
  }
  expect(reason(world)).toBe('VerificationInconclusive');
  expect(Date.now() - begun).toBeGreaterThanOrEqual(DEADLINE_S * 1_000);
  jobs.delete('site-1');
  await world.turn();
  expect([reason(world), jobs.has('site-1')]).toEqual(['Verifying', true]);
});

test('nobody is held up by checks that are not asked for any more', async () => {
  const world = await ready(['site-1'], 403);
  await world.turn();
  world.edit({ strategy: { maxConcurrent: '100%', deadlineSeconds: DEADLINE_S } });
  after(5_000);
  await world.turn();
  after(DEADLINE_S * 1_000);
  await world.turn();
  expect([reason(world), world.bundle.status?.failing ?? []]).toEqual(['Done', []]);
});

test('a turn that is late leaves the Jobs of a later try, and replaces those of an earlier one', async () => {
  const world = await ready(['site-1'], 503);
  delete world.codes['checks/site-1'];
  await world.turn();
  const jobs = world.checks as Map<string, ManifestWork>;
  const work = jobs.get('site-1') as ManifestWork;
  const { [VERIFY]: text = '' } = work.metadata.annotations ?? {};
  const asked = askedOf(work);
  const [begun = ''] = asked?.round.split('/') ?? [];
  // Nobody has seen them when the turn looks: they come while it writes.
  const writtenMeanwhile = async (round: string): Promise<string | undefined> => {
    const annotations = { ...work.metadata.annotations, [VERIFY]: JSON.stringify({ ...asked, round }) };
    const later = { ...work, metadata: { ...work.metadata, annotations } };
    jobs.delete('site-1');
    world.meanwhile = () => void jobs.set('site-1', later);
    await world.turn();
    return jobs.get('site-1')?.metadata.annotations?.[VERIFY];
  };
  expect(await writtenMeanwhile(`${begun}/5`)).toContain(`"${begun}/5"`);
  expect(await writtenMeanwhile(`${Number(begun) - 1}/9`)).toBe(text);
});

test.each([
  ['of a round that is still to come', { round: '9999999999999/0' }],
  ['of another list of checks', { checks: 'zz', again: 1 }],
])('Jobs of which their site says that they are %s are replaced at once', async (_what, said) => {
  expect(await saidMeanwhile(said)).toEqual([true, true]);
});

test('Jobs of which their site says for ever that they are of a later try are replaced by the next turn', async () => {
  expect(await saidMeanwhile({ again: 5 })).toEqual([false, true]);
});

/**
 * Whether the Jobs are about what is asked after a turn that has not known of the words, and after another.
 */
async function saidMeanwhile({ again, ...said }: Record<string, string | number>): Promise<boolean[]> {
  const world = await ready(['site-1'], 503);
  delete world.codes['checks/site-1'];
  await world.turn();
  const jobs = world.checks as Map<string, ManifestWork>;
  const work = jobs.get('site-1') as ManifestWork;
  const asked = askedOf(work);
  const [begun = ''] = asked?.round.split('/') ?? [];
  const round = again === undefined ? {} : { round: `${begun}/${again}` };
  const annotations = {
    ...work.metadata.annotations,
    [BUNDLE_REVISION]: 'spoiled',
    [VERIFY]: JSON.stringify({ ...asked, ...round, ...said }),
  };
  jobs.delete('site-1');
  world.meanwhile = () => void jobs.set('site-1', { ...work, metadata: { ...work.metadata, annotations } });
  const isAsked = async (): Promise<boolean> => {
    await world.turn();
    return JSON.stringify(askedOf(jobs.get('site-1'))) === JSON.stringify(asked);
  };
  return [await isAsked(), await isAsked()];
}

test('no turn follows at once where the hub could write none of many Jobs', async () => {
  const clusters = Array.from({ length: 120 }, (_, at) => `site-${at}`);
  const world = await ready(clusters, 503);
  const { isMore } = await world.turn();
  expect([isMore, world.checks.size]).toEqual([false, 0]);
  for (const cluster of clusters) delete world.codes[`checks/${cluster}`];
  after(5_000);
  expect((await world.turn()).isMore).toBe(true);
  expect((await world.turn()).isMore).toBe(false);
  expect(world.checks.size).toBe(120);

  // Nor where the former Jobs of all of them are still being deleted.
  const jobs = world.checks as Map<string, ManifestWork>;
  for (const [cluster, work] of jobs)
    jobs.set(cluster, { ...work, metadata: { ...work.metadata, deletionTimestamp: '2026-03-01T12:00:00Z' } });
  expect((await world.turn()).isMore).toBe(false);
  expect(failing(world)).toMatchObject({ reason: 'StillLeaving' });
});

test('sites behind a full turn of such as can never be asked are asked by the next one', async () => {
  const clusters = Array.from({ length: 120 }, (_, at) => `site-${at}`);
  const world = await ready(clusters, 503);
  await world.turn();
  const never = new Set(world.tries);
  expect(never.size).toBe(100);
  for (const cluster of clusters) if (!never.has(cluster)) delete world.codes[`checks/${cluster}`];
  after(5_000);
  await world.turn();
  expect([...world.checks.keys()].toSorted()).toEqual(clusters.filter((one) => !never.has(one)).toSorted());
});
