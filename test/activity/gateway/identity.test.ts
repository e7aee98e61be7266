// The identity of a site's agent: made by the hub, shipped in a work, taken by a gateway, and kept young.
import { hubIdentify } from '../../../activities/hub/identity/identify.ts';
import { trustIn } from '../../../activities/hub/identity/identity-work.ts';
import {
  AGENT_ACCOUNT,
  GATEWAY_CERTIFICATE,
  IDENTITY_FORM,
  identitySecret,
  IDENTITY_WORK,
} from '../../../crds/hub/agent-identity.ts';
import { SECRET, SERVICE_ACCOUNT, type Secret } from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, MANIFEST_WORK, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { startGateway, type GatewayForTests } from '../../support/testbeds/door/gateway.ts';
import { codeOf } from '../../support/testbeds/door/gateway-calls.ts';

const HOUR = 3_600_000;
const CERTIFICATE = { namespace: 'cappstan-system', name: GATEWAY_CERTIFICATE };

let stage: GatewayForTests;
beforeAll(async () => {
  stage = await startGateway(['site-1', 'site-2', 'site-3', 'site-4', 'site-5', 'site-6']);
  await stage.kube.create<Secret>(SECRET, { metadata: CERTIFICATE, data: { 'ca.crt': btoa('first') } });
}, 300_000);
afterAll(() => stage?.stop());

const identityAt = (now: number, gateway: typeof CERTIFICATE | null = CERTIFICATE) =>
  hubIdentify({ kube: stage.kube, hubId: 'hub-1', siteNamespace: 'agents', gateway, now: () => now });

async function workOf(site: string): Promise<ManifestWork & KubeObject> {
  const key = { namespace: site, name: IDENTITY_WORK };
  const found = await stage.kube.get<ManifestWork & KubeObject>(MANIFEST_WORK, key);
  if (found === null) throw new Error(`${site} has no identity`);
  return found;
}

function tokenIn({ spec }: ManifestWork): string {
  const [secret] = spec?.workload.manifests ?? [];
  const { token = '' } = (secret?.['data'] ?? {}) as { readonly token?: string };
  return atob(token);
}

test('the work brings a Secret to the agent, whose token the gateway takes, and the answer does not contain it', async () => {
  const made = await identityAt(Date.now()).identify('site-1');
  expect(made).toMatchObject({ outcome: 'Made' });
  const work = await workOf('site-1');
  const [secret] = work.spec?.workload.manifests ?? [];
  expect(secret?.metadata).toMatchObject({
    namespace: 'agents',
    name: identitySecret('hub-1'),
    labels: { 'rcs.dana.io/hub': 'hub-1', 'rcs.dana.io/managed-by': 'rcs' },
  });
  expect(trustIn(work)).toBe('first');
  const token = tokenIn(work);
  const agent = await stage.as(token);
  expect(await codeOf(agent.workflowService.getSystemInfo({}))).toBe('OK');
  expect(JSON.stringify([made, work.metadata])).not.toContain(token);
});

test('a work that brings the Secret of an earlier version is written again, however young its token is', async () => {
  await identityAt(Date.now()).identify('site-6');
  const { metadata, spec } = await workOf('site-6');
  const [secret] = spec?.workload.manifests ?? [];
  const former = { ...secret, metadata: { ...secret?.metadata, name: IDENTITY_WORK } };
  const key = { namespace: 'site-6', name: metadata.name };
  await stage.kube.patch(MANIFEST_WORK, key, { spec: { workload: { manifests: [former] } } });
  expect(await identityAt(Date.now()).identify('site-6')).toMatchObject({ outcome: 'Made' });
  expect((await workOf('site-6')).spec?.workload.manifests?.[0]?.metadata.name).toBe(identitySecret('hub-1'));
});

test('a work that does not say its form is written again, once', async () => {
  await identityAt(Date.now()).identify('site-6');
  const key = { namespace: 'site-6', name: IDENTITY_WORK };
  await stage.kube.patch(MANIFEST_WORK, key, { metadata: { annotations: { [IDENTITY_FORM]: null } } });
  expect(await identityAt(Date.now()).identify('site-6')).toMatchObject({ outcome: 'Made' });
  expect(await identityAt(Date.now()).identify('site-6')).toMatchObject({ outcome: 'Kept' });
});

test('nothing is written while the token is young, and a new one is made when half of its life is over', async () => {
  const begin = Date.now();
  await identityAt(begin).identify('site-2');
  const first = await workOf('site-2');
  for (const later of [0, HOUR, 11 * HOUR])
    expect(await identityAt(begin + later).identify('site-2')).toMatchObject({ outcome: 'Kept' });
  expect((await workOf('site-2')).metadata.resourceVersion).toBe(first.metadata.resourceVersion);
  expect(await identityAt(begin + 12 * HOUR + 60_000).identify('site-2')).toMatchObject({ outcome: 'Made' });
  const second = await workOf('site-2');
  expect([second.metadata.uid, tokenIn(second)]).toEqual([
    first.metadata.uid,
    expect.not.stringMatching(tokenIn(first)),
  ]);
});

