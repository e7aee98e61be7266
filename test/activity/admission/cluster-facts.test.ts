// What a cluster may change of its own ManagedCluster, on a real API server with the chart's webhook and
// policies: what it says of itself, and neither labels, taints nor Cappstan's annotations. The policy and the
// webhook hold without each other.
import { JOIN_TOKEN, JOINED_BY, TOKEN_ENDS_AT } from '../../../crds/join/labels.ts';
import { ALLOW_DETACH } from '../../../crds/labels.ts';
import { SITE_LABELS, SITE_OF, SITE_OF_NAME } from '../../../crds/metal/labels.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { CLUSTER_SET_LABEL } from '../../../crds/ocm/placements.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { startWebhook, type WebhookForTests } from '../../support/servers/chart/webhook.ts';

const BINDING: Resource = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
  namespaced: false,
};
const CLUSTERS = {
  'its agent': 'system:open-cluster-management:site-1:q7w2x',
  'an add-on of it': 'system:open-cluster-management:cluster:site-1:addon:cappstan:agent:one',
  'who joins it with a token of clusteradm':
    'system:serviceaccount:open-cluster-management:agent-registration-bootstrap',
  'who joins it with a bootstrap token': 'system:bootstrap:abcdef',
};
/** What Cappstan and administrators have written on it. */
const NOTES = {
  [SITE_OF]: 'one',
  [SITE_OF_NAME]: 'metal/edge-7',
  [SITE_LABELS]: 'region',
  [JOIN_TOKEN]: 'abcdef',
  [TOKEN_ENDS_AT]: '2026-03-01T12:00:00Z',
  [JOINED_BY]: 'one/two/three',
};
const TAINT = { key: 'gpu', value: 'none', effect: 'NoSelect', timeAdded: '2026-03-01T12:00:00Z' };

let stage: WebhookForTests;
beforeAll(async () => {
  stage = await startWebhook([], Date.now());
  const agent = await stage.as(CLUSTERS['its agent']);
  await make('warm-up', {}, []);
  await eventually(() =>
    refusal(agent, 'warm-up', { metadata: { labels: { region: 'eu' } } }).then(isPolicys),
  );
}, 300_000);
afterAll(() => stage?.stop());
afterEach(() => expect(stage.faults).toEqual([]));

async function make(name: string, labels: object, taints: readonly object[]): Promise<void> {
  const { apiVersion, kind } = MANAGED_CLUSTER;
  await stage.kube.create(MANAGED_CLUSTER, {
    apiVersion,
    kind,
    metadata: { name, labels, annotations: { note: 'none', ...NOTES } },
    spec: { taints },
  } as never);
}

const keyOf = (name: string) => ({ namespace: null, name });

/** Null if the change is accepted. */
function refusal(kube: Kube, name: string, change: object): Promise<number | null> {
  return kube.patch(MANAGED_CLUSTER, keyOf(name), change).then(
    () => null,
    (error: unknown) => (error as { code: number }).code,
  );
}

const isPolicys = (code: number | null): true | undefined => (code === 403 ? true : undefined);

/** Without the policy's binding while `meanwhile` runs, so that only the webhook refuses. */
async function withoutPolicy(probe: () => Promise<unknown>, meanwhile: () => Promise<void>): Promise<void> {
  const key = keyOf('cappstan-cluster-facts');
  const binding = await stage.kube.get<KubeObject & { readonly spec: unknown }>(BINDING, key);
  if (binding === null) throw new Error('There is no binding');
  await stage.kube.remove(BINDING, key);
  await probe();
  await meanwhile();
  const { apiVersion, kind } = BINDING;
  await stage.kube.create(BINDING, {
    apiVersion,
    kind,
    metadata: { name: key.name },
    spec: binding.spec,
  } as never);
}

function noting(annotations: Readonly<Record<string, string | null>>): object {
  return { metadata: { annotations } };
}

