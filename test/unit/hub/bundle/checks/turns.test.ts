// A stage of a Bundle with a check by a Job, turn by turn: when the Job is sent to a site, what its end does
// to the rollout, and when it goes from there.
import { jest } from '@jest/globals';
import { askedOf, notedOn } from '../../../../../crds/verification/asked-of-jobs.ts';
import { HUB_TIMES } from '../../../../../activities/hub/times.ts';
import { CHECKS_OF, RETRY } from '../../../../../crds/labels.ts';
import type { ManifestWork } from '../../../../../crds/ocm/ocm.ts';
import { aConfigMap } from '../../../../support/builders/fleet/bundles.ts';
import { bundleWorld, type BundleWorld } from '../../../../support/testbeds/fleet/bundle-world.ts';

const SITES = ['site-1', 'site-2'];
const FAILS = 'Failed: BackoffLimitExceeded: Job has reached the specified backoff limit';

const smoke = (more: object = {}) => ({
  name: 'smoke',
  job: {
    template: {
      spec: {
        backoffLimit: 1,
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'curl', image: 'curl:1' }] } },
      },
    },
  },
  ...more,
});

const strategy = (verify: readonly object[] = [smoke()], more: object = {}) => ({
  stages: [{ name: 'canary', sites: { count: 1 }, verify }],
  maxConcurrent: '100%',
  ...more,
});

/** The site of the canary has the first revision and is Ready, and has been asked. */
async function asked(more: object = {}): Promise<BundleWorld & { readonly canary: string }> {
  const world = bundleWorld(SITES, { strategy: strategy(undefined, more) });
  await world.turn();
  const [canary = ''] = [...world.works.keys()];
  world.apply(canary);
  await world.turn();
  return Object.assign(world, { canary });
}

const job = (work: ManifestWork | undefined) => work?.spec?.workload.manifests?.[0];
const progressing = ({ bundle }: BundleWorld) =>
  bundle.status?.conditions?.find(({ type }) => type === 'Progressing');

/** A settled first revision, and a second one of which the canary has been asked. */
async function second(more: object = {}): Promise<BundleWorld & { readonly canary: string }> {
  const world = await asked(more);
  world.jobsSay(world.canary);
  for (let turns = 0; turns < 4; turns += 1) {
    await world.turn();
    for (const site of SITES) world.apply(site);
  }
  expect(progressing(world)).toMatchObject({ reason: 'Done' });
  world.edit({ manifests: [{ ...aConfigMap(), data: { color: 'second' } }] });
  await world.turn();
  world.apply(world.canary);
  await world.turn();
  return world;
}

afterEach(() => jest.useRealTimers());

test('when the stage is Ready its sites get the Job, in a work that is not the copy of the Bundle', async () => {
  const world = await asked();
  const work = world.checks.get(world.canary);
  expect(job(work)).toMatchObject({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { namespace: 'apps', name: expect.stringMatching(/^[a-z0-9-]+-smoke-[0-9a-f]{10}$/) },
    spec: { backoffLimit: 1, activeDeadlineSeconds: 300 },
  });
  expect(work?.metadata.labels?.[CHECKS_OF]).toMatch(/^[0-9a-f]{40}$/);
  expect(work?.spec?.executor).toEqual(world.works.get(world.canary)?.spec?.executor);
  expect(world.checks.size).toBe(1);
  expect(world.works.size).toBe(1);
  expect(progressing(world)).toMatchObject({ reason: 'Verifying' });
  expect(progressing(world)?.message).toContain(`the app is checked (smoke) on ${world.canary}`);
});

test('turns while the Job runs write nothing', async () => {
  const world = await asked();
  await world.turn();
  expect(world.tries).toEqual([]);
});

test('a Job that is Complete opens the gate, is noted and goes, and nothing of it stays', async () => {
  const world = await asked();
  world.jobsSay(world.canary);
  await world.turn();
  expect(notedOn(world.works.get(world.canary))).toMatchObject({ verdict: 'Passed' });
  expect([...world.works.keys()].toSorted()).toEqual(SITES);
  for (const site of SITES) world.apply(site);
  await world.turn();
  expect(world.checks.size).toBe(0);
  await world.turn();
  await world.turn();
  expect(world.tries).toEqual([]);
  expect(progressing(world)).toMatchObject({ reason: 'Done' });
});

test('a Job that fails stops the rollout at its site with its own words, and stays for people to read', async () => {
  const world = await second();
  world.jobsSay(world.canary, FAILS);
  await world.turn();
  await world.turn();
  expect(progressing(world)).toMatchObject({ reason: 'SitesFailed' });
  expect(progressing(world)?.message).toMatch(
    /Check smoke failed on site-\d \(it has 300 s\): Job apps\/\S+-smoke-\S+ says BackoffLimitExceeded: Job has reached/,
  );
  expect(world.bundle.status?.failing).toMatchObject([{ cluster: world.canary, reason: 'ChecksFailed' }]);
  expect(world.checks.size).toBe(1);
  await world.turn();
  expect(world.tries).toEqual([]);
});

