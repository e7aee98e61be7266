// Applying a Capp's work on a real API server: applying it twice is the same as once, and every refusal is
// reported.
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { CONFIG_MAP, EVENT, SECRET, type Event } from '../../../../crds/kubernetes/core.ts';
import {
  CAPP_KEY,
  CAPP_NAME,
  CAPP_NAMESPACE,
  CAPP_UID,
  FINALIZER,
  INCARNATION,
  PAUSED,
  ROLLOUT,
} from '../../../../crds/labels.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { startHub, APPS, type HubForTests } from '../../../support/testbeds/hub/hub.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
}, 300_000);
afterAll(() => stage?.stop());

const secret = (name: string, value: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: APPS, name },
  data: { value: btoa(value) },
});

test('a work carries namespace, secrets, config maps and the Capp, in the order in which a site can apply them', async () => {
  await stage.kube.create(SECRET, secret('s', 'one'));
  await stage.kube.create(CONFIG_MAP, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: APPS, name: 'c' },
  });
  const envFrom = [
    { secretRef: { name: 's' } },
    { configMapRef: { name: 'c' } },
    { secretRef: { name: 'absent', optional: true } },
  ];
  const ref = await stage.make({ name: 'carried', container: { envFrom } });
  const { applied } = await stage.ship(ref);
  const work = await stage.work(ref);
  expect(work?.spec?.workload.manifests?.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    `Namespace ${APPS}`,
    'Secret s',
    'ConfigMap c',
    'Capp carried',
  ]);
  expect(applied).toMatchObject({ outcome: 'Applied', created: true, generation: 1 });
  expect(work?.metadata.labels).toMatchObject({ [CAPP_UID]: ref.uid, [CAPP_KEY]: expect.any(String) });
  expect((await stage.read(ref)).metadata.finalizers).toContain(FINALIZER);
});

test('applying twice is the same as applying once, and writes nothing more', async () => {
  const ref = await stage.make({ name: 'twice' });
  const first = await stage.ship(ref);
  const [work, capp] = [await stage.work(ref), await stage.read(ref)];
  const again = await stage.ship(ref);
  const third = await stage.ship(ref, again.state);
  expect(again.applied).toMatchObject({ outcome: 'Applied', created: false });
  expect(third.applied).toMatchObject({ stamp: (first.applied as { stamp: string }).stamp });
  expect((await stage.work(ref))?.metadata.resourceVersion).toBe(work?.metadata.resourceVersion);
  expect((await stage.read(ref)).metadata.resourceVersion).toBe(capp.metadata.resourceVersion);
});

test('defaults that the API server adds to a work cause no write, and a new workflow writes no status', async () => {
  const ref = await stage.make({ name: 'defaulted' });
  await stage.ship(ref);
  const key = { namespace: 'site-1', name: `mw-create-${APPS}-defaulted` };
  const [config] = (await stage.work(ref))?.spec?.manifestConfigs ?? [];
  await stage.kube.patch(MANIFEST_WORK, key, {
    spec: { manifestConfigs: [{ ...config, feedbackScrapeType: 'Poll' }] },
  });
  await stage.kube.patch(CAPP, ref, { status: { conditions: [] } }, { subresource: 'status' });
  const [work, capp] = [await stage.work(ref), await stage.read(ref)];
  expect((await stage.ship(ref)).applied).toMatchObject({ outcome: 'Applied', created: false });
  expect(await stage.work(ref)).toEqual(work);
  expect((await stage.read(ref)).status).toEqual(capp.status);
});

