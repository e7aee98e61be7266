// What people do to sites and Capps in the middle of a rollout does not carry a revision past its gates, on a
// real API server.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { SET_REVISION } from '../../../../crds/labels.ts';
import { MANAGED_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import { CAPP_SET } from '../../../../crds/set/cappset.ts';
import { writtenOf } from '../../../../crds/set/child.ts';
import { writtenAs } from '../../../../crds/written.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { aTemplate, imageOf, says } from '../../../support/builders/fleet/sets.ts';
import { startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { acceptSites, beginSet, childrenOn, setOn } from '../../../support/testbeds/fleet/looker.ts';

const SITES = ['site-1', 'site-2', 'site-3'];
const CANARY = { name: 'canary', sites: { matchLabels: { tier: 'canary' } } };
const namespace = 'apps';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
  await acceptSites(stage, SITES);
}, 300_000);
afterAll(() => stage?.stop());

const images = async (set: string): Promise<(string | undefined)[]> =>
  (await childrenOn(stage, set)).map(imageOf);
const serving = (set: string, ...sites: readonly string[]): Promise<unknown> =>
  Promise.all(sites.map((site) => says(stage.kube, `${set}-${site}`, 'Serving')));

test('a failed canary that somebody puts right by hand is no proof of the revision', async () => {
  const strategy = { stages: [CANARY], maxConcurrent: '100%' };
  const sites = { clusters: SITES };
  const looker = await beginSet(stage, 'fixed', { sites, template: aTemplate('app:good'), strategy });
  await looker.look();
  await serving('fixed', 'site-1');
  await looker.look();
  await serving('fixed', 'site-2', 'site-3');
  await looker.look();
  await stage.kube.patch(
    CAPP_SET,
    { namespace, name: 'fixed' },
    { spec: { template: aTemplate('app:bad') } },
  );
  await looker.look();
  await says(stage.kube, 'fixed-site-1', 'RolloutFailed');
  await looker.look();
  const { spec } = aTemplate('app:good');
  await stage.kube.patch<Capp>(CAPP, { namespace, name: 'fixed-site-1' }, { spec });
  await serving('fixed', 'site-1');
  await looker.look();
  expect(await images('fixed')).toEqual(['app:good', 'app:good', 'app:good']);
  const { failing, conditions } = (await setOn(stage, 'fixed')).status ?? {};
  expect(failing).toMatchObject([{ site: 'site-1', reason: 'Overridden' }]);
  expect(conditions).toContainEqual(expect.objectContaining({ type: 'Stalled', reason: 'SitesFailed' }));
  // The other way: the Capp is deleted, and written again as the set has it.
  await stage.kube.remove(CAPP, { namespace, name: 'fixed-site-1' });
  await looker.look();
  expect(await images('fixed')).toContain('app:bad');
}, 120_000);

test('a failed canary to which somebody adds what it lacks is no proof of the revision', async () => {
  const strategy = { stages: [CANARY], maxConcurrent: '100%' };
  const sites = { clusters: SITES };
  const looker = await beginSet(stage, 'added', { sites, template: aTemplate('app:good'), strategy });
  await looker.look();
  await serving('added', 'site-1');
  await looker.look();
  await serving('added', 'site-2', 'site-3');
  await looker.look();
  await stage.kube.patch(
    CAPP_SET,
    { namespace, name: 'added' },
    { spec: { template: aTemplate('app:bad') } },
  );
  await looker.look();
  await says(stage.kube, 'added-site-1', 'RolloutFailed');
  const key = { namespace, name: 'added-site-1' };
  const bound = (timeoutSeconds: number | null) =>
    stage.kube.patch<Capp>(CAPP, key, {
      spec: { configurationSpec: { template: { spec: { timeoutSeconds } } } },
    });
  await bound(30);
  await serving('added', 'site-1');
  await looker.look();
  expect(await images('added')).toEqual(['app:bad', 'app:good', 'app:good']);
  const { failing, conditions } = (await setOn(stage, 'added')).status ?? {};
  expect(failing).toMatchObject([{ site: 'site-1', reason: 'Overridden' }]);
  expect(conditions).toContainEqual(expect.objectContaining({ type: 'Stalled', reason: 'SitesFailed' }));
  // Once it is taken back, what the Capp says is about the revision again.
  await bound(null);
  await serving('added', 'site-1');
  await looker.look();
  expect(await images('added')).toEqual(['app:bad', 'app:bad', 'app:bad']);
}, 120_000);