test('what a Job said first stays its verdict, whatever it says later', async () => {
  const world = await second();
  world.jobsSay(world.canary, FAILS);
  await world.turn();
  world.jobsSay(world.canary);
  await world.turn();
  expect(progressing(world)).toMatchObject({ reason: 'SitesFailed' });
});

test('with onFailure: RollBack the site gets the earlier revision, and the Job goes', async () => {
  const world = await second({ onFailure: 'RollBack' });
  world.jobsSay(world.canary, FAILS);
  await world.turn();
  expect(progressing(world)).toMatchObject({ reason: 'RollingBack' });
  await world.turn();
  expect(world.checks.size).toBe(0);
});

test('a retry runs another Job, and so does another revision', async () => {
  const world = await second();
  const before = job(world.checks.get(world.canary))?.metadata.name;
  world.jobsSay(world.canary, FAILS);
  await world.turn();
  world.annotate({ [RETRY]: `${world.canary}#again` });
  await world.turn();
  const again = world.checks.get(world.canary);
  expect(progressing(world)).toMatchObject({ reason: 'Verifying' });
  expect(job(again)?.metadata.name).not.toBe(before);
  world.edit({ manifests: [{ ...aConfigMap(), data: { color: 'third' } }] });
  await world.turn();
  expect(world.checks.size).toBe(0);
  world.apply(world.canary);
  await world.turn();
  const third = world.checks.get(world.canary);
  expect(askedOf(third)?.revision).not.toBe(askedOf(again)?.revision);
  expect(job(third)?.metadata.name).not.toBe(job(again)?.metadata.name);
});

test('a Job of which nothing has come in time is a failure on a site that can be reached', async () => {
  const world = await second();
  const { ms: spare } = HUB_TIMES.verdictSpare;
  jest.useFakeTimers({ now: Date.now() + 300_000 + spare - 5_000, doNotFake: ['nextTick', 'setImmediate'] });
  await world.turn();
  expect(progressing(world)).toMatchObject({ reason: 'Verifying' });
  jest.setSystemTime(Date.now() + 6_000);
  await world.turn();
  expect(progressing(world)).toMatchObject({ reason: 'SitesFailed' });
  expect(progressing(world)?.message).toContain(`came to no verdict on ${world.canary} in time`);
});

test('Jobs that somebody has changed in the work are written once more, and prove nothing', async () => {
  const world = await second();
  const work = world.checks.get(world.canary) as ManifestWork;
  const wanted = job(work);
  const spec = { ...work.spec, workload: { manifests: [{ ...aConfigMap() }] } };
  (world.checks as Map<string, ManifestWork>).set(world.canary, { ...work, spec });
  world.jobsSay(world.canary);
  await world.turn();
  expect(progressing(world)).toMatchObject({ reason: 'Verifying' });
  expect(job(world.checks.get(world.canary))).toEqual(wanted);
});

test('a Job in whose place somebody has put a work of their own is a failure, in words', async () => {
  const world = await second();
  world.jobsSay(world.canary, FAILS);
  await world.turn();
  const jobs = world.checks as Map<string, ManifestWork>;
  const work = jobs.get(world.canary) as ManifestWork;
  jobs.set(world.canary, { ...work, metadata: { ...work.metadata, labels: {}, annotations: {} } });
  world.annotate({ [RETRY]: `${world.canary}#again` });
  await world.turn();
  await world.turn();
  expect(progressing(world)).toMatchObject({ reason: 'SitesFailed' });
  expect(progressing(world)?.message).toContain(`The Jobs of the checks cannot be sent to ${world.canary}: `);
  jobs.set(world.canary, work);
  world.annotate({ [RETRY]: `${world.canary}#once-more` });
  await world.turn();
  world.jobsSay(world.canary);
  await world.turn();
  expect(progressing(world)?.reason).not.toBe('Verifying');
  expect(notedOn(world.works.get(world.canary))).toMatchObject({ verdict: 'Passed' });
});

test('of another revision that fails otherwise nobody says that its check has failed', async () => {
  const world = await second();
  world.jobsSay(world.canary, FAILS);
  await world.turn();
  world.edit({ manifests: [{ ...aConfigMap(), data: { color: 'third' } }] });
  await world.turn();
  world.refuse(world.canary, 'Apply failed with 1 conflict: conflict with "somebody": .data.color');
  await world.turn();
  expect(progressing(world)).toMatchObject({ reason: 'SitesFailed' });
  expect(progressing(world)?.message).not.toContain('Check smoke');
});

test('a site that is left takes the Job along', async () => {
  const world = await second();
  expect(world.checks.size).toBe(1);
  world.edit({ sites: { clusters: SITES.filter((site) => site !== world.canary) } });
  await world.turn();
  expect(world.checks.size).toBe(0);
});