const CHANGES: readonly (readonly [string, object])[] = [
  ['adds a label', { metadata: { labels: { zone: 'a' } } }],
  ['changes a label', { metadata: { labels: { region: 'eu' } } }],
  ['empties a label', { metadata: { labels: { region: '' } } }],
  ['removes a label', { metadata: { labels: { region: null } } }],
  ['removes all labels', { metadata: { labels: null } }],
  ['goes to another set', { metadata: { labels: { [CLUSTER_SET_LABEL]: 'secret' } } }],
  ['removes its taint', { spec: { taints: [] } }],
  ['removes the field', { spec: { taints: null } }],
  ['weakens its taint', { spec: { taints: [{ ...TAINT, effect: 'PreferNoSelect' }] } }],
  ['renames its taint', { spec: { taints: [{ ...TAINT, key: 'other' }] } }],
  ['revalues its taint', { spec: { taints: [{ key: 'gpu', effect: 'NoSelect' }] } }],
  ['adds a taint', { spec: { taints: [TAINT, { ...TAINT, key: 'mine' }] } }],
  ...Object.keys(NOTES).flatMap((name) => [
    [`changes ${name}`, noting({ [name]: 'other' })] as const,
    [`empties ${name}`, noting({ [name]: '' })] as const,
    [`removes ${name}`, noting({ [name]: null })] as const,
  ]),
  ['lets itself be detached', noting({ [ALLOW_DETACH]: 'true' })],
  ['notes what Cappstan may mean one day', noting({ 'rcs.dana.io/of-tomorrow': 'x' })],
  ['removes all annotations', { metadata: { annotations: null } }],
];

describe.each(Object.entries(CLUSTERS))('%s', (who, username) => {
  const name = `of-${who.replaceAll(' ', '-')}`;
  let kube: Kube;
  beforeAll(async () => {
    kube = await stage.as(username);
    await make(name, { region: 'us' }, [TAINT]);
  });

  test.each(CHANGES)('that %s is refused', async (_how, change) => {
    expect(await refusal(kube, name, change)).toBe(403);
    const found = await stage.kube.get<KubeObject & { spec: unknown }>(MANAGED_CLUSTER, keyOf(name));
    expect([found?.metadata.labels, found?.spec]).toEqual([{ region: 'us' }, { taints: [TAINT] }]);
    expect(found?.metadata.annotations).toEqual({ note: 'none', ...NOTES });
  });

  test('may change all else, and comes into the default set as OCM has it', async () => {
    const spec = {
      managedClusterClientConfigs: [{ url: 'https://site-1.example' }],
      taints: [{ ...TAINT, timeAdded: '2026-03-02T12:00:00Z' }],
    };
    expect(await refusal(kube, name, { spec, metadata: { annotations: { note: 'one' } } })).toBeNull();
    await stage.kube.patch(MANAGED_CLUSTER, keyOf(name), { spec: { taints: [TAINT] } });
    expect(
      await refusal(kube, name, { metadata: { labels: { [CLUSTER_SET_LABEL]: 'default' } } }),
    ).toBeNull();
    expect(await refusal(kube, name, { metadata: { labels: { [CLUSTER_SET_LABEL]: 'secret' } } })).toBe(403);
    await stage.kube.patch(MANAGED_CLUSTER, keyOf(name), {
      metadata: { labels: { [CLUSTER_SET_LABEL]: null }, annotations: { note: 'none' } },
    });
  });

  test('brings neither labels, taints nor our annotations when it makes the ManagedCluster', async () => {
    const { apiVersion, kind } = MANAGED_CLUSTER;
    const create = (suffix: string, metadata: object, spec: object): Promise<unknown> =>
      kube
        .create(MANAGED_CLUSTER, {
          apiVersion,
          kind,
          metadata: { name: `${name}-${suffix}`, ...metadata },
          spec,
        } as never)
        .then(
          () => null,
          (error: unknown) => (error as { code: number }).code,
        );
    expect(await create('a', { labels: { region: 'eu' } }, {})).toBe(403);
    expect(await create('b', { labels: { [CLUSTER_SET_LABEL]: 'secret' } }, {})).toBe(403);
    expect(await create('c', {}, { taints: [TAINT] })).toBe(403);
    expect(await create('e', { annotations: { [SITE_OF]: 'mine' } }, {})).toBe(403);
    expect(
      await create(
        'd',
        { labels: { [CLUSTER_SET_LABEL]: 'default' }, annotations: { 'agent.example/rcs.dana.io': 'x' } },
        { hubAcceptsClient: false },
      ),
    ).toBeNull();
  });
});

