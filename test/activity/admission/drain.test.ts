// Drains as people write them: what the API server and the webhook say to them, and who is named in them.
import { DRAIN, type Drain } from '../../../crds/drain/drain.ts';
import { LAST_UPDATED_BY, REQUESTED_BY } from '../../../crds/labels.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { startWebhook, type WebhookForTests } from '../../support/servers/webhook.ts';

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
  // The first that the API server does with a configuration may still be to learn whom to trust.
  await eventually(async () => (await dryRun({})) ?? undefined);
}, 90_000);
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

test('a Drain gets its defaults and its author, keeps its author, and names who changed it', async () => {
  const alice = await stage.as('alice');
  const bob = await stage.as('bob');
  const made = await alice.create<Drain>(DRAIN, aDrain({}, { annotations: { [REQUESTED_BY]: 'mallory' } }));
  expect(made.spec).toEqual({ dryRun: false, paused: false, width: 50, perTarget: 25, ratePerSecond: 25 });
  expect(made.metadata.annotations).toEqual({ [REQUESTED_BY]: 'alice' });
  const changed = await bob.patch<Drain>(DRAIN, key, { spec: { width: 5, perTarget: 5 } });
  expect(changed.metadata.annotations).toEqual({ [REQUESTED_BY]: 'alice', [LAST_UPDATED_BY]: 'bob' });
  const forged = await bob.patch<Drain>(DRAIN, key, { metadata: { annotations: { [REQUESTED_BY]: 'bob' } } });
  expect(forged.metadata.annotations?.[REQUESTED_BY]).toBe('alice');
});

test.each<[string, object, string]>([
  ['no width at all', { width: 0 }, 'spec.width'],
  ['a share of a target that is too large', { perTarget: 1001 }, 'spec.perTarget'],
  ['a rate that is too high', { ratePerSecond: 501 }, 'spec.ratePerSecond'],
  [
    'a priority that is too high',
    { priorities: [{ namespace: 'a', priority: 1001 }] },
    'spec.priorities[0].priority',
  ],
  ['a priority of nobody', { priorities: [{ priority: 1 }] }, 'spec.priorities[0].namespace'],
  [
    'two priorities of one',
    {
      priorities: [
        { namespace: 'a', priority: 1 },
        { namespace: 'a', priority: 2 },
      ],
    },
    'spec.priorities[1]',
  ],
  ['a width that is text', { width: 'wide' }, 'spec.width'],
])('a Drain with %s is refused, which names the field', async (_title, spec, field) => {
  await expect(dryRun(spec)).rejects.toMatchObject({
    code: 422,
    fields: expect.arrayContaining([expect.stringContaining(field)]),
  });
});

test('a Drain of what is no site is refused', async () => {
  await expect(dryRun({}, { name: 'atlantis' })).rejects.toMatchObject({
    code: 422,
    fields: ['metadata.name: FieldValueNotFound'],
  });
});

test('while no webhook answers nobody empties a site unnamed, and a drain can be stopped', async () => {
  const spare = { namespace: null, name: 'site-2' };
  await kube.create<Drain>(DRAIN, aDrain({}, { name: 'site-2' }));
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