test('a site that does not trust the certificate of the gateway yet gets its authority at once, and a mark that a site has broken counts as none', async () => {
  const begin = Date.now();
  await identityAt(begin).identify('site-2');
  await stage.kube.patch(SECRET, CERTIFICATE, { data: { 'ca.crt': btoa('second') } });
  expect(await identityAt(begin).identify('site-2')).toMatchObject({ outcome: 'Made' });
  expect(trustIn(await workOf('site-2'))).toBe('second');
  await stage.kube.patch(
    MANIFEST_WORK,
    { namespace: 'site-2', name: IDENTITY_WORK },
    { metadata: { annotations: { 'rcs.dana.io/identity-made-at': 'never' } } },
  );
  expect(await identityAt(begin).identify('site-2')).toMatchObject({ outcome: 'Made' });
});

test('before the gateway has its certificate nothing is made, and the next try makes it', async () => {
  const gone = { namespace: 'cappstan-system', name: 'not-there-yet' };
  await expect(identityAt(Date.now(), gone).identify('site-3')).rejects.toThrow(
    'Secret cappstan-system/not-there-yet, with the certificate of the gateway, is not there yet',
  );
  await expect(workOf('site-3')).rejects.toThrow('site-3 has no identity');
});

test('two tries at one time leave one work with a token that counts', async () => {
  const tries = [1, 2].map(() => identityAt(Date.now()).identify('site-3'));
  const outcomes = await Promise.allSettled(tries);
  expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
  const agent = await stage.as(tokenIn(await workOf('site-3')));
  expect(await codeOf(agent.workflowService.getSystemInfo({}))).toBe('OK');
});

test.each([
  ['site-4', 'of today'],
  ['site-6', 'of an earlier version, without an owner,'],
])('%s, made again under its name, does not let in by an account %s', async (site, kind) => {
  await identityAt(Date.now()).identify(site);
  const earlier = tokenIn(await workOf(site));
  // It was in, and what the gateway knows of it counts for a minute.
  expect(await codeOf((await stage.as(earlier)).workflowService.getSystemInfo({}))).toBe('OK');
  if (kind !== 'of today')
    await stage.kube.patch(
      SERVICE_ACCOUNT,
      { namespace: site, name: AGENT_ACCOUNT },
      { metadata: { ownerReferences: null } },
    );
  // As OCM does when a cluster is deleted: its works go, and its namespace stays.
  await stage.kube.remove(MANIFEST_WORK, { namespace: site, name: IDENTITY_WORK });
  await stage.kube.remove(MANAGED_CLUSTER, { namespace: null, name: site });
  await stage.accept(site);
  expect(await identityAt(Date.now()).identify(site)).toMatchObject({ outcome: 'Made' });
  const codes = [earlier, tokenIn(await workOf(site))].map(async (token) => {
    const agent = await stage.as(token);
    return codeOf(agent.workflowService.getSystemInfo({}));
  });
  expect(await Promise.all(codes)).toEqual(['UNAUTHENTICATED', 'OK']);
});

test('an account that an earlier version made without an owner is kept, and gets one', async () => {
  const account = { namespace: 'site-5', name: AGENT_ACCOUNT };
  const begin = Date.now();
  await identityAt(begin).identify('site-5');
  const former = await stage.kube.patch<KubeObject>(SERVICE_ACCOUNT, account, {
    metadata: { ownerReferences: null },
  });
  const token = tokenIn(await workOf('site-5'));
  expect(await identityAt(begin + 13 * HOUR).identify('site-5')).toMatchObject({ outcome: 'Made' });
  const cluster = await stage.kube.get<KubeObject>(MANAGED_CLUSTER, { namespace: null, name: 'site-5' });
  expect((await stage.kube.get<KubeObject>(SERVICE_ACCOUNT, account))?.metadata).toMatchObject({
    uid: former.metadata.uid,
    ownerReferences: [{ kind: 'ManagedCluster', name: 'site-5', uid: cluster?.metadata.uid }],
  });
  const agent = await stage.as(token);
  expect(await codeOf(agent.workflowService.getSystemInfo({}))).toBe('OK');
});

test('a cluster that is not accepted, one that does not exist, and a hub without a gateway get nothing', async () => {
  expect(await identityAt(Date.now(), null).identify('site-1')).toEqual({ outcome: 'None' });
  expect(await identityAt(Date.now()).identify('kube-system')).toEqual({ outcome: 'None' });
  await stage.accept('site-3', false);
  expect(await identityAt(Date.now() + 13 * HOUR).identify('site-3')).toEqual({ outcome: 'None' });
});
