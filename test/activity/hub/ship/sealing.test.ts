// Secrets that go to a site only sealed, on a real API server: what a reader of works sees, what is written
// again, and what happens when the option is switched.
import { generateKeyPairSync } from 'node:crypto';
import { hubApply } from '../../../../activities/hub/ship/apply.ts';
import { HUB_KEY } from '../../../../activities/hub/ship/hub-key.ts';
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { RCS_CONFIG, type RcsConfig } from '../../../../crds/hub/rcs-config.ts';
import { SALT, SEALED, SEEN_BY_INGRESS } from '../../../../crds/labels.ts';
import { MANAGED_CLUSTER, type Manifest, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { opened, type CappSecretSpec } from '../../../../crds/sealing/capp-secret.ts';
import { publicBytesOf } from '../../../../crds/sealing/hpke.ts';
import { claimText, SEALING_CLAIM } from '../../../../crds/sealing/site-key.ts';
import { withApplied } from '../../../../workflows/capp/after/apply.ts';
import type { CappRef, State } from '../../../../workflows/capp/state.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { aPlacing } from '../../../support/builders/states.ts';
import { APPS, startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { warranted } from '../../../support/testbeds/hub/warranted.ts';

const SITE = { namespace: null, name: 'site-1' };
const PLACE = 'rcs-deployer-system';
const CANARY = 'canary-of-a-sealed-value';
const keys = () => generateKeyPairSync('x25519').privateKey;
const siteKey = keys();

let stage: HubForTests;
let hub: ReturnType<typeof hubApply>;
let sealing: 'Off' | 'Required' | null;
beforeAll(async () => {
  stage = await startHub();
  const { kube, events, audit, caches } = stage;
  const config = (): RcsConfig | undefined =>
    sealing === null
      ? undefined
      : {
          ...RCS_CONFIG,
          metadata: { name: 'rcs-config' },
          spec: { secrets: { sealing } } as RcsConfig['spec'],
        };
  hub = hubApply({ kube, events, audit, ...warranted(caches), sealing: { config, namespace: PLACE } });
  await kube.create(MANAGED_CLUSTER, {
    apiVersion: MANAGED_CLUSTER.apiVersion,
    kind: MANAGED_CLUSTER.kind,
    metadata: { name: SITE.name },
  });
}, 300_000);
afterAll(() => stage?.stop());
beforeEach(async () => {
  sealing = 'Required';
  await claims(claimText(publicBytesOf(siteKey)));
});

async function claims(value: string | null): Promise<void> {
  const clusterClaims = value === null ? [] : [{ name: SEALING_CLAIM, value }];
  await stage.kube.patch(MANAGED_CLUSTER, SITE, { status: { clusterClaims } }, { subresource: 'status' });
  await eventually(() => {
    const [claim] = stage.caches.clusters.get(SITE)?.status?.clusterClaims ?? [];
    return (claim?.value ?? null) === value ? true : undefined;
  });
}

async function referring(name: string, value = CANARY): Promise<CappRef> {
  await stage.kube.create(SECRET, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: APPS, name },
    data: { password: btoa(value) },
  });
  return stage.make({ name, container: { envFrom: [{ secretRef: { name } }] } });
}

async function ship(ref: CappRef, state: State = aPlacing(ref)) {
  const applied = await hub.apply(ref, 'site-1', state, null);
  return { applied, state: withApplied(state, 'site-1', applied), work: await stage.work(ref) };
}

const manifestsOf = (work: ManifestWork | null): readonly Manifest[] => work?.spec?.workload.manifests ?? [];
const kindsOf = (work: ManifestWork | null) => manifestsOf(work).map(({ kind }) => kind);
const sealedIn = (work: ManifestWork | null) =>
  manifestsOf(work).find(({ kind }) => kind === 'CappSecret')?.['spec'] as CappSecretSpec;
