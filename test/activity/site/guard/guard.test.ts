// What a site's API server refuses because of the add-on's admission policies: works take over no object of
// another owner, and only one hub uses the site.
import { CAPP } from '../../../../crds/capp/capp.ts';
import { CONFIG_MAP, NAMESPACE, SECRET } from '../../../../crds/kubernetes/core.ts';
import { resourceOf } from '../../../../deploy/local/kubernetes/apply.ts';
import { keyOf, pathOf, type KubeObject, type Resource } from '../../../../kube/resource.ts';
import { forHub, forSite } from '../../../support/servers/chart/chart.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import {
  ADDON,
  at,
  CAPP_SPEC,
  make,
  NS,
  OWNER,
  put,
  ROLE,
  SHIPPED,
  startGuardedSite,
  takeOver,
  VALUES,
  type GuardedSite,
} from '../../../support/testbeds/site/guarded-site.ts';
import type { Reply, RawClient } from '../../../support/servers/api/identities.ts';

const OTHER_WORK = { ...OWNER, name: `${'a'.repeat(64)}-somebody-elses`, uid: 'u2' };

let site: GuardedSite;
let agent: RawClient;
let person: RawClient;
beforeAll(async () => {
  site = await startGuardedSite();
  ({ agent, person } = site);
}, 300_000);
afterAll(() => site?.cluster.stop());

const take = (resource: Resource, name: string, owners?: readonly object[]): Promise<Reply> =>
  takeOver(agent, resource, name, owners);

const PLACES: [string, Resource, object][] = [
  ['Secret', SECRET, {}],
  ['ConfigMap', CONFIG_MAP, {}],
  ['Role', ROLE, {}],
  ['Capp', CAPP, CAPP_SPEC],
];

describe('an object of another owner on a site', () => {
  test.each(PLACES)(
    'is not taken over by a work that carries a %s of the same name, and the refusal names it',
    async (kind, resource, rest) => {
      await put(person, resource, { name: 'theirs', labels: { mine: 'yes' } }, rest);
      const before = await site.cluster.kube.get<KubeObject>(resource, { namespace: NS, name: 'theirs' });
      const { code, message } = await take(resource, 'theirs');
      expect([code, message]).toEqual([
        403,
        expect.stringContaining(
          `${kind} ${NS}/theirs already exists on this site and does not belong to Cappstan`,
        ),
      ]);
      expect(message).toContain(
        `kubectl -n ${NS} label ${resource.plural} theirs rcs.dana.io/managed-by=rcs`,
      );
      expect(await site.cluster.kube.get(resource, { namespace: NS, name: 'theirs' })).toEqual(before);
    },
  );

  test('can be handed over with a label', async () => {
    await put(person, SECRET, { name: 'handed' });
    expect((await take(SECRET, 'handed')).code).toBe(403);
    expect((await person('PATCH', at(SECRET, 'handed'), { metadata: { labels: SHIPPED } })).code).toBe(200);
    expect((await take(SECRET, 'handed')).code).toBe(200);
  });

  test('is not deleted by the work agent to create a Secret of another type', async () => {
    await put(person, SECRET, { name: 'typed' });
    expect(await agent('DELETE', at(SECRET, 'typed'))).toMatchObject({
      code: 403,
      message: expect.stringContaining(`Secret ${NS}/typed`),
    });
    expect((await person('DELETE', at(SECRET, 'typed'))).code).toBe(200);
  });
});

test.each(PLACES)(
  'a work changes and deletes a %s that a work created, recognised by label or owner reference',
  async (_kind, resource, rest) => {
    await put(agent, resource, { name: 'labelled', labels: SHIPPED }, rest);
    await put(agent, resource, { name: 'owned', ownerReferences: [OWNER] }, rest);
    expect([(await take(resource, 'labelled')).code, (await take(resource, 'owned')).code]).toEqual([
      200, 200,
    ]);
    expect([
      (await agent('DELETE', at(resource, 'labelled'))).code,
      (await agent('DELETE', at(resource, 'owned'))).code,
    ]).toEqual([200, 200]);
  },
);

test('objects of other works and of people are not restricted', async () => {
  await put(person, SECRET, { name: 'plain' });
  expect((await person('PATCH', at(SECRET, 'plain'), { metadata: { labels: { a: 'b' } } })).code).toBe(200);
  expect((await take(SECRET, 'plain', [OTHER_WORK])).code).toBe(200);
  expect((await agent('DELETE', at(SECRET, 'plain'))).code).toBe(200);
  await put(agent, SECRET, { name: 'hub-kubeconfig', namespace: ADDON });
  expect((await agent('DELETE', pathOf(SECRET, { namespace: ADDON, name: 'hub-kubeconfig' }))).code).toBe(
    200,
  );
});

