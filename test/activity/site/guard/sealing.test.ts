// What the site operator may do with Secrets where sealed ones come, according to a real API server with the
// add-on's roles and admission policies: open those of Capps, and neither read nor write another.
import { randomBytes } from 'node:crypto';
import { CONFIG_MAP, NAMESPACE, SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { CLUSTER_CLAIM, type ClusterClaim } from '../../../../crds/ocm/cluster-claim.ts';
import { CAPP_SECRET, OPENED, sealedFor, type CappSecret } from '../../../../crds/sealing/capp-secret.ts';
import { SEALING_CLAIM, SITE_KEYS, siteKeyOf } from '../../../../crds/sealing/site-key.ts';
import type { Kube } from '../../../../kube/client.ts';
import { ApiError } from '../../../../kube/failure.ts';
import { pathOf, type KubeObject } from '../../../../kube/resource.ts';
import { siteOperator } from '../../../../site/operator.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { serveBare } from '../../../support/servers/api/definitions.ts';
import {
  ADDON,
  make,
  OWNER,
  put,
  SHIPPED,
  startGuardedSite,
  type GuardedSite,
} from '../../../support/testbeds/site/guarded-site.ts';

const SPACE = 'shipped';
const ACCOUNT = `system:serviceaccount:${ADDON}:cappstan-site`;

let site: GuardedSite;
let kube: Kube;
beforeAll(async () => {
  site = await startGuardedSite({ 'addon.sealing.install': 'true' });
  await serveBare(site.cluster.kube, CLUSTER_CLAIM);
  await put(site.person, NAMESPACE, { name: SPACE, labels: SHIPPED });
  kube = await site.cluster.client(ACCOUNT);
  // A policy counts a moment after it was made.
  await eventually(async () => {
    const tried = await make(site.operator, SECRET, { name: 'probe', namespace: SPACE });
    return tried.code === 403 && tried.message.includes('a CappSecret of their name') ? true : undefined;
  });
}, 300_000);
afterAll(() => site?.cluster.stop());

const sealedOwner = (name: string) => ({
  apiVersion: CAPP_SECRET.apiVersion,
  kind: CAPP_SECRET.kind,
  name,
  uid: 'u',
});
const brought = (name: string, rest: object = {}) => ({
  name,
  namespace: SPACE,
  labels: SHIPPED,
  ownerReferences: [sealedOwner(name)],
  ...rest,
});

test('the running site operator makes its keys, claims one and opens what comes, and no policy refuses it', async () => {
  const problems: unknown[] = [];
  const running = siteOperator(kube, {
    place: ADDON,
    onProblem: (_kind, error) => problems.push(error),
    onError: (_key, error) => problems.push(error),
  });
  const admin = site.cluster.kube;
  try {
    const key = await eventually(async () => {
      const at = { namespace: null, name: SEALING_CLAIM };
      const value = (await admin.get<ClusterClaim & KubeObject>(CLUSTER_CLAIM, at))?.spec?.value;
      return value === undefined
        ? undefined
        : (siteKeyOf({ status: { clusterClaims: [{ name: SEALING_CLAIM, value }] } }) ?? undefined);
    });
    const place = { namespace: SPACE, name: 'db' };
    const hubKey = randomBytes(32);
    for (const value of ['one', 'two']) {
      const content = { data: { password: btoa(value) } };
      const object = {
        apiVersion: CAPP_SECRET.apiVersion,
        kind: CAPP_SECRET.kind,
        metadata: { ...place, labels: SHIPPED, ownerReferences: [OWNER] },
        spec: sealedFor(key, place, content, hubKey),
      };
      await admin.apply<CappSecret>(CAPP_SECRET, object, { fieldManager: 'work', force: true });
      await eventually(async () => {
        const secret = await admin.get<Secret>(SECRET, place);
        return secret?.data?.['password'] === btoa(value) ? true : undefined;
      });
    }
    const said = await eventually(async () => {
      const { status, metadata } = (await admin.get<CappSecret>(CAPP_SECRET, place)) ?? {};
      const one = status?.conditions?.find(({ type }) => type === OPENED);
      return one?.observedGeneration === metadata?.generation ? one : undefined;
    });
    expect(said).toMatchObject({ status: 'True' });
    expect(problems.filter((one) => one instanceof ApiError && one.code === 403)).toEqual([]);
  } finally {
    await running.stop();
  }
});

test('a Secret of somebody else is neither shown to the site operator nor changed, however it asks', async () => {
  await put(site.person, SECRET, { name: 'theirs', namespace: SPACE }, { data: { a: btoa('b') } });
  const key = { namespace: SPACE, name: 'theirs' };
  await expect(kube.get(SECRET, key)).rejects.toMatchObject({ code: 403 });
  await expect(kube.list(SECRET, { namespace: SPACE })).rejects.toMatchObject({ code: 403 });
  for (const [type, body] of [
    ['json', []],
    ['json', [{ op: 'test', path: '/metadata/name', value: 'theirs' }]],
    ['merge', {}],
    ['merge', { metadata: brought('theirs') }],
  ] as const)
    await expect(kube.patch(SECRET, key, body, { type })).rejects.toMatchObject({ code: 403 });
  expect(await site.operator('DELETE', pathOf(SECRET, key))).toMatchObject({ code: 403 });
});

test('it makes only Secrets that came sealed: none of another name, of a token, or where no Capp can be', async () => {
  expect((await make(site.operator, SECRET, brought('fine'))).code).toBe(201);
  const refused = [
    await make(site.operator, SECRET, brought('other', { ownerReferences: [sealedOwner('another')] })),
    await make(site.operator, SECRET, brought('unmarked', { labels: {} })),
    await make(
      site.operator,
      SECRET,
      brought('token', { annotations: { 'kubernetes.io/service-account.name': 'default' } }),
      { type: 'kubernetes.io/service-account-token' },
    ),
    await make(site.operator, SECRET, brought('reserved', { namespace: 'kube-system' })),
  ];
  expect(refused.map(({ code }) => code)).toEqual([403, 403, 403, 403]);
});

test('it reads no key of others, and claims nothing but its key', async () => {
  await put(site.person, SECRET, { name: 'near', namespace: ADDON });
  await expect(kube.get(SECRET, { namespace: ADDON, name: 'near' })).rejects.toMatchObject({ code: 403 });
  const claim = { apiVersion: CLUSTER_CLAIM.apiVersion, kind: CLUSTER_CLAIM.kind };
  await expect(kube.create(CLUSTER_CLAIM, { ...claim, metadata: { name: 'region' } })).rejects.toMatchObject({
    code: 403,
  });
  expect((await site.operator('DELETE', pathOf(SECRET, { namespace: ADDON, name: SITE_KEYS }))).code).toBe(
    403,
  );
});

test('a work brings a CappSecret only where Capps of a hub may be', async () => {
  await put(site.person, NAMESPACE, { name: 'closed' });
  await put(site.person, CONFIG_MAP, { name: 'cappstan-namespaces', namespace: ADDON }).catch(
    () => undefined,
  );
  const spec = { spec: { keyId: '0'.repeat(16), sealed: 'AA==' } };
  const metadata = { name: 'db', namespace: 'closed', labels: SHIPPED, ownerReferences: [OWNER] };
  await eventually(async () => {
    const { code, message } = await make(site.agent, CAPP_SECRET, metadata, spec);
    return code === 403 && message.includes('was not made for Capps of a hub') ? true : undefined;
  });
});