const plainOf = (work: ManifestWork | null, name: string, key = siteKey) =>
  atob(opened(key, { namespace: APPS, name }, sealedIn(work)).data['password'] ?? '');

/** Raw, in base64, and in the base64 of what is in base64 already. */
function shows(object: unknown): boolean {
  const text = JSON.stringify(object);
  const decoded = [...text.matchAll(/[A-Za-z0-9+/]{16,}={0,2}/g)].map(([found]) =>
    Buffer.from(found, 'base64').toString('latin1'),
  );
  return [text, ...decoded].some((one) => one.includes(CANARY) || one.includes(btoa(CANARY).slice(0, 24)));
}

test('a work holds a Secret that only its site can read, and the Capp says that it waits for it', async () => {
  const ref = await referring('hidden');
  const { work, applied } = await ship(ref);
  expect(kindsOf(work)).toEqual(['Namespace', 'CappSecret', 'Capp']);
  expect(shows(work)).toBe(false);
  expect(shows(applied)).toBe(false);
  expect(plainOf(work, 'hidden')).toBe(CANARY);
  expect(manifestsOf(work).at(-1)?.metadata.annotations?.[SEALED]).toBe('hidden');
});

test('the same Secret again writes nothing, for another worker too; another value or key writes once', async () => {
  const ref = await referring('again');
  const first = await ship(ref);
  const second = await ship(ref, first.state);
  expect(second.work?.metadata).toEqual(first.work?.metadata);

  await stage.kube.patch(SECRET, { namespace: APPS, name: 'again' }, { metadata: { labels: { a: 'b' } } });
  const third = await ship(ref, second.state);
  expect(third.work?.spec).toEqual(first.work?.spec);

  await stage.kube.patch(SECRET, { namespace: APPS, name: 'again' }, { data: { password: btoa('new') } });
  const fourth = await ship(ref, third.state);
  expect(plainOf(fourth.work, 'again')).toBe('new');

  const other = keys();
  await claims(claimText(publicBytesOf(other)));
  const fifth = await ship(ref, fourth.state);
  expect(plainOf(fifth.work, 'again', other)).toBe('new');
});

test('two Capps with one Secret carry the same bytes, so that their works do not overwrite each other', async () => {
  const one = await referring('both');
  const other = await stage.make({
    name: 'both-too',
    container: { envFrom: [{ secretRef: { name: 'both' } }] },
  });
  expect(sealedIn((await ship(other)).work)).toEqual(sealedIn((await ship(one)).work));
});

test('a Secret that one of two Capps serves as its certificate has the same bytes, and a label there', async () => {
  const one = await referring('cert');
  const routeSpec = { hostname: 'cert.example.com', tlsEnabled: true, tlsSecret: 'cert' };
  const other = await stage.make({ name: 'cert-too', spec: { routeSpec } });
  const works = [(await ship(one)).work, (await ship(other)).work];
  expect(sealedIn(works[1] ?? null)).toEqual(sealedIn(works[0] ?? null));
  const served = works.map((work) =>
    manifestsOf(work).some(({ metadata }) => SEEN_BY_INGRESS in (metadata.labels ?? {})),
  );
  expect(served).toEqual([false, true]);
});

test.each([
  ['no key', null],
  ['what is no key', 'x25519.AAAA'],
  ['a key with which every secret is the same', claimText(Buffer.alloc(32))],
])('a site that claims %s gets nothing, and the Capp says what to do', async (what, claim) => {
  await claims(claim);
  const ref = await referring(`closed-${what.replaceAll(' ', '-')}`);
  const { applied, work, state } = await ship(ref);
  expect(applied).toMatchObject({ outcome: 'Refused', reason: 'NoSealingKey' });
  expect((applied as { message: string }).message).toContain('site-1');
  expect(work).toBeNull();

  await claims(claimText(publicBytesOf(siteKey)));
  const after = await ship(ref, state);
  expect(plainOf(after.work, ref.name)).toBe(CANARY);
});

