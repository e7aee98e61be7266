// Turns of a CappSet that cannot be read, on a real API server: what runs goes on, and sites may be left.
import type { Capp } from '../../../../crds/capp/capp.ts';
import { VERIFY } from '../../../../crds/labels.ts';
import { CAPP_SET, type CappSet } from '../../../../crds/set/cappset.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { aTemplate, says } from '../../../support/builders/fleet/sets.ts';
import { startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import {
  acceptSites,
  beginSet,
  childrenOn,
  setOn,
  type Looker,
} from '../../../support/testbeds/fleet/looker.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
  await acceptSites(stage, ['site-1', 'site-2', 'site-3']);
  await takeAnySpec();
}, 300_000);
afterAll(() => stage?.stop());

const namespace = 'apps';
const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** As under the CRD of another version, which had none of the present rules. */
async function takeAnySpec(): Promise<void> {
  const value = { type: 'object', properties: { spec: anything, status: anything } };
  await stage.kube.raw(
    'PATCH',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/cappsets.rcs.dana.io',
    {
      body: [{ op: 'replace', path: '/spec/versions/0/schema/openAPIV3Schema', value }],
      contentType: 'application/json-patch+json',
    },
  );
  const probe = { apiVersion: CAPP_SET.apiVersion, kind: CAPP_SET.kind, spec: { template: 7 } };
  await eventually(async () => {
    await stage.kube.create(CAPP_SET, { ...probe, metadata: { namespace, name: 'probe' } } as never);
    return true;
  });
}

const write = (name: string, spec: object): Promise<unknown> =>
  stage.kube.patch(CAPP_SET, { namespace, name }, { spec });

const of = ({ status }: CappSet, type: 'Ready' | 'Stalled' | 'Progressing') =>
  status?.conditions?.find((one) => one.type === type);

/** Ready on two sites. */
async function settled(name: string, spec: object = {}): Promise<Looker> {
  const sites = { clusters: ['site-1', 'site-2'] };
  const looker = await beginSet(stage, name, {
    sites,
    template: aTemplate('shop:1'),
    strategy: { maxConcurrent: '100%' },
    ...spec,
  });
  await looker.look();
  for (const site of ['site-1', 'site-2']) await says(stage.kube, `${name}-${site}`, 'Serving');
  await looker.look();
  expect((await setOn(stage, name)).status).toMatchObject({ readySites: '2/2' });
  return looker;
}

const childrenOf = (name: string): Promise<Capp[]> => childrenOn(stage, name);
const going = ({ metadata }: Capp): boolean => metadata.deletionTimestamp !== undefined;

test('a set whose template cannot be read goes on where it runs, names the field, and leaves a site that is taken out', async () => {
  const set = await settled('unread');
  const [before] = await childrenOf('unread');
  const kept = (await setOn(stage, 'unread')).status?.rollout;
  await write('unread', { template: { metadata: { labels: { app: 7 } } } });
  await set.look();
  const told = await setOn(stage, 'unread');
  expect(told.status).toMatchObject({ readySites: '2/2', ready: 2, rollout: kept });
  expect(of(told, 'Ready')).toMatchObject({ status: 'False', reason: 'Invalid' });
  expect(of(told, 'Ready')?.message).toMatch(
    /spec\.template\.metadata\.labels\.app .* What runs on its sites goes on, and no site gets anything new until then\.$/,
  );
  expect(of(told, 'Stalled')).toMatchObject({ status: 'True', reason: 'Invalid' });
  expect(await set.look()).toMatchObject({ isMore: false });
  expect((await setOn(stage, 'unread')).metadata.resourceVersion).toBe(told.metadata.resourceVersion);

  await write('unread', { sites: { clusters: ['site-1', 'site-3'] } });
  await set.look();
  const [first, second, none] = await childrenOf('unread');
  expect(first?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
  expect(second === undefined || going(second)).toBe(true);
  expect(none).toBeUndefined();

  await write('unread', { template: { metadata: null } });
  const mended = await childrenOf('unread');
  await set.look();
  expect((await childrenOf('unread'))[0]?.metadata.resourceVersion).toBe(mended[0]?.metadata.resourceVersion);
  const names = (await childrenOf('unread')).filter((child) => !going(child));
  expect(names.map(({ metadata }) => metadata.name)).toEqual(['unread-site-1', 'unread-site-3']);
});

test('of a set that cannot be read no checks are ordered, and no turn follows at once', async () => {
  const verify = [{ name: 'up', http: { path: '/' } }];
  const sites = { clusters: ['site-1', 'site-2'] };
  const stages = [{ name: 'canary', sites: { matchLabels: { tier: 'canary' } }, verify }];
  const set = await beginSet(stage, 'unchecked', { sites, strategy: { stages, maxConcurrent: '100%' } });
  await set.look();
  await says(stage.kube, 'unchecked-site-1', 'Serving');
  await write('unchecked', { template: { metadata: { labels: { app: 7 } } } });
  expect(await set.look()).toMatchObject({ isMore: false });
  const [child] = await childrenOf('unchecked');
  expect(child?.metadata.annotations).not.toHaveProperty([VERIFY]);
  await write('unchecked', { template: { metadata: null } });
  await set.look();
  const [ordered] = await childrenOf('unchecked');
  expect(ordered?.metadata.annotations).toHaveProperty([VERIFY]);
});

test('a set on no site that cannot be read is told why, and nothing is written', async () => {
  const set = await beginSet(stage, 'unbegun', {
    sites: { clusters: ['site-1'] },
    template: { spec: 7 },
  });
  await set.look().catch(() => undefined);
  expect(of(await setOn(stage, 'unbegun'), 'Ready')).toMatchObject({ reason: 'Invalid' });
  expect(await childrenOf('unbegun')).toEqual([]);
});

test.each([
  ['its sites', { sites: { clusters: 'site-1' } }, false],
  ['whether it is paused', { paused: 'no', sites: { clusters: ['site-1'] } }, false],
  ['what becomes of sites', { whenUnselected: 'keep', sites: { clusters: ['site-1'] } }, false],
  ['its strategy', { strategy: { stages: 7 }, sites: { clusters: ['site-1'] } }, true],
])(
  'of a set of which %s cannot be read no Capp goes that might be meant to stay',
  async (what, spec, goes) => {
    const name = `no-${what.replaceAll(' ', '-')}`;
    const set = await settled(name);
    await write(name, spec);
    await set.look();
    const told = await setOn(stage, name);
    expect(of(told, 'Ready')).toMatchObject({ status: 'False', reason: 'Invalid' });
    const left = (await childrenOf(name)).filter((child) => !going(child));
    expect(left).toHaveLength(goes ? 1 : 2);
  },
);

test('a set that cannot be read is deleted with its Capps', async () => {
  const set = await settled('ending');
  await write('ending', { template: null, strategy: 7, sites: 7 });
  await stage.kube.remove(CAPP_SET, { namespace, name: 'ending' });
  await set.look();
  const left = (await childrenOf('ending')).filter((child) => !going(child));
  expect(left).toEqual([]);
});
