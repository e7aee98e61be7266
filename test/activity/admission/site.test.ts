// The webhook of a site, called by a real API server with the chart's configurations and rights: people are
// checked, and OCM's work agent, which brings what a hub has checked, is let through by its user and by
// nothing else.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { CAPP_CONFIG, CAPP_CONFIG_KEYS } from '../../../crds/capp-config.ts';
import { FINALIZER, LAST_UPDATED_BY, ROLLBACK, ROLLOUT } from '../../../crds/labels.ts';
import { CAPP_REVISION } from '../../../crds/capp-revision.ts';
import { cappRevision } from '../../../site/revisions/capp-revision.ts';
import { pathOf } from '../../../kube/resource.ts';
import { capp } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import type { RawClient, Reply } from '../../support/servers/api/identities.ts';
import { startWebhook, type WebhookForTests } from '../../support/servers/chart/webhook.ts';

const NS = 'team-a';
const AGENT = 'system:serviceaccount:open-cluster-management-agent:klusterlet-work-sa';
/** Somebody's own account in their own namespace, with the agent's name. */
const PRETENDER = `system:serviceaccount:${NS}:klusterlet-work-sa`;
const STAMP = { [ROLLOUT]: 'uid/1/hash/1' };
const CAPPS = pathOf(CAPP, { namespace: NS, name: null });
const at = (name: string): string => pathOf(CAPP, { namespace: NS, name });

let stage: WebhookForTests;
let [agent, alice, pretender] = [] as unknown as [RawClient, RawClient, RawClient];
beforeAll(async () => {
  stage = await startWebhook([NS, CAPP_CONFIG_KEYS[0]?.namespace ?? ''], Date.now(), {
    side: 'site',
    values: { 'site.workAgents[0]': AGENT },
  });
  [agent, alice, pretender] = await Promise.all([
    stage.rawAs(AGENT),
    stage.rawAs('alice'),
    stage.rawAs(PRETENDER),
  ]);
  await stage.kube.create(CAPP_CONFIG, {
    metadata: CAPP_CONFIG_KEYS[0] ?? { name: '' },
    spec: {
      autoscaleConfig: { minReplicasLimit: 10 },
      dnsConfig: { zone: 'apps.example.com.' },
      allowedHostnamePatterns: [{ match: '.*\\.apps\\.example\\.com', explanation: '' }],
      defaultResources: { requests: { cpu: '10m' } },
    },
  } as never);
  // The API server may not trust the webhook's certificate yet, and the webhook may not know the CappConfig.
  await eventually(async () =>
    (await alice('POST', `${CAPPS}?dryRun=All`, tooMany('warm-up'))).code === 422 ? true : undefined,
  );
}, 300_000);
afterAll(() => stage?.stop());
afterEach(() => expect(stage.faults).toEqual([]));

/** Asks for so many replicas. */
const wants = (name: string, minReplicas: number, annotations: Record<string, string> = {}): Capp => {
  const base = capp({ namespace: NS, name });
  return {
    ...base,
    metadata: { ...base.metadata, annotations },
    spec: { ...base.spec, scaleSpec: { minReplicas } },
  };
};
const tooMany = (name: string, annotations: Record<string, string> = {}): Capp =>
  wants(name, 50, annotations);
const MESSAGE =
  "spec.scaleSpec.minReplicas: 50 is above 10, the most that the site's CappConfig allows (minReplicasLimit): lower it, or ask whoever runs the site";
const stored = async (name: string): Promise<Capp> =>
  (await stage.kube.get<Capp>(CAPP, { namespace: NS, name })) as Capp;
const refused = ({ code, message }: Reply): void => {
  expect(message).toContain(MESSAGE);
  expect(code).toBe(422);
};

test('what the work agent of a hub writes is neither checked nor changed, with a stamp or without', async () => {
  for (const [name, annotations] of [
    ['shipped', STAMP],
    ['adopted', {}],
  ] as const) {
    const wanted = tooMany(name, annotations);
    expect((await agent('POST', CAPPS, wanted)).code).toBe(201);
    expect((await agent('PATCH', at(name), { spec: { scaleSpec: { minReplicas: 60 } } })).code).toBe(200);
    const { metadata, spec } = await stored(name);
    const defaults = { state: 'enabled', scaleMetric: 'concurrency' };
    expect(spec).toEqual({ ...defaults, ...wanted.spec, scaleSpec: { minReplicas: 60 } });
    expect([metadata.annotations ?? {}, metadata.finalizers]).toEqual([annotations, undefined]);
  }
});

