// What the webhook refuses of Capps and of what they rest on, called by a real API server, with the chart's
// configurations and rights, over TLS; and what is refused without it.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { ALLOW_DETACH, FINALIZER, MIGRATE, PAUSED, PRIORITY, requestedBy } from '../../../../crds/labels.ts';
import { MANAGED_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import type { Kube } from '../../../../kube/client.ts';
import { capp, readCapp } from '../../../../testbed/capps.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { HUB_USER, type WebhookForTests } from '../../../support/servers/chart/webhook.ts';
import {
  askedCapps,
  authorOf,
  cluster,
  NS,
  cappNamed as wish,
} from '../../../support/testbeds/hub/asked-capps.ts';

let stage: WebhookForTests;
let kube: Kube;
const { create, dryRun } = askedCapps((given) => {
  stage = given;
  ({ kube } = given);
});

/** The refusal of a request, as soon as the webhook's caches show the reason. */
const refusal = (ask: () => Promise<unknown>): Promise<unknown> =>
  eventually(() =>
    ask().then(
      () => undefined,
      (error: unknown) => error,
    ),
  );
const refused = (field: string, reason: string) => ({
  code: 422,
  reason: 'Invalid',
  fields: [`${field}: ${reason}`],
});

describe('a Capp is refused', () => {
  it('with an unknown site, but not with a site that was created a moment ago', async () => {
    await expect(create('lost', { spec: { site: 'atlantis' } })).rejects.toMatchObject(
      refused('spec.site', 'FieldValueNotFound'),
    );
    await kube.create(MANAGED_CLUSTER, cluster('fresh'));
    await create('found', { spec: { site: 'fresh' } });
  });

  it.each(['no-full-name', 'a.svc.cluster.local', 'forbidden.example.com'])(
    'with the hostname %s',
    async (hostname) => {
      const asked = create('badly-named', { spec: { routeSpec: { hostname } } });
      await expect(asked).rejects.toMatchObject(refused('spec.routeSpec.hostname', 'FieldValueInvalid'));
    },
  );

  it('with a hostname that another Capp has, until that one is gone', async () => {
    const spec = { routeSpec: { hostname: 'taken.example.com' } };
    await create('first', { spec });
    const second = (): Promise<Capp> =>
      kube.create<Capp>(CAPP, capp({ namespace: 'others', name: 'first', spec }));
    await expect(second()).rejects.toMatchObject(refused('spec.routeSpec.hostname', 'FieldValueDuplicate'));
    await kube.patch(CAPP, { namespace: NS, name: 'first' }, { spec: { routeSpec: { tlsEnabled: true } } });
    await kube.remove(CAPP, { namespace: NS, name: 'first' });
    // No hub worker removes the finalizer here.
    await kube.patch(CAPP, { namespace: NS, name: 'first' }, { metadata: { finalizers: null } });
    await second();
  });

  it('when it asks for a new hostname while it is being deleted', async () => {
    const key = { namespace: NS, name: 'held' };
    const asking = (hostname: string | null) => kube.patch(CAPP, key, { spec: { routeSpec: { hostname } } });
    await create('held', { spec: { routeSpec: { hostname: 'held.example.com' } } });
    await kube.patch(CAPP, key, { metadata: { finalizers: [FINALIZER, 'test/hold'] } });
    await kube.remove(CAPP, key);
    await expect(asking('theirs.example.com')).rejects.toMatchObject(
      refused('spec.routeSpec.hostname', 'FieldValueForbidden'),
    );
    const wanted = wish('heir', { spec: { routeSpec: { hostname: 'held.example.com' } } });
    await expect(dryRun(wanted)).rejects.toMatchObject(
      refused('spec.routeSpec.hostname', 'FieldValueDuplicate'),
    );
    // As the hub worker does when no work is left.
    await kube.patch(CAPP, key, { metadata: { finalizers: ['test/hold'] } });
    await eventually(() => dryRun(wanted));
    await asking(null);
    await kube.patch(CAPP, key, { metadata: { finalizers: null } });
  });

  it('when another one asks for the same hostname at the same time', async () => {
    const both = await Promise.allSettled(
      ['left', 'right'].map((name) =>
        create(name, { spec: { routeSpec: { hostname: 'race.example.com' } } }),
      ),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('with an invalid or impossible move request or priority', async () => {
    await create('asking');
    const ask = (value: string | null) =>
      kube.patch(
        CAPP,
        { namespace: NS, name: 'asking' },
        { metadata: { annotations: { [MIGRATE]: value } } },
      );
    const high = { metadata: { annotations: { [PRIORITY]: 'high' } } };
    await expect(kube.patch(CAPP, { namespace: NS, name: 'asking' }, high)).rejects.toMatchObject({
      code: 422,
    });
    const field = `metadata.annotations[${MIGRATE}]`;
    await expect(ask('site-2')).rejects.toMatchObject(refused(field, 'FieldValueInvalid'));
    await expect(ask('atlantis#1')).rejects.toMatchObject(refused(field, 'FieldValueNotFound'));
    await ask('site-2#1');
    await ask('#2');
    await ask(null);
  });
});

test('a Capp with a value that has become invalid may be edited elsewhere and deleted', async () => {
  const key = { namespace: NS, name: 'orphaned' };
  await kube.create(MANAGED_CLUSTER, cluster('brief'));
  await create(key.name, { spec: { site: 'brief' } });
  await kube.patch(CAPP, key, { metadata: { finalizers: [FINALIZER] } });
  await kube.remove(MANAGED_CLUSTER, { namespace: null, name: 'brief' });
  expect(await refusal(() => dryRun(wish('too-late', { spec: { site: 'brief' } })))).toMatchObject({
    code: 422,
  });
  expect((await kube.patch<Capp>(CAPP, key, { spec: { state: 'disabled' } })).spec.state).toBe('disabled');
  await kube.remove(CAPP, key);
  await kube.patch(CAPP, key, { metadata: { finalizers: null }, spec: { site: 'atlantis' } });
  expect(await kube.get(CAPP, key)).toBeNull();
});

test('an RCSConfig with an invalid pattern is refused, and a corrected one takes effect', async () => {
  const patch = (spec: object) => kube.patch(RCS_CONFIG, RCS_CONFIG_KEY, { spec });
  const bad = patch({ invalidHostnamePatterns: ['fine', 'a['] });
  await expect(bad).rejects.toMatchObject(refused('spec.invalidHostnamePatterns[1]', 'FieldValueInvalid'));
  const impossible = patch({ defaultResources: { requests: { cpu: 2 } } });
  await expect(impossible).rejects.toMatchObject(
    refused('spec.defaultResources.requests.cpu', 'FieldValueInvalid'),
  );
  await patch({ invalidHostnamePatterns: ['forbidden', '^late\\.'] });
  const late = wish('late', { spec: { routeSpec: { hostname: 'late.example.com' } } });
  expect(await refusal(() => dryRun(late))).toMatchObject(
    refused('spec.routeSpec.hostname', 'FieldValueInvalid'),
  );
});

test('a ManagedCluster that serves a Capp is deleted only with the annotation that allows it', async () => {
  const key = { namespace: null, name: 'site-2' };
  await create('served', { spec: { site: 'site-2' } });
  const status = { status: { applicationLinks: { site: 'site-2' } } };
  await kube.patch(CAPP, { namespace: NS, name: 'served' }, status, { subresource: 'status' });
  const deletion = `/apis/${MANAGED_CLUSTER.apiVersion}/managedclusters/site-2?dryRun=All`;
  expect(await refusal(() => kube.raw('DELETE', deletion))).toMatchObject({ code: 403, reason: 'Forbidden' });
  await kube.patch(MANAGED_CLUSTER, key, { metadata: { annotations: { [ALLOW_DETACH]: 'true' } } });
  expect(await kube.remove(MANAGED_CLUSTER, key)).toBe(true);
});

test('without a webhook new Capps and edits of specs are refused, and the hub worker and annotations still work', async () => {
  const key = { namespace: NS, name: 'steady' };
  const { metadata } = await create(key.name, { spec: { site: 'site-1' } });
  await kube.create(MANAGED_CLUSTER, cluster('spare'));
  const hub = await stage.as(HUB_USER);
  await stage.without(async () => {
    await expect(create('unseen')).rejects.toMatchObject({ code: 500 });
    await expect(kube.patch(CAPP, key, { spec: { state: 'disabled' } })).rejects.toMatchObject({ code: 500 });
    await hub.patch(CAPP, key, {
      metadata: { uid: metadata.uid, resourceVersion: metadata.resourceVersion, finalizers: [FINALIZER] },
    });
    await hub.patch(
      CAPP,
      key,
      { status: { applicationLinks: { site: 'site-1' } } },
      { subresource: 'status' },
    );
    await kube.patch(CAPP, key, { metadata: { annotations: { [PAUSED]: 'true' } } });
    await expect(
      kube.patch(CAPP, key, { metadata: { annotations: { [requestedBy(PAUSED)]: 'mallory' } } }),
    ).rejects.toMatchObject({
      code: 500,
    });
    await kube.patch(RCS_CONFIG, RCS_CONFIG_KEY, { spec: { placements: ['default', 'another'] } });
    await expect(kube.remove(MANAGED_CLUSTER, { namespace: null, name: 'site-1' })).rejects.toMatchObject({
      code: 500,
    });
    await kube.patch(
      MANAGED_CLUSTER,
      { namespace: null, name: 'spare' },
      { metadata: { annotations: { [ALLOW_DETACH]: 'true' } } },
    );
    await kube.remove(MANAGED_CLUSTER, { namespace: null, name: 'spare' });
    await kube.remove(CAPP, key);
    await hub.patch(CAPP, key, { metadata: { finalizers: null } });
    expect(await kube.get(CAPP, key)).toBeNull();
  });
  await create('seen-again', { spec: { site: 'site-1' } });
  expect(authorOf(await readCapp(kube, { namespace: NS, name: 'seen-again' }))).toBe('kubernetes-admin');
});
