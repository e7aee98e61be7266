// A stage with checks on a real API server: when its Capps are told to be checked, what that writes and what
// it does not, and what each verdict does to the rollout.
import { ordersOf } from '../../../../activities/hub/ship/orders.ts';
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { APPROVE, RETRY, VERIFY } from '../../../../crds/labels.ts';
import { keyOf, orderOf } from '../../../../crds/verification/order.ts';
import { CAPP_SET } from '../../../../crds/set/cappset.ts';
import { aTemplate, imageOf, says } from '../../../support/builders/fleet/sets.ts';
import { startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import {
  acceptSites,
  beginSet,
  childrenOn,
  setOn,
  type Looker,
} from '../../../support/testbeds/fleet/looker.ts';

let stage: HubForTests;
const CLUSTERS = ['site-1', 'site-2', 'site-3'];
const namespace = 'apps';
beforeAll(async () => {
  stage = await startHub();
  await acceptSites(stage, CLUSTERS);
}, 300_000);
afterAll(() => stage?.stop());

const canary = (more: object = {}) => ({
  name: 'canary',
  sites: { matchLabels: { tier: 'canary' } },
  verify: [{ name: 'answers', http: { path: '/healthz', expect: "status == 200 && body.contains('ok')" } }],
  ...more,
});
const images = async (set: string) => (await childrenOn(stage, set)).map(imageOf);
const childAt = async (set: string, site = 'site-1'): Promise<Capp> => {
  const found = await stage.kube.get<Capp>(CAPP, { namespace, name: `${set}-${site}` });
  if (found === null) throw new Error('there is none');
  return found;
};
const hold = async (set: string) =>
  (await setOn(stage, set)).status?.conditions?.find(({ type }) => type === 'Progressing');

/** As the Capp's workflow publishes it, about what the Capp was told. */
async function verdict(set: string, is: 'Passed' | 'Failed' | 'Inconclusive', key?: string): Promise<void> {
  const child = await childAt(set);
  const order = orderOf(child.metadata);
  if (order === null) throw new Error('it was not told');
  const { generation = 0 } = child.metadata;
  const at = new Date().toISOString();
  const verified = {
    type: 'Verified',
    status: is === 'Passed' ? 'True' : is === 'Failed' ? 'False' : 'Unknown',
    reason: `Checks${is}`,
    message: `Check answers on site-1: ${is}, 3 of 5.`,
    lastTransitionTime: at,
    observedGeneration: generation,
  };
  const verification = { key: key ?? keyOf(order), generation, site: 'site-1', verdict: is, at, checks: [] };
  const others = (child.status?.conditions ?? []).filter(({ type }) => type !== 'Verified');
  const body = { status: { conditions: [...others, verified], verification } };
  await stage.kube.patch(CAPP, { namespace, name: child.metadata.name }, body, { subresource: 'status' });
}

/** All sites have the first revision; the canary has the second, and is Ready with it. */
async function atTheGate(name: string, strategy: object = {}): Promise<Looker> {
  const spec = {
    sites: { clusters: CLUSTERS },
    strategy: { stages: [canary()], maxConcurrent: '100%', ...strategy },
  };
  const looker = await beginSet(stage, name, spec);
  await looker.look();
  await says(stage.kube, `${name}-site-1`, 'Serving');
  await looker.look();
  // The first revision is checked like any other.
  await verdict(name, 'Passed');
  await looker.look();
  for (const site of ['site-2', 'site-3']) await says(stage.kube, `${name}-${site}`, 'Serving');
  await looker.look();
  expect((await hold(name))?.reason).toBe('Done');
  await stage.kube.patch(CAPP_SET, { namespace, name }, { spec: { template: aTemplate('shop:2') } });
  await looker.look();
  await says(stage.kube, `${name}-site-1`, 'Serving');
  await looker.look();
  return looker;
}

const ask = (name: string, annotations: Readonly<Record<string, string>>) =>
  stage.kube.patch(CAPP_SET, { namespace, name }, { metadata: { annotations } });

test('a Capp is told to be checked when its stage is Ready, without a new generation, and told once', async () => {
  const looker = await atTheGate('told');
  const child = await childAt('told');
  expect(orderOf(child.metadata)).toMatchObject({ generation: child.metadata.generation });
  expect(child.metadata.generation).toBe(2);
  expect(ordersOf(child).order?.checks).toMatchObject([{ name: 'answers', path: '/healthz', count: 3 }]);
  expect((await hold('told'))?.reason).toBe('Verifying');
  expect((await childAt('told', 'site-2')).metadata.annotations?.[VERIFY]).toBeUndefined();
  await looker.look();
  await looker.look();
  expect((await childAt('told')).metadata.resourceVersion).toBe(child.metadata.resourceVersion);
  expect(await images('told')).toEqual(['shop:2', expect.not.stringMatching('shop:2'), expect.anything()]);
});

test('the next stage begins when the checks have passed, and by no verdict on anything else', async () => {
  const looker = await atTheGate('passed');
  await verdict('passed', 'Passed', 'of-another-try');
  await looker.look();
  expect((await hold('passed'))?.reason).toBe('Verifying');
  await verdict('passed', 'Passed');
  await looker.look();
  expect(await images('passed')).toEqual(['shop:2', 'shop:2', 'shop:2']);
});

test('a failed check stops the rollout at one site, with its figures, until a retry', async () => {
  const looker = await atTheGate('failed');
  await verdict('failed', 'Failed');
  await looker.look();
  expect(await hold('failed')).toMatchObject({ reason: 'SitesFailed' });
  expect((await hold('failed'))?.message).toContain('Check answers on site-1: Failed, 3 of 5.');
  const { status } = await setOn(stage, 'failed');
  expect(status?.failing).toMatchObject([{ site: 'site-1', capp: 'failed-site-1', reason: 'ChecksFailed' }]);
  const before = orderOf((await childAt('failed')).metadata);
  await ask('failed', { [RETRY]: 'site-1#again' });
  await looker.look();
  expect((await hold('failed'))?.reason).toBe('Verifying');
  expect(orderOf((await childAt('failed')).metadata)?.round).not.toBe(before?.round);
  await verdict('failed', 'Passed');
  await looker.look();
  expect(await images('failed')).toEqual(['shop:2', 'shop:2', 'shop:2']);
});

test('onFailure: RollBack gives the site its earlier revision again', async () => {
  const looker = await atTheGate('back', { onFailure: 'RollBack' });
  await verdict('back', 'Failed');
  await looker.look();
  expect((await hold('back'))?.reason).toBe('RollingBack');
  expect(await images('back')).not.toContain('shop:2');
  await says(stage.kube, 'back-site-1', 'Serving');
  await looker.look();
  expect(await hold('back')).toMatchObject({ reason: 'RolledBack' });
  expect((await hold('back'))?.message).toContain('Check answers on site-1: Failed, 3 of 5.');
});

test('what nobody knows waits for a person, and an approval from before does not count', async () => {
  const looker = await atTheGate('unknown');
  const { status } = await setOn(stage, 'unknown');
  await ask('unknown', { [APPROVE]: `canary#${status?.revision}` });
  await looker.look();
  await verdict('unknown', 'Inconclusive');
  await looker.look();
  expect(await hold('unknown')).toMatchObject({ status: 'False', reason: 'VerificationInconclusive' });
  expect((await setOn(stage, 'unknown')).status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'Stalled', status: 'True', reason: 'VerificationInconclusive' }),
  );
  await ask('unknown', { [APPROVE]: `canary#${status?.revision}/yes` });
  await looker.look();
  expect(await images('unknown')).toEqual(['shop:2', 'shop:2', 'shop:2']);
});

test('an edit of the checks alone has them made once more, and rolls nothing out', async () => {
  const looker = await atTheGate('edited');
  const { generation } = (await childAt('edited')).metadata;
  await verdict('edited', 'Failed');
  const stages = [canary({ verify: [{ name: 'answers', http: { path: '/other' } }] })];
  await stage.kube.patch(CAPP_SET, { namespace, name: 'edited' }, { spec: { strategy: { stages } } });
  await looker.look();
  expect((await hold('edited'))?.reason).toBe('Verifying');
  const child = await childAt('edited');
  expect(child.metadata.generation).toBe(generation);
  expect(orderOf(child.metadata)?.checks[0]?.http?.path).toBe('/other');
});