test('a changed label of sites changes no running Capp outside of a window, and goes stage by stage in one', async () => {
  const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
  const another = days[(new Date().getUTCDay() + 3) % 7];
  const never = [{ days: [another], from: '01:00', to: '02:00', timeZone: 'UTC' }];
  const label = async (ring: string): Promise<void> => {
    const of = (name: string) => ({ namespace: null, name });
    for (const name of SITES)
      await stage.kube.patch(MANAGED_CLUSTER, of(name), { metadata: { labels: { ring } } });
    await eventually(() => {
      for (const name of SITES)
        expect(stage.caches.clusters.get(of(name))?.metadata.labels).toMatchObject({ ring });
      return true;
    });
  };
  await label('one');
  const strategy = { stages: [CANARY], maxConcurrent: '100%', windows: never };
  const spec = { sites: { clusters: SITES }, template: aTemplate('app:{{label:ring}}'), strategy };
  const looker = await beginSet(stage, 'ringed', spec);
  await looker.look();
  await serving('ringed', 'site-1');
  await looker.look();
  await serving('ringed', 'site-2', 'site-3');
  await looker.look();
  expect(await images('ringed')).toEqual(['app:one', 'app:one', 'app:one']);
  await label('two');
  await looker.look();
  expect(await images('ringed')).toEqual(['app:one', 'app:one', 'app:one']);
  const { conditions } = (await setOn(stage, 'ringed')).status ?? {};
  expect(conditions).toContainEqual(
    expect.objectContaining({ type: 'Progressing', reason: 'OutsideWindow' }),
  );
  await stage.kube.patch(CAPP_SET, { namespace, name: 'ringed' }, { spec: { strategy: { windows: null } } });
  await looker.look();
  expect(await images('ringed')).toEqual(['app:two', 'app:one', 'app:one']);
}, 120_000);

test('a note of the set that somebody has dated is written again, and so is each revision after that', async () => {
  const sites = { clusters: ['site-2'] };
  const looker = await beginSet(stage, 'dated', { sites, template: aTemplate('app:good') });
  const key = { namespace, name: 'dated-site-2' };
  const noted = async () => writtenOf((await stage.kube.get<Capp>(CAPP, key))?.metadata ?? { name: '' });
  await looker.look();
  await serving('dated', 'site-2');
  await looker.look();
  const before = await noted();
  if (before === null) throw new Error('The set has noted nothing.');
  const late = writtenAs({ ...before, at: Date.parse('2999-01-01T00:00:00Z') });
  const edit = { metadata: { annotations: { [SET_REVISION]: late } } };
  await stage.kube.patch(CAPP, key, edit, { fieldManager: 'kubectl-edit' });
  await looker.look();
  expect((await noted())?.at).toBeLessThanOrEqual(Date.now());
  // As the webhook leaves it that puts an edit back: what is there is as it was, and another's.
  await stage.kube.apply<Capp>(
    CAPP,
    {
      apiVersion: CAPP.apiVersion,
      kind: CAPP.kind,
      metadata: { ...key, annotations: { [SET_REVISION]: writtenAs((await noted()) ?? before) } },
    } as unknown as Capp,
    { fieldManager: 'kubectl-edit', force: true },
  );
  await stage.kube.patch(
    CAPP_SET,
    { namespace, name: 'dated' },
    { spec: { template: aTemplate('app:better') } },
  );
  await looker.look();
  await serving('dated', 'site-2');
  await looker.look();
  expect(await images('dated')).toEqual(['app:better']);
  const { failing, conditions } = (await setOn(stage, 'dated')).status ?? {};
  expect(failing ?? []).toEqual([]);
  expect(conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
}, 120_000);