test('an edit and a changed Secret give new stamps with the same incarnation', async () => {
  await stage.kube.create(SECRET, secret('changing', 'one'));
  const ref = await stage.make({
    name: 'edited',
    container: { envFrom: [{ secretRef: { name: 'changing' } }] },
  });
  const stamps = [];
  let { applied, state } = await stage.ship(ref);
  stamps.push((applied as { stamp: string }).stamp);
  await stage.kube.patch(SECRET, { namespace: APPS, name: 'changing' }, { data: { value: btoa('two') } });
  ({ applied, state } = await stage.ship(ref, state));
  stamps.push((applied as { stamp: string }).stamp);
  await stage.kube.patch(CAPP, ref, { spec: { state: 'disabled' } });
  ({ applied, state } = await stage.ship(ref, state));
  stamps.push((applied as { stamp: string }).stamp);
  expect(new Set(stamps).size).toBe(3);
  expect(new Set(stamps.map((stamp) => stamp.split('/')[3])).size).toBe(1);
  expect(stamps.map((stamp) => stamp.split('/')[1])).toEqual(['1', '1', '2']);
  const work = await stage.work(ref);
  expect(work?.spec?.workload.manifests?.at(-1)?.metadata.annotations?.[ROLLOUT]).toBe(stamps[2]);
});

test.each<[string, object, object, string]>([
  [
    'missing',
    { container: { envFrom: [{ secretRef: { name: 'nowhere' } }] } },
    { outcome: 'Refused', reason: 'MissingReference' },
    'Secret nowhere',
  ],
  [
    'heavy',
    { container: { envFrom: [{ secretRef: { name: 'ballast' } }] } },
    { outcome: 'Refused', reason: 'TooLarge' },
    '500 KiB',
  ],
])(
  'a Capp with a missing or too large Secret is refused before it gets a finalizer or a work: %s',
  async (name, wish, outcome, words) => {
    if (name === 'heavy') await stage.kube.create(SECRET, secret('ballast', 'x'.repeat(450_000)));
    const ref = await stage.make({ name, ...wish });
    const { applied } = await stage.ship(ref);
    expect(applied).toMatchObject(outcome);
    expect(JSON.stringify(applied)).toContain(words);
    expect(await stage.work(ref)).toBeNull();
    const capp = await stage.read(ref);
    expect(capp.metadata.finalizers ?? []).toEqual([]);
    expect(capp.status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
      status: 'False',
      reason: (outcome as { reason: string }).reason,
    });
  },
);

test('a paused Capp gets no work', async () => {
  const ref = await stage.make({ name: 'paused' });
  await stage.kube.patch(CAPP, ref, { metadata: { annotations: { [PAUSED]: 'true' } } });
  expect((await stage.ship(ref)).applied).toMatchObject({ outcome: 'Paused' });
  expect(await stage.work(ref)).toBeNull();
});

test('an apply of a paused Capp says when the work that it had is gone', async () => {
  const ref = await stage.make({ name: 'paused-later' });
  const { state } = await stage.ship(ref);
  await stage.kube.patch(CAPP, ref, { metadata: { annotations: { [PAUSED]: 'true' } } });
  expect((await stage.ship(ref, state)).applied).not.toHaveProperty('isGone');
  const work = { namespace: 'site-1', name: `mw-create-${APPS}-paused-later` };
  await stage.kube.patch(MANIFEST_WORK, work, { metadata: { finalizers: null } });
  await stage.kube.remove(MANIFEST_WORK, work);
  expect((await stage.ship(ref, state)).applied).toMatchObject({ outcome: 'Paused', isGone: true });
});

test('a work that is being deleted is never written to', async () => {
  const ref = await stage.make({ name: 'leaving' });
  const { state } = await stage.ship(ref);
  const key = { namespace: 'site-1', name: `mw-create-${APPS}-leaving` };
  await stage.kube.patch(MANIFEST_WORK, key, { metadata: { finalizers: ['test/hold'] } });
  await stage.kube.remove(MANIFEST_WORK, key);
  const before = await stage.work(ref);
  expect((await stage.ship(ref, state)).applied).toMatchObject({ outcome: 'Leaving' });
  expect((await stage.ship(ref)).applied).toMatchObject({ outcome: 'Leaving' });
  expect(await stage.work(ref)).toEqual(before);
  await stage.kube.patch(MANIFEST_WORK, key, { metadata: { finalizers: null } });
  const after = await stage.ship(ref);
  expect(after.applied).toMatchObject({ outcome: 'Applied', created: true });
  const stamps = [
    before?.metadata.annotations?.[INCARNATION],
    (await stage.work(ref))?.metadata.annotations?.[INCARNATION],
  ];
  expect(stamps[0]).not.toBe(stamps[1]);
});

