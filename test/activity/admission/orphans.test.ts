// Deleting with --cascade=orphan, on a real API server with the chart's policies: it is refused where it
// would not keep the copies, whichever way it is asked for and whether or not a webhook answers.
import { BUNDLE, type BundleSpec } from '../../../crds/bundle/bundle.ts';
import type { BundleStatus } from '../../../crds/bundle/status.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { createBundle } from '../../../testbed/bundles.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { aConfigMap } from '../../support/builders/fleet/bundles.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';
import { startWebhook, type WebhookForTests } from '../../support/servers/chart/webhook.ts';

const NS = 'retail';
const HELD = 'tests.example/held';

let stage: WebhookForTests;
let kube: Kube;
beforeAll(async () => {
  stage = await startWebhook([NS, RCS_CONFIG_KEY.namespace], Date.now());
  ({ kube } = stage);
  const { apiVersion, kind } = RCS_CONFIG;
  const spec = { placements: ['all'], placementsNamespace: 'placements', pinning: 'Any' };
  await kube.create(RCS_CONFIG, { apiVersion, kind, metadata: RCS_CONFIG_KEY, spec } as never);
  const site = { apiVersion: MANAGED_CLUSTER.apiVersion, kind: MANAGED_CLUSTER.kind };
  await kube.create(MANAGED_CLUSTER, { ...site, metadata: { name: 'site-1' } });
  // The API server may not trust the webhook's certificate yet, and a policy counts a moment after it was
  // written.
  await eventually(() => make(CAPP_SET, 'first').catch(() => undefined));
  await make(BUNDLE, 'first');
  for (const resource of [CAPP_SET, BUNDLE])
    await eventually(() =>
      deletion(resource, 'first', { propagationPolicy: 'Orphan', dryRun: ['All'] }).then(
        () => undefined,
        () => true,
      ),
    );
}, 300_000);
afterAll(() => stage?.stop());
afterEach(() => expect(stage.faults).toEqual([]));

const sites = { clusters: ['site-1'] };

/** Something holds it while it is being deleted. */
async function make(
  resource: Resource,
  name: string,
  spec: Partial<Omit<BundleSpec, 'manifests'>> = {},
): Promise<KubeObject> {
  const key = { namespace: NS, name };
  const made =
    resource.kind === BUNDLE.kind
      ? await createBundle(kube, key, { sites, manifests: [aConfigMap()], ...spec })
      : await kube.create<KubeObject>(CAPP_SET, aSet(name, { sites }, NS));
  await kube.patch(resource, key, { metadata: { finalizers: [HELD] } });
  return made;
}

const pathOf = ({ apiVersion, plural }: Resource): string => `/apis/${apiVersion}/namespaces/${NS}/${plural}`;

function deletion(resource: Resource, name: string, options?: object): Promise<unknown> {
  const body = options === undefined ? {} : { body: { apiVersion: 'v1', kind: 'DeleteOptions', ...options } };
  return kube.raw('DELETE', `${pathOf(resource)}/${name}`, body);
}

const isGoing = async (resource: Resource, name: string): Promise<boolean> =>
  (await kube.getMetadata(resource, { namespace: NS, name }))?.metadata.deletionTimestamp !== undefined;

const REFUSED = { code: 403 };
const ORPHAN = { propagationPolicy: 'Orphan' };

