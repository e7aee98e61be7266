// What the add-on's policies let the site operator do with cluster-scoped DNS records, which no Capp can own,
// and with the finalizers of Capps.
import { CAPP_CONFIG } from '../../../../crds/capp-config.ts';
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { CAPP_CONFIG_DEFINITION } from '../../../../crds/definitions/of-sites.ts';
import { RECORDS, type NamedRecord } from '../../../../crds/dns-record.ts';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { ApiError } from '../../../../kube/failure.ts';
import { pathOf } from '../../../../kube/resource.ts';
import { siteOperator } from '../../../../site/operator.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { serve, serveBare } from '../../../support/servers/api/definitions.ts';
import type { Reply, RawClient } from '../../../support/servers/api/identities.ts';
import {
  ADDON,
  at,
  CAPP_SPEC,
  make,
  NS,
  put,
  startGuardedSite,
  type GuardedSite,
  type Meta,
} from '../../../support/testbeds/site/guarded-site.ts';

let site: GuardedSite;
let operator: RawClient;
let person: RawClient;
beforeAll(async () => {
  site = await startGuardedSite();
  ({ operator, person } = site);
  await serveBare(site.cluster.kube, RECORDS.Cluster);
  await serve(site.cluster.kube, CAPP_CONFIG_DEFINITION, CAPP_CONFIG);
}, 300_000);
afterAll(() => site?.cluster.stop());

const spec = { forProvider: { name: 'app', zone: 'z.', cname: 'c.' } };
const managed = { 'rcs.dana.io/managed-by': 'capp' };
const labels = {
  ...managed,
  'rcs.dana.io/parent-capp': 'app',
  'rcs.dana.io/parent-capp-ns': NS,
  'rcs.dana.io/capp-uid': 'u',
};
const of = (name: string): string => pathOf(RECORDS.Cluster, { namespace: null, name });
const create = (client: RawClient, name: string, more: object): Promise<Reply> =>
  client('POST', pathOf(RECORDS.Cluster, { namespace: null, name: null }), {
    apiVersion: RECORDS.Cluster.apiVersion,
    kind: RECORDS.Cluster.kind,
    metadata: { name, ...more },
    spec,
  });
const observe = { spec: { managementPolicies: ['Observe'] } };
const cname = { spec: { forProvider: { cname: 'x.' } } };
const refused = (words: string) => ({ code: 403, message: expect.stringContaining(words) });

test('the site operator makes, changes and deletes the cluster-scoped record of a Capp', async () => {
  expect((await create(operator, 'ours', { labels })).code).toBe(201);
  expect((await operator('PATCH', of('ours'), cname)).code).toBe(200);
  expect((await operator('DELETE', of('ours'))).code).toBe(200);
});

test('the site operator puts back a label that says whose record it is, and takes none for another Capp', async () => {
  await create(person, 'stripped', { labels: { 'rcs.dana.io/capp-uid': 'u' } });
  expect((await operator('PATCH', of('stripped'), { metadata: { labels } })).code).toBe(200);
  const another = { 'rcs.dana.io/parent-capp-ns': 'elsewhere' };
  expect(await operator('PATCH', of('stripped'), { metadata: { labels: another } })).toMatchObject(
    refused('only for the Capp that it is of'),
  );
});

test.each(Object.keys(labels))(
  'the site operator makes no cluster-scoped record without the label %s',
  async (label) => {
    const metadata = { labels: { ...labels, [label]: undefined } };
    expect(await create(operator, 'loose', metadata)).toMatchObject(refused('does not say which'));
  },
);

test('the site operator makes no cluster-scoped record for a namespace where no Capp can be', async () => {
  const metadata = { labels: { ...labels, 'rcs.dana.io/parent-capp-ns': 'kube-system' } };
  expect(await create(operator, 'system', metadata)).toMatchObject(refused('no Capp can be there'));
});

test('the site operator leaves the records of others as they are', async () => {
  await create(person, 'foreign', {});
  for (const change of [observe, cname, { metadata: { labels } }])
    expect(await operator('PATCH', of('foreign'), change)).toMatchObject(refused('is not of a Capp'));
  expect(await operator('DELETE', of('foreign'))).toMatchObject(refused('is not of a Capp'));
});

