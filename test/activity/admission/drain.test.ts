// A Drain as the API server and the webhook accept it: defaults, refusals, and the users that are recorded in
// it.
import { DRAIN, type Drain } from '../../../crds/drain/drain.ts';
import { LAST_UPDATED_BY, REQUESTED_BY } from '../../../crds/labels.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { startWebhook, type WebhookForTests } from '../../support/servers/chart/webhook.ts';

let stage: WebhookForTests;
let kube: Kube;
beforeAll(async () => {
  stage = await startWebhook([], Date.now());
  ({ kube } = stage);
  for (const name of ['site-1', 'site-2'])
    await kube.create(MANAGED_CLUSTER, {
      apiVersion: MANAGED_CLUSTER.apiVersion,
      kind: 'ManagedCluster',
      metadata: { name },
    });
  // The API server may not trust the webhook's certificate yet for the first requests.
  await eventually(async () => (await dryRun({})) ?? undefined);
}, 300_000);
afterAll(() => stage?.stop());
afterEach(() => expect(stage.faults).toEqual([]));

const aDrain = (spec: object, metadata: object = {}): Drain =>
  ({
    apiVersion: DRAIN.apiVersion,
    kind: DRAIN.kind,
    metadata: { name: 'site-1', ...metadata },
    spec,
  }) as Drain;
const dryRun = (spec: object, metadata: object = {}): Promise<Drain> =>
  kube.raw('POST', `/apis/${DRAIN.apiVersion}/drains?dryRun=All&fieldValidation=Strict`, {
    body: aDrain(spec, metadata),
  }) as Promise<Drain>;
const key = { namespace: null, name: 'site-1' };

test('a Drain gets defaults, keeps the user who created it, and records the user who changed it last', async () => {
  const alice = await stage.as('alice');
  const bob = await stage.as('bob');
  const made = await alice.create<Drain>(DRAIN, aDrain({}, { annotations: { [REQUESTED_BY]: 'mallory' } }));
  expect(made.spec).toEqual({
    dryRun: false,
    rehearse: false,
    paused: false,
    width: 50,
    perTarget: 25,
    ratePerSecond: 25,
  });
  expect(made.metadata.annotations).toEqual({ [REQUESTED_BY]: 'alice' });
  const changed = await bob.patch<Drain>(DRAIN, key, { spec: { width: 5, perTarget: 5 } });
  expect(changed.metadata.annotations).toEqual({ [REQUESTED_BY]: 'alice', [LAST_UPDATED_BY]: 'bob' });
  const forged = await bob.patch<Drain>(DRAIN, key, { metadata: { annotations: { [REQUESTED_BY]: 'bob' } } });
  expect(forged.metadata.annotations?.[REQUESTED_BY]).toBe('alice');
});

test.each<[string, object, string]>([
  ['a width of 0', { width: 0 }, 'spec.width'],
  ['a share of a target that is too large', { perTarget: 1001 }, 'spec.perTarget'],
  ['a rate that is too high', { ratePerSecond: 501 }, 'spec.ratePerSecond'],
  [
    'a priority that is too high',
    { priorities: [{ namespace: 'a', priority: 1001 }] },
    'spec.priorities[0].priority',
  ],
  ['a priority without a namespace', { priorities: [{ priority: 1 }] }, 'spec.priorities[0].namespace'],
  [
    'two priorities for one namespace',
    {
      priorities: [
        { namespace: 'a', priority: 1 },
        { namespace: 'a', priority: 2 },
      ],
    },
    'spec.priorities[1]',
  ],
  ['a width that is text', { width: 'wide' }, 'spec.width'],
])('a Drain with %s is refused with the name of the field', async (_title, spec, field) => {
  await expect(dryRun(spec)).rejects.toMatchObject({
    code: 422,
    fields: expect.arrayContaining([expect.stringContaining(field)]),
  });
});

test('a Drain whose name is no site is refused', async () => {
  await expect(dryRun({}, { name: 'atlantis' })).rejects.toMatchObject({
    code: 422,
    fields: ['metadata.name: FieldValueNotFound'],
  });
});

test('without a webhook Drains cannot be created or edited, and can still be deleted', async () => {
  const spare = { namespace: null, name: 'site-2' };
  await kube.create<Drain>(DRAIN, aDrain({ dryRun: true }, { name: 'site-2' }));
  await stage.without(async () => {
    await kube.remove(DRAIN, spare);
    await expect(kube.create<Drain>(DRAIN, aDrain({}, { name: 'site-2' }))).rejects.toMatchObject({
      code: 500,
    });
    await expect(kube.patch(DRAIN, key, { spec: { width: 9 } })).rejects.toMatchObject({ code: 500 });
    await kube.patch(DRAIN, key, { metadata: { labels: { note: 'mine' } } });
    await kube.patch(DRAIN, key, { status: { moved: 3 } }, { subresource: 'status' });
  });
  expect(await kube.get(DRAIN, spare)).toBeNull();
});

describe('of two sites', () => {
  const spare = { namespace: null, name: 'site-2' };
  const both = [key, spare] as const;
  const said = /every other site is being drained/;
  beforeEach(() => Promise.all(both.map((one) => kube.remove(DRAIN, one))));
  afterAll(() => Promise.all(both.map((one) => kube.remove(DRAIN, one))));

  test('the second is not drained after the first, by a new Drain nor by a dry run that becomes one', async () => {
    const alice = await stage.rawAs('alice');
    await kube.create<Drain>(DRAIN, aDrain({}));
    const made = aDrain({}, spare);
    const path = `/apis/${DRAIN.apiVersion}/drains`;
    expect((await alice('POST', path, made)).message).toMatch(said);
    await kube.create<Drain>(DRAIN, aDrain({ dryRun: true }, spare));
    await expect(kube.patch(DRAIN, spare, { spec: { dryRun: false } })).rejects.toMatchObject({
      code: 422,
      fields: ['spec.dryRun: FieldValueForbidden'],
    });
    await kube.remove(DRAIN, key);
    await kube.patch(DRAIN, spare, { spec: { dryRun: false } });
  });

  test('a Drain that is being deleted closes no site', async () => {
    await kube.create<Drain>(DRAIN, aDrain({}, { finalizers: ['test/hold'] }));
    await kube.remove(DRAIN, key);
    await kube.create<Drain>(DRAIN, aDrain({}, spare));
    await kube.patch(DRAIN, key, { metadata: { finalizers: null } });
  });

  test('a cluster that is being deleted is no site that is open', async () => {
    const going = { namespace: null, name: 'site-3' };
    const metadata = { name: going.name, finalizers: ['test/hold'] };
    const { apiVersion, kind } = MANAGED_CLUSTER;
    await kube.create(MANAGED_CLUSTER, { apiVersion, kind, metadata });
    await kube.remove(MANAGED_CLUSTER, going);
    await kube.create<Drain>(DRAIN, aDrain({}));
    await expect(kube.create<Drain>(DRAIN, aDrain({}, spare))).rejects.toMatchObject({ code: 422 });
    await kube.patch(MANAGED_CLUSTER, going, { metadata: { finalizers: null } });
  });

  test('one stays open when somebody drains both in one moment', async () => {
    const made = await Promise.allSettled(
      ['site-1', 'site-2'].map((name) => kube.create<Drain>(DRAIN, aDrain({}, { name }))),
    );
    expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});