test('a person’s Capp that asks for too much is refused with the field and what to do, whatever stamp it has', async () => {
  refused(await alice('POST', CAPPS, tooMany('greedy')));
  refused(await alice('POST', CAPPS, tooMany('forged', STAMP)));
  expect((await agent('POST', CAPPS, wants('of-the-hub', 40, STAMP))).code).toBe(201);
  refused(await alice('PATCH', at('of-the-hub'), { spec: { scaleSpec: { minReplicas: 50 } } }));
  const { scaleSpec } = (await stored('of-the-hub')).spec;
  expect(scaleSpec).toEqual({ minReplicas: 40 });
});

test('what Knative reads beside the spec is checked when a person changes it alone', async () => {
  expect((await alice('POST', CAPPS, wants('marked', 1))).code).toBe(201);
  const slow = { 'serving.knative.dev/rollout-duration': 'slowly' };
  const { code, message } = await alice('PATCH', at('marked'), { metadata: { annotations: slow } });
  expect([code, message]).toEqual([422, expect.stringContaining('rollout-duration]: "slowly" is no time')]);
  expect((await agent('PATCH', at('marked'), { metadata: { annotations: slow } })).code).toBe(200);
});

test('an account with the agent’s name in another namespace is nobody', async () => {
  refused(await pretender('POST', CAPPS, tooMany('pretended', STAMP)));
});

test('a person’s Capp gets the site’s default resources and its author, and no finalizer of a hub', async () => {
  expect((await alice('POST', CAPPS, wants('fine', 10))).code).toBe(201);
  const { metadata, spec } = await stored('fine');
  expect(metadata.annotations).toEqual({ [LAST_UPDATED_BY]: 'alice' });
  expect(metadata.finalizers ?? []).not.toContain(FINALIZER);
  expect(spec.configurationSpec.template.spec.containers).toMatchObject([
    { resources: { requests: { cpu: '10m' } } },
  ]);
});

test('of two Capps with one hostname the second is refused, also when it spells the zone and the first does not', async () => {
  const named = (name: string, hostname: string): Capp => {
    const base = wants(name, 1);
    return { ...base, spec: { ...base.spec, routeSpec: { hostname } } };
  };
  expect((await alice('POST', CAPPS, named('first', 'shop'))).code).toBe(201);
  const { code, message } = await alice('POST', CAPPS, named('second', 'shop.apps.example.com'));
  expect([code, message]).toEqual([422, expect.stringContaining(`is taken by Capp ${NS}/first`)]);
});

test('an earlier CappRevision comes back by the same annotation as on a hub', async () => {
  expect((await alice('POST', CAPPS, wants('undone', 1))).code).toBe(201);
  await stage.kube.create(CAPP_REVISION, cappRevision(await stored('undone'), 1));
  expect((await alice('PATCH', at('undone'), { spec: { scaleSpec: { minReplicas: 2 } } })).code).toBe(200);
  const asked = { metadata: { annotations: { [ROLLBACK]: '1#a' } } };
  expect((await alice('PATCH', at('undone'), asked)).code).toBe(200);
  expect((await stored('undone')).spec.scaleSpec).toEqual({ minReplicas: 1 });
});

test('W-64 while no webhook answers, the hub goes on shipping, and people may label and delete', async () => {
  expect((await alice('POST', CAPPS, wants('waiting', 1))).code).toBe(201);
  await stage.without(async () => {
    expect((await agent('POST', CAPPS, tooMany('meanwhile', STAMP))).code).toBe(201);
    expect((await alice('POST', CAPPS, wants('new', 1))).code).toBe(500);
    expect((await alice('PATCH', at('waiting'), { metadata: { labels: { a: 'b' } } })).code).toBe(200);
    expect((await alice('DELETE', at('waiting'))).code).toBe(200);
  });
});