test('nothing is applied for a Capp that is gone, is being deleted, or has another uid', async () => {
  const ref = await stage.make({ name: 'gone' });
  expect((await stage.ship({ ...ref, uid: 'another' })).applied).toEqual({
    outcome: 'Replaced',
    uid: ref.uid,
  });
  await stage.kube.patch(CAPP, ref, { metadata: { finalizers: ['test/hold'] } });
  await stage.kube.remove(CAPP, ref);
  expect((await stage.ship(ref)).applied).toEqual({ outcome: 'Deleted' });
  await stage.kube.patch(CAPP, ref, { metadata: { finalizers: null } });
  expect((await stage.ship(ref)).applied).toEqual({ outcome: 'Deleted' });
  expect(await stage.work(ref)).toBeNull();
});

test('W15 a Capp whose work name is taken by another Capp gets a work with a hashed name', async () => {
  const ref = await stage.make({ name: 'taken' });
  const name = `mw-create-${APPS}-taken`;
  const annotations = { 'rcs.dana.io/capp-namespace': 'other', 'rcs.dana.io/capp-name': 'one' };
  const spec = { workload: { manifests: [] } };
  await stage.kube.create<ManifestWork>(MANIFEST_WORK, {
    apiVersion: MANIFEST_WORK.apiVersion,
    kind: 'ManifestWork',
    metadata: { namespace: 'site-1', name, annotations },
    spec,
  });
  const { state } = await stage.ship(ref);
  expect((await stage.ship(ref, state)).applied).toMatchObject({ outcome: 'Applied', created: false });
  const { items } = await stage.kube.list<ManifestWork>(MANIFEST_WORK, {
    namespace: 'site-1',
    labelSelector: `${CAPP_UID}=${ref.uid}`,
  });
  expect(items).toHaveLength(1);
  expect(items[0]?.metadata.name).toMatch(/^mw-create-[0-9a-f]{40}$/);
});

test('an older field that has no effect causes a Warning event, once', async () => {
  const logSpec = {
    type: 'elastic',
    host: 'h',
    index: 'i',
    user: 'new',
    username: 'old',
    passwordSecret: 'p',
  };
  const ref = await stage.make({ name: 'aliased', spec: { logSpec } });
  const { state } = await stage.ship(ref);
  await stage.ship(ref, state);
  await stage.events.queue.idle();
  const { items } = await stage.kube.list<Event>(EVENT, { namespace: APPS });
  const warnings = items.filter(
    ({ regarding, reason }) => regarding.name === 'aliased' && reason === 'FieldIgnored',
  );
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatchObject({ type: 'Warning', note: expect.stringContaining('username') });
  const shipped = (await stage.work(ref))?.spec?.workload.manifests?.at(-1) as unknown as Capp;
  expect(shipped.spec.logSpec).toMatchObject({ user: 'new' });
  expect(shipped.spec.logSpec).not.toHaveProperty('username');
});

test("W15 a work that has lost the annotations with its Capp's name is found by its label, and gets them back", async () => {
  const ref = await stage.make({ name: 'untagged' });
  const { state } = await stage.ship(ref);
  const before = await stage.work(ref);
  const key = { namespace: 'site-1', name: before?.metadata.name ?? '' };
  await stage.kube.patch(MANIFEST_WORK, key, {
    metadata: { annotations: { [CAPP_NAME]: null, [CAPP_NAMESPACE]: null } },
  });
  expect((await stage.ship(ref, state)).applied).toMatchObject({ outcome: 'Applied', created: false });
  expect((await stage.work(ref))?.metadata.annotations).toEqual(before?.metadata.annotations);
  const { items } = await stage.kube.list<ManifestWork>(MANIFEST_WORK, {
    namespace: 'site-1',
    labelSelector: `${CAPP_UID}=${ref.uid}`,
  });
  expect(items).toHaveLength(1);
});
