// A Bundle as the API server and the webhook accept it: refusals that name the field and say what to do, and
// the users that are recorded in it.
import { BUNDLE, type Bundle } from '../../../crds/bundle/bundle.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { ABORT, APPROVE, LAST_UPDATED_BY, PAUSED, requestedBy } from '../../../crds/labels.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { aConfigMap } from '../../support/builders/fleet/bundles.ts';
import { startWebhook, type WebhookForTests } from '../../support/servers/chart/webhook.ts';

let stage: WebhookForTests;
let kube: Kube;
const namespace = 'platform';
beforeAll(async () => {
  stage = await startWebhook([namespace, RCS_CONFIG_KEY.namespace], Date.now());
  ({ kube } = stage);
  const { apiVersion, kind } = RCS_CONFIG;
  const spec = { placements: ['all'], placementsNamespace: 'placements', pinning: 'Any' };
  await kube.create(RCS_CONFIG, { apiVersion, kind, metadata: RCS_CONFIG_KEY, spec } as never);
  const site = { apiVersion: MANAGED_CLUSTER.apiVersion, kind: MANAGED_CLUSTER.kind };
  await kube.create(MANAGED_CLUSTER, { ...site, metadata: { name: 'site-1' } });
  // The API server may not trust the webhook's certificate yet for the first requests.
  await eventually(async () => (await dryRun({})) ?? undefined);
}, 300_000);
afterAll(() => stage?.stop());
afterEach(() => expect(stage.faults).toEqual([]));

const SPEC = { sites: { clusters: ['site-1'] }, manifests: [aConfigMap()] };
const whole = (spec: object, name = 'base') => ({
  apiVersion: BUNDLE.apiVersion,
  kind: BUNDLE.kind,
  metadata: { namespace, name },
  spec: { ...SPEC, ...spec },
});
const dryRun = (spec: object): Promise<Bundle> =>
  kube.raw('POST', `/apis/${BUNDLE.apiVersion}/namespaces/${namespace}/bundles?dryRun=All`, {
    body: whole(spec),
  }) as Promise<Bundle>;
const windows = (more: object) => ({
  strategy: {
    windows: [{ days: ['Mon'], from: '08:00', to: '12:00', timeZone: 'Europe/Berlin', ...more }],
  },
});