test('the site operator sets a record that does not say of which Capp it is to observe alone before it deletes it', async () => {
  await create(person, 'theirs', { labels: managed });
  expect(await operator('DELETE', of('theirs'))).toMatchObject(refused('only when it observes alone'));
  const both = { spec: { ...observe.spec, ...cname.spec } };
  for (const change of [cname, both])
    expect(await operator('PATCH', of('theirs'), change)).toMatchObject(refused('or to observe alone'));
  expect((await operator('PATCH', of('theirs'), observe)).code).toBe(200);
  expect((await operator('DELETE', of('theirs'))).code).toBe(200);
});

test('the site operator releases the finalizer of container-app-operator, and changes nothing else of a Capp', async () => {
  const finalizers = ['dana.io/capp-cleanup', 'example.com/theirs'];
  await make(person, CAPP, { name: 'held', finalizers } as Meta, CAPP_SPEC);
  const change = (body: object) => operator('PATCH', at(CAPP, 'held'), body);
  const refused = { code: 403, message: expect.stringContaining('changes nothing of a Capp but its status') };
  expect(await change({ spec: { state: 'disabled' } })).toMatchObject(refused);
  expect(await change({ metadata: { labels: { a: 'b' } } })).toMatchObject(refused);
  expect(await change({ metadata: { annotations: { 'rcs.dana.io/migrate': '#1' } } })).toMatchObject(refused);
  expect(await change({ metadata: { finalizers: null } })).toMatchObject(refused);
  const own = 'rcs.dana.io/dns-record';
  expect(await change({ metadata: { finalizers: [own] } })).toMatchObject(refused);
  expect(await change({ metadata: { finalizers: [...finalizers, 'example.com/more'] } })).toMatchObject(
    refused,
  );
  for (const list of [[...finalizers, own], ['example.com/theirs', own], ['example.com/theirs']])
    expect((await change({ metadata: { finalizers: list } })).code).toBe(200);
});

test('the policies refuse nothing that the running site operator does with the record of a Capp', async () => {
  const namespace = 'container-app-operator-system';
  const dnsConfig = { zone: 'capp-zone.com.', cname: 'ingress.capp-zone.com.', provider: 'dns-default' };
  await put(person, NAMESPACE, { name: namespace });
  await put(person, CAPP_CONFIG, { name: 'capp-config', namespace }, { spec: { dnsConfig } });
  const kube = await site.cluster.client(`system:serviceaccount:${ADDON}:cappstan-site`);
  const problems: unknown[] = [];
  const running = siteOperator(kube, {
    onProblem: (_kind, error) => problems.push(error),
    onError: (_key, error) => problems.push(error),
  });
  const live = (name: string) =>
    site.cluster.kube.get<NamedRecord>(RECORDS.Cluster, { namespace: null, name: `${name}.capp-zone.com` });
  const there = (name: string) => eventually(async () => (await live(name)) ?? undefined);
  const gone = (name: string) => eventually(async () => ((await live(name)) === null ? true : undefined));
  try {
    await put(
      person,
      CAPP,
      { name: 'named' },
      { spec: { ...CAPP_SPEC.spec, routeSpec: { hostname: 'one' } } },
    );
    const { metadata } = await there('one');
    await person('PATCH', of(metadata.name), {
      metadata: { labels: { 'rcs.dana.io/managed-by': null } },
      ...cname,
    });
    await eventually(async () =>
      (await live('one'))?.spec?.forProvider?.cname === 'ingress.capp-zone.com.' ? true : undefined,
    );
    await person('PATCH', at(CAPP, 'named'), { spec: { routeSpec: { hostname: 'two' } } });
    await there('two');
    await gone('one');
    await person('DELETE', at(CAPP, 'named'));
    await gone('two');
    await eventually(async () =>
      (await site.cluster.kube.get<Capp>(CAPP, { namespace: NS, name: 'named' })) === null ? true : undefined,
    );
    expect(problems.filter((problem) => problem instanceof ApiError && problem.code === 403)).toEqual([]);
  } finally {
    await running.stop();
    await kube.close();
  }
});