test('the API server stores each policy unchanged, so that the work agent does not write it again', async () => {
  const manifests = forSite(await forHub(VALUES)).filter(
    ({ kind }) => kind?.startsWith('ValidatingAdmissionPolicy') === true,
  );
  expect(manifests).toHaveLength(28);
  for (const wanted of manifests) {
    const { apiVersion = '', kind = '' } = wanted;
    const live = await site.cluster.kube.get<KubeObject>(
      await resourceOf(site.cluster.kube, { apiVersion, kind }),
      keyOf(wanted),
    );
    expect((live as unknown as { spec: unknown }).spec).toEqual(
      (wanted as unknown as { spec: unknown }).spec,
    );
  }
});

describe('a Namespace that no work has made', () => {
  const RECORD = { name: 'cappstan-namespaces', namespace: ADDON };
  const bring = (resource: Resource, namespace: string, rest: object = {}): Promise<Reply> =>
    make(agent, resource, { name: 'brought', namespace, ownerReferences: [OWNER] }, rest);
  const label = (as: RawClient, name: string, labels: object): Promise<Reply> =>
    as('PATCH', pathOf(NAMESPACE, { namespace: null, name }), { metadata: { labels } });

  beforeAll(async () => {
    for (const name of ['own', 'lived', 'asked']) await put(person, NAMESPACE, { name });
    await put(agent, NAMESPACE, { name: 'made', labels: SHIPPED });
    expect((await bring(SECRET, 'own')).code).toBe(201);
    const lived = await site.cluster.kube.get<KubeObject>(NAMESPACE, { namespace: null, name: 'lived' });
    await put(site.operator, CONFIG_MAP, RECORD, {
      data: { lived: lived?.metadata.uid, own: 'of-an-earlier-one' },
    });
    await eventually(async () => ((await bring(CONFIG_MAP, 'own')).code === 403 ? true : undefined));
  }, 60_000);

  test.each(PLACES)(
    'gets no %s of a work once the site operator has recorded where Capps ran',
    async (_kind, resource, rest) => {
      const said = (namespace: string): Promise<[number, string]> =>
        bring(resource, namespace, rest).then(({ code, message }) => [code, message]);
      expect(await said('asked')).toEqual([
        403,
        expect.stringContaining('kubectl label namespace asked rcs.dana.io/hub-capps=allowed'),
      ]);
      expect([(await said('made'))[0], (await said('lived'))[0]]).toEqual([201, 201]);
      await put(person, resource, { name: 'local', namespace: 'asked' }, rest);
    },
  );

  test('is opened by the site alone: neither a work nor the site operator can do it', async () => {
    for (const labels of [{ 'rcs.dana.io/hub-capps': 'allowed' }, SHIPPED])
      expect((await label(agent, 'asked', labels)).code).toBe(403);
    expect(
      (await make(agent, NAMESPACE, { name: 'new', labels: { 'rcs.dana.io/hub-capps': 'allowed' } })).code,
    ).toBe(403);
    expect((await label(agent, 'asked', { other: 'label' })).code).toBe(200);
    expect((await label(site.operator, 'asked', SHIPPED)).code).toBe(403);
    const record = pathOf(CONFIG_MAP, RECORD);
    expect((await site.operator('PATCH', record, { data: { asked: 'x' } })).code).toBe(403);
    expect((await make(site.operator, CONFIG_MAP, { ...RECORD, name: 'another' })).code).toBe(403);
    expect((await label(person, 'asked', { 'rcs.dana.io/hub-capps': 'allowed' })).code).toBe(200);
    await eventually(async () => ((await bring(SECRET, 'asked')).code === 201 ? true : undefined));
    expect((await label(agent, 'asked', { 'rcs.dana.io/hub-capps': null })).code).toBe(403);
  });

  test('that is closed takes no change of a work, and lets go of what there is', async () => {
    expect((await label(person, 'lived', { 'rcs.dana.io/hub-capps': 'refused' })).code).toBe(200);
    const path = pathOf(SECRET, { namespace: 'lived', name: 'brought' });
    const change = (value: string): Promise<Reply> => agent('PATCH', path, { stringData: { a: value } });
    let count = 0;
    await eventually(async () => ((await change(`${(count += 1)}`)).code === 403 ? true : undefined));
    expect((await agent('DELETE', path)).code).toBe(200);
  });
});