test('a Capp without Secrets needs no key', async () => {
  await claims(null);
  const { applied } = await ship(await stage.make({ name: 'bare' }));
  expect(applied).toMatchObject({ outcome: 'Applied' });
});

test('switched on, the work changes once: it keeps the Secret by name, unowned and unwritten, so it never falls out', async () => {
  sealing = 'Off';
  const ref = await referring('switched');
  const before = await ship(ref);
  expect(kindsOf(before.work)).toEqual(['Namespace', 'Secret', 'Capp']);
  expect(shows(before.work)).toBe(true);

  sealing = 'Required';
  const on = await ship(ref, before.state);
  expect(kindsOf(on.work)).toEqual(['Namespace', 'Secret', 'CappSecret', 'Capp']);
  expect(shows(on.work)).toBe(false);
  expect(manifestsOf(on.work)[1]).not.toHaveProperty('data');
  const kept = { group: '', resource: 'secrets', namespace: APPS, name: 'switched' };
  expect(on.work?.spec?.manifestConfigs).toContainEqual({
    resourceIdentifier: kept,
    updateStrategy: { type: 'CreateOnly' },
  });
  expect(on.work?.spec?.deleteOption?.selectivelyOrphans?.orphaningRules).toContainEqual(kept);
  expect(on.work?.metadata.generation).toBe((before.work?.metadata.generation ?? 0) + 1);

  const saltOf = (work: typeof on.work): string => work?.metadata.annotations?.[SALT] ?? '';
  expect(saltOf(on.work)).not.toBe(saltOf(before.work));

  const same = await ship(ref, on.state);
  expect(same.work?.metadata).toEqual(on.work?.metadata);

  sealing = 'Off';
  const off = await ship(ref, same.state);
  expect(off.work?.spec).toEqual({
    ...before.work?.spec,
    workload: { manifests: manifestsOf(off.work) },
  });
  expect(kindsOf(off.work)).toEqual(['Namespace', 'Secret', 'Capp']);
  expect(manifestsOf(off.work)[1]).toHaveProperty('data');
});

test.each(['RCSConfig', 'ManagedCluster'])(
  'nothing is sent while the cache has not the %s that rang: an older one may say otherwise of sealing',
  async (kind) => {
    const ref = await referring(`behind-${kind.toLowerCase()}`);
    const state = { ...aPlacing(ref), minimumVersions: { [kind]: '999999999999' } };
    await expect(ship(ref, state)).rejects.toThrow(/caches are behind the change that rang/);
    expect(await stage.work(ref)).toBeNull();
  },
);

test('while there is no RCSConfig, what was sealed stays sealed', async () => {
  const ref = await referring('unconfigured');
  const first = await ship(ref);
  sealing = null;
  const second = await ship(ref, first.state);
  expect(second.work?.metadata).toEqual(first.work?.metadata);
});

test('while there is no RCSConfig, a hub that has sealed sends what is new sealed, too', async () => {
  const first = await ship(await referring('sealed-before'));
  expect(kindsOf(first.work)).toContain('CappSecret');
  sealing = null;
  const next = await ship(await referring('new-meanwhile'));
  expect(kindsOf(next.work)).toContain('CappSecret');
  expect(kindsOf(next.work)).not.toContain('Secret');
});

test("the hub's key is made once and in no work; without it everything is sealed anew, and readable", async () => {
  const ref = await referring('rekeyed');
  const first = await ship(ref);
  const place = { namespace: PLACE, name: HUB_KEY };
  const key = (await stage.kube.get<Secret>(SECRET, place))?.data?.['key'] ?? '';
  expect(key).toHaveLength(44);
  expect(JSON.stringify(first.work)).not.toContain(key);
  await stage.kube.remove(SECRET, place);
  const second = await ship(ref, first.state);
  expect(sealedIn(second.work).sealed).not.toBe(sealedIn(first.work).sealed);
  expect(plainOf(second.work, 'rekeyed')).toBe(CANARY);
});