test.each(['alice', 'system:serviceaccount:open-cluster-management-hub:registration-controller-sa'])(
  '%s, who is no cluster, sets labels, taints and annotations',
  async (username) => {
    const name = `by-${username.replaceAll(':', '-').slice(0, 20)}`;
    await make(name, {}, []);
    const metadata = { labels: { region: 'eu' }, annotations: { [SITE_OF]: 'two', [ALLOW_DETACH]: 'true' } };
    const change = { metadata, spec: { taints: [TAINT] } };
    expect(await refusal(await stage.as(username), name, change)).toBeNull();
  },
);

test('a cluster changes its facts in no other way either', async () => {
  const name = 'anyhow';
  await make(name, { region: 'us' }, [TAINT]);
  const agent = await stage.as(CLUSTERS['its agent']);
  const { apiVersion, kind, plural } = MANAGED_CLUSTER;
  const path = `/apis/${apiVersion}/${plural}/${name}`;
  const codeOf = (call: Promise<unknown>): Promise<number | null> =>
    call.then(
      () => null,
      (error: unknown) => (error as { code: number }).code,
    );
  const applied = { apiVersion, kind, metadata: { name, labels: { region: 'eu' } } };
  const operations = [{ op: 'remove', path: '/spec/taints' }];
  const asJson = { body: operations, contentType: 'application/json-patch+json' };
  expect(await codeOf(agent.apply(MANAGED_CLUSTER, applied, { fieldManager: 'x', force: true }))).toBe(403);
  expect(await codeOf(agent.raw('PATCH', path, asJson))).toBe(403);
  expect(await codeOf(agent.raw('PATCH', `${path}?dryRun=All`, asJson))).toBe(403);
  const live = await stage.kube.get<KubeObject & { spec: object }>(MANAGED_CLUSTER, keyOf(name));
  const bare = { ...live, metadata: { name, resourceVersion: live?.metadata.resourceVersion } };
  expect(await codeOf(agent.raw('PUT', path, { body: bare }))).toBe(403);
  // A cluster that is made anew under its name brings nothing that was not there.
  await stage.kube.remove(MANAGED_CLUSTER, keyOf(name));
  expect(await codeOf(agent.apply(MANAGED_CLUSTER, applied, { fieldManager: 'x', force: true }))).toBe(403);
});

test('the policy refuses while no webhook answers, and lets go on what is no change of facts', async () => {
  await make('alone', { region: 'us' }, [TAINT]);
  const agent = await stage.as(CLUSTERS['its agent']);
  await stage.without(async () => {
    for (const [, change] of CHANGES) expect(await refusal(agent, 'alone', change)).toBe(403);
    expect(await refusal(agent, 'alone', { metadata: { annotations: { note: 'two' } } })).toBeNull();
  });
});

test('the webhook refuses where there is no policy, and whatever it would not answer is refused', async () => {
  await make('webhook', { region: 'us' }, [TAINT]);
  const agent = await stage.as(CLUSTERS['its agent']);
  const change = { metadata: { labels: { region: 'eu' } } };
  const probe = () =>
    eventually(async () => ((await refusal(agent, 'webhook', change)) === 422 ? true : undefined));
  await withoutPolicy(probe, async () => {
    for (const [, one] of CHANGES) expect(await refusal(agent, 'webhook', one)).toBe(422);
    expect(await refusal(agent, 'webhook', { metadata: { annotations: { note: 'three' } } })).toBeNull();
    await stage.without(async () => {
      for (const [, one] of CHANGES) expect(await refusal(agent, 'webhook', one)).not.toBeNull();
    });
  });
});
