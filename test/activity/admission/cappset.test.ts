// A CappSet as the API server and the webhook accept it: defaults, refusals that name the field, and the
// users that are recorded in it.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { APPROVE, LAST_UPDATED_BY, requestedBy } from '../../../crds/labels.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { CAPP_SET, type CappSet } from '../../../crds/set/cappset.ts';
import type { Kube } from '../../../kube/client.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { aSet, CONTAINERS } from '../../support/builders/fleet/sets.ts';
import { HUB_USER, startWebhook, type WebhookForTests } from '../../support/servers/chart/webhook.ts';

let stage: WebhookForTests;
let kube: Kube;
const namespace = 'retail';
beforeAll(async () => {
  stage = await startWebhook([namespace, RCS_CONFIG_KEY.namespace], Date.now());
  ({ kube } = stage);
  const metadata = RCS_CONFIG_KEY;
  const { apiVersion, kind } = RCS_CONFIG;
  const spec = { placements: ['all'], placementsNamespace: 'placements', pinning: 'Any' };
  await kube.create(RCS_CONFIG, { apiVersion, kind, metadata, spec } as never);
  for (const name of ['site-1', 'site-2'])
    await kube.create(MANAGED_CLUSTER, {
      apiVersion: MANAGED_CLUSTER.apiVersion,
      kind: MANAGED_CLUSTER.kind,
      metadata: { name },
    });
  // The API server may not trust the webhook's certificate yet for the first requests.
  await eventually(async () => (await dryRun({})) ?? undefined);
}, 300_000);
afterAll(() => stage?.stop());
afterEach(() => expect(stage.faults).toEqual([]));

const named = { sites: { clusters: ['site-1', 'site-2'] } };
const template = (spec: object, metadata: object = {}) => ({
  template: {
    metadata,
    spec: { configurationSpec: { template: { spec: { containers: CONTAINERS } } }, ...spec },
  },
});
const dryRun = (spec: object): Promise<CappSet> =>
  kube.raw('POST', `/apis/${CAPP_SET.apiVersion}/namespaces/${namespace}/cappsets?dryRun=All`, {
    body: aSet('shop', { ...named, ...spec }, namespace),
  }) as Promise<CappSet>;

test('a set gets defaults, and records who changed it and who asked for something', async () => {
  const alice = await stage.as('alice');
  const bob = await stage.as('bob');
  const made = await alice.create<CappSet>(CAPP_SET, aSet('kept', named, namespace));
  expect(made.spec).toMatchObject({
    whenUnselected: 'Remove',
    paused: false,
    strategy: { maxConcurrent: '25%' },
  });
  expect(made.metadata.annotations).toMatchObject({ [LAST_UPDATED_BY]: 'alice' });
  const asked = { [APPROVE]: 'canary#0123456789', [requestedBy(APPROVE)]: 'mallory' };
  const key = { namespace, name: 'kept' };
  const approved = await bob.patch<CappSet>(CAPP_SET, key, { metadata: { annotations: asked } });
  expect(approved.metadata.annotations).toMatchObject({
    [LAST_UPDATED_BY]: 'alice',
    [requestedBy(APPROVE)]: 'bob',
  });
  await expect(
    bob.patch(CAPP_SET, key, { metadata: { annotations: { [APPROVE]: 'no id' } } }),
  ).rejects.toMatchObject({ code: 422 });
});

test.each<[string, object, string]>([
  ['both a placement and names', { placement: 'all' }, 'spec'],
  ['a site in the template', template({ site: 'site-1' }), 'spec.template.spec'],
  [
    'an unknown placeholder',
    template({ routeSpec: { hostname: '{{cluster}}.shop.example' } }),
    'spec.template.spec.routeSpec.hostname',
  ],
  ['an unknown site', { sites: { clusters: ['site-9'] } }, 'spec.sites.clusters[0]'],
  [
    'a hostname that no Capp may have',
    template({ routeSpec: { hostname: 'shop' } }),
    'spec.template.spec.routeSpec.hostname',
  ],
  [
    'a request in the template',
    template({}, { annotations: { 'rcs.dana.io/force': 'site-1#1' } }),
    'spec.template.metadata.annotations[rcs.dana.io/force]',
  ],
  [
    'an override that is no Capp',
    { overrides: [{ clusterSelector: {}, patch: { spec: { state: 'sleeping' } } }] },
    'spec.overrides[0].patch.spec.state',
  ],
  [
    'a request above its limit',
    template({
      configurationSpec: {
        template: {
          spec: {
            containers: [{ ...CONTAINERS[0], resources: { requests: { cpu: 2 }, limits: { cpu: 1 } } }],
          },
        },
      },
    }),
    'spec.template.spec.configurationSpec.template.spec.containers[0].resources.requests.cpu',
  ],
])('a set with %s is refused, and the field is named', async (_what, spec, field) => {
  await expect(dryRun(spec)).rejects.toMatchObject({
    code: 422,
    fields: expect.arrayContaining([expect.stringContaining(field)]),
  });
});

test('a Capp with a field that nobody reads is made for a set by the hub, and by nobody else', async () => {
  const key = { namespace, name: 'old' };
  const set = await kube.create<CappSet>(CAPP_SET, aSet(key.name, named, namespace));
  const { apiVersion, kind } = CAPP_SET;
  const owner = { apiVersion, kind, name: key.name, uid: set.metadata.uid ?? '', controller: true };
  const pod = { containers: CONTAINERS, affinity: { nodeAffinty: {} } };
  const child = {
    apiVersion: CAPP.apiVersion,
    kind: CAPP.kind,
    metadata: { namespace, name: 'old-site-1', ownerReferences: [owner] },
    spec: { site: 'site-1', configurationSpec: { template: { spec: pod } } },
  };
  const field = 'spec.configurationSpec.template.spec.affinity.nodeAffinty';
  await expect(kube.create(CAPP, child as never)).rejects.toMatchObject({
    code: 422,
    fields: [expect.stringContaining(field)],
  });
  const hub = await stage.as(HUB_USER);
  expect(await hub.create<Capp>(CAPP, child as never)).toMatchObject({ spec: { site: 'site-1' } });
});