describe.each([
  ['CappSet', CAPP_SET],
  ['Bundle', BUNDLE],
] as const)('a %s', (_, resource) => {
  test.each<[string, object]>([
    ['by its policy', ORPHAN],
    ['by the older option', { orphanDependents: true }],
  ])('is not deleted when the request orphans %s', async (how, options) => {
    const name = how.replaceAll(' ', '-');
    await make(resource, name);
    await expect(deletion(resource, name, options)).rejects.toMatchObject(REFUSED);
    expect(await isGoing(resource, name)).toBe(false);
  });

  test('is not deleted by a request that leaves it to a finalizer which orphans, and is by one that says otherwise', async () => {
    await make(resource, 'marked');
    const key = { namespace: NS, name: 'marked' };
    await kube.patch(resource, key, { metadata: { finalizers: [HELD, 'orphan'] } });
    await expect(deletion(resource, 'marked')).rejects.toMatchObject(REFUSED);
    expect(await isGoing(resource, 'marked')).toBe(false);
    await deletion(resource, 'marked', { propagationPolicy: 'Background' });
    const finalizers = (await kube.getMetadata(resource, key))?.metadata.finalizers;
    expect([await isGoing(resource, 'marked'), finalizers]).toEqual([true, [HELD]]);
  });

  test.each<[string, object | undefined]>([
    ['no options', undefined],
    ['policy Background', { propagationPolicy: 'Background' }],
    ['policy Foreground', { propagationPolicy: 'Foreground' }],
    ['dependents that go', { orphanDependents: false }],
  ])('is deleted by a request with %s', async (how, options) => {
    const name = how.toLowerCase().replaceAll(' ', '-');
    await make(resource, name);
    await deletion(resource, name, options);
    expect(await isGoing(resource, name)).toBe(true);
  });

  test('is not orphaned by a second deletion, while it is being deleted', async () => {
    await make(resource, 'twice');
    await deletion(resource, 'twice');
    await expect(deletion(resource, 'twice', ORPHAN)).rejects.toMatchObject(REFUSED);
    const { metadata } = (await kube.getMetadata(resource, { namespace: NS, name: 'twice' })) ?? {};
    expect(metadata?.finalizers).toEqual([HELD]);
  });

  test('is not orphaned with all others of its namespace', async () => {
    await make(resource, 'one-of-all');
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...ORPHAN };
    await expect(kube.raw('DELETE', pathOf(resource), { body })).rejects.toMatchObject(REFUSED);
    expect(await isGoing(resource, 'one-of-all')).toBe(false);
  });

  test('is not orphaned while no webhook answers, and is deleted otherwise', async () => {
    await make(resource, 'alone');
    await stage.without(async () => {
      await expect(deletion(resource, 'alone', ORPHAN)).rejects.toMatchObject(REFUSED);
      await deletion(resource, 'alone');
    });
    expect(await isGoing(resource, 'alone')).toBe(true);
  });
});

test.each([
  ['cappsets', /take its ownerReference off each of its Capps/],
  ['bundles', /Set spec\.onRemoval to Orphan/],
])('the refusal for %s says what to do', async (plural, remedy) => {
  const alice = await stage.rawAs('alice');
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...ORPHAN };
  const { message } = await alice(
    'DELETE',
    `/apis/${BUNDLE.apiVersion}/namespaces/${NS}/${plural}/first`,
    body,
  );
  expect(message).toMatch(remedy);
});

const REACHED: BundleStatus = {
  observedGeneration: 1,
  revision: 'now',
  sites: 2,
  ready: 2,
  revisions: [{ revision: 'now', number: 2 }],
};

test.each<[string, Partial<Omit<BundleSpec, 'manifests'>>, BundleStatus]>([
  ['deletes what it brought', {}, REACHED],
  ['has not been looked at since', { onRemoval: 'Orphan' }, { ...REACHED, observedGeneration: 0 }],
  ['has no status', { onRemoval: 'Orphan' }, {}],
  ['is not Ready on a site', { onRemoval: 'Orphan' }, { ...REACHED, ready: 1 }],
  [
    'has another revision on a site',
    { onRemoval: 'Orphan' },
    { ...REACHED, revisions: [...(REACHED.revisions ?? []), { revision: 'old', number: 1 }] },
  ],
  [
    'has gone back to a revision from before',
    { onRemoval: 'Orphan' },
    { ...REACHED, revisions: [{ revision: 'old', number: 2 }] },
  ],
  [
    'is still on a site that is no longer selected',
    { onRemoval: 'Orphan' },
    { ...REACHED, unselected: ['site-3'] },
  ],
  ['is still leaving a site', { onRemoval: 'Orphan' }, { ...REACHED, leaving: ['site-3'] }],
])('a Bundle is not orphaned that %s', async (how, spec, status) => {
  const name = how.toLowerCase().replaceAll(' ', '-');
  await make(BUNDLE, name, spec);
  await kube.patch(BUNDLE, { namespace: NS, name }, { status }, { subresource: 'status' });
  await expect(deletion(BUNDLE, name, ORPHAN)).rejects.toMatchObject(REFUSED);
  expect(await isGoing(BUNDLE, name)).toBe(false);
});

test('a Bundle whose onRemoval Orphan has reached all of its sites may be orphaned', async () => {
  await make(BUNDLE, 'reached', { onRemoval: 'Orphan' });
  await kube.patch(
    BUNDLE,
    { namespace: NS, name: 'reached' },
    { status: REACHED },
    { subresource: 'status' },
  );
  await deletion(BUNDLE, 'reached', ORPHAN);
  expect(await isGoing(BUNDLE, 'reached')).toBe(true);
});