test.each<[string, object, string, string]>([
  ['both a Placement and names', { placement: 'all' }, 'spec', 'remove one of them, or add one'],
  ['neither of them', { sites: undefined }, 'spec', 'remove one of them, or add one'],
  [
    'no name of a site',
    { sites: { clusters: [] } },
    'spec.sites',
    'list managed clusters in spec.sites.clusters',
  ],
  ['no list of names', { sites: {} }, 'spec.sites', 'list managed clusters in spec.sites.clusters'],
  ['no manifests', { manifests: [] }, 'spec', 'list them in spec.manifests'],
  [
    'a list among the manifests',
    { manifests: [{ apiVersion: 'v1', kind: 'List', items: [] }] },
    'spec.manifests[0]',
    'write each of its items as a manifest of its own',
  ],
  [
    'a manifest without a kind',
    { manifests: [{ apiVersion: 'v1', metadata: { name: 'a' } }] },
    'spec.manifests[0]',
    'a manifest is a whole Kubernetes object',
  ],
  [
    'a manifest without an apiVersion',
    { manifests: [aConfigMap(), { kind: 'ConfigMap', metadata: { name: 'a' } }] },
    'spec.manifests[1]',
    'a manifest is a whole Kubernetes object',
  ],
  [
    'a manifest with generateName',
    { manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a-' } }] },
    'spec.manifests[0]',
    'has no metadata.name: give it one',
  ],
  [
    'a source that is two',
    { manifestsFrom: [{ configMap: 'a', secret: 'b' }] },
    'spec.manifestsFrom[0]',
    'give each of them an entry of its own',
  ],
  [
    'a source that is none',
    { manifestsFrom: [{}] },
    'spec.manifestsFrom[0]',
    'give each of them an entry of its own',
  ],
  [
    'the same object twice',
    { manifests: [aConfigMap(), aConfigMap()] },
    'spec.manifests[1]',
    'leave one of them out',
  ],
  [
    'an unknown site',
    { sites: { clusters: ['site-9'] } },
    'spec.sites.clusters[0]',
    'name a managed cluster',
  ],
  ['the rights of the work agent', { executor: 'WorkAgent' }, 'spec.executor', 'leave the field out'],
  [
    'a stage that selects by nothing',
    { strategy: { stages: [{ name: 'canary', sites: {} }] } },
    'spec.strategy.stages[0].sites',
    'add matchLabels, matchExpressions, percent or count',
  ],
  [
    'a stage in the middle with all other sites',
    { strategy: { stages: [{ name: 'first' }, { name: 'second', sites: { count: 1 } }] } },
    'spec.strategy',
    'only the last of stages may leave out sites',
  ],
  ['no site at once', { strategy: { maxConcurrent: 0 } }, 'spec.strategy.maxConcurrent', 'such as "25%"'],
  [
    'a window that never opens',
    windows({ to: '08:00' }),
    'spec.strategy.windows[0]',
    'for a whole day, write from: "00:00" and to: "24:00"',
  ],
  [
    'an unknown time zone',
    windows({ timeZone: 'Europe/Atlantis' }),
    'spec.strategy.windows[0].timeZone',
    'such as Europe/Berlin or UTC',
  ],
])('a Bundle with %s is refused with the field and the remedy', async (_what, spec, field, remedy) => {
  const alice = await stage.rawAs('alice');
  const path = `/apis/${BUNDLE.apiVersion}/namespaces/${namespace}/bundles?dryRun=All`;
  const refusal = await alice('POST', path, whole(spec));
  expect(refusal.message).toContain(field);
  expect(refusal.message).toContain(remedy);
});

test('who changed a Bundle and who asked for something is recorded, and nobody can write another name', async () => {
  const [alice, bob] = [await stage.as('alice'), await stage.as('bob')];
  const made = await alice.create<Bundle>(BUNDLE, whole({}, 'kept') as never);
  expect(made.metadata.annotations).toMatchObject({ [LAST_UPDATED_BY]: 'alice' });
  const key = { namespace, name: 'kept' };
  const asked = { [APPROVE]: 'canary#0123456789', [requestedBy(APPROVE)]: 'mallory' };
  const approved = await bob.patch<Bundle>(BUNDLE, key, { metadata: { annotations: asked } });
  expect(approved.metadata.annotations).toMatchObject({
    [LAST_UPDATED_BY]: 'alice',
    [requestedBy(APPROVE)]: 'bob',
  });
  await expect(
    bob.patch(BUNDLE, key, { metadata: { annotations: { [ABORT]: 'no id' } } }),
  ).rejects.toMatchObject({ code: 422 });
  const edited = await bob.patch<Bundle>(BUNDLE, key, { spec: { onRemoval: 'Orphan' } });
  expect(edited.metadata.annotations).toMatchObject({ [LAST_UPDATED_BY]: 'bob' });
});

test('while no webhook answers, the API server itself lets nobody forge who asked', async () => {
  const webhooks = 'mutatingwebhookconfigurations';
  const configuration = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    plural: webhooks,
    namespaced: false,
  } as const;
  const alice = await stage.as('alice');
  await alice.create<Bundle>(BUNDLE, whole({}, 'forged') as never);
  const found = (await kube.get(configuration, { namespace: null, name: 'cappstan-webhook' })) as unknown as {
    webhooks: object[];
  };
  const key = { namespace: null, name: 'cappstan-webhook' };
  await kube.patch(configuration, key, { webhooks: [] });
  try {
    const forge = { [PAUSED]: 'true', [requestedBy(PAUSED)]: 'bob' };
    await eventually(async () => {
      const refused = await alice
        .patch(BUNDLE, { namespace, name: 'forged' }, { metadata: { annotations: forge } })
        .then(
          () => null,
          (error: unknown) => error,
        );
      expect(refused).toMatchObject({ code: 403 });
      return true;
    });
  } finally {
    await kube.patch(configuration, key, { webhooks: found.webhooks });
  }
});
