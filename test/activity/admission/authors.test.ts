// Who asked, on a real API server with the chart's webhook and policies: the user who asked, or nobody; also
// on a Capp that is being deleted, and while no webhook answers.
import { writeChild } from '../../../activities/hub/set/write-child.ts';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import {
  ABANDON,
  FORCE,
  HAS_PLACEMENT,
  HUB_NOTES,
  LAST_UPDATED_BY,
  MIGRATE,
  PAUSED,
  REQUESTED_BY,
  SET_REVISION,
  TAKEN_UP,
  requestedBy,
} from '../../../crds/labels.ts';
import { DRAIN, type Drain } from '../../../crds/drain/drain.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { writtenOf } from '../../../crds/set/child.ts';
import { render, type RenderedChild } from '../../../crds/set/render.ts';
import type { Kube } from '../../../kube/client.ts';
import { capp } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';
import { HUB_USER, startWebhook, type WebhookForTests } from '../../support/servers/chart/webhook.ts';

const NS = 'apps';

const NAMES = [PAUSED, MIGRATE, FORCE, ABANDON];
const VALUES: Readonly<Record<string, readonly [string, string]>> = {
  [PAUSED]: ['true', 'yes'],
  [MIGRATE]: ['#1', '#2'],
  [FORCE]: ['#1', '#2'],
  [ABANDON]: ['site-1', 'site-1,site-2'],
};

let stage: WebhookForTests;
let alice: Kube;
let bob: Kube;
beforeAll(async () => {
  stage = await startWebhook([NS], Date.now());
  [alice, bob] = [await stage.as('alice'), await stage.as('bob')];
  await stage.kube.create(MANAGED_CLUSTER, {
    apiVersion: MANAGED_CLUSTER.apiVersion,
    kind: MANAGED_CLUSTER.kind,
    metadata: { name: 'site-1' },
  });
  // The API server may not trust the webhook's certificate yet.
  const first = await eventually(() =>
    stage.kube.create<Capp>(CAPP, capp({ namespace: NS, name: 'warm-up' })).catch(() => undefined),
  );
  // A policy counts a moment after it was written. The webhook is not asked about the hub worker's writes. A
  // write that changes nothing is refused to nobody.
  const hub = await stage.as(HUB_USER);
  let tries = 0;
  await eventually(() =>
    hub
      .patch(
        CAPP,
        { namespace: NS, name: first.metadata.name },
        annotated({ [requestedBy(PAUSED)]: `user-${(tries += 1)}` }),
      )
      .then(
        () => undefined,
        () => true,
      ),
  );
}, 300_000);
afterAll(() => stage?.stop());
afterEach(() => expect(stage.faults).toEqual([]));

const annotated = (annotations: object) => ({ metadata: { annotations } });
const keyOf = (name: string) => ({ namespace: NS, name });

async function made(name: string, { going = false } = {}): Promise<void> {
  await stage.kube.create(CAPP, capp({ namespace: NS, name }));
  if (going) await stage.kube.remove(CAPP, keyOf(name));
}

async function after(
  user: Kube,
  name: string,
  annotations: object,
): Promise<Readonly<Record<string, string>>> {
  const next = await user.patch<Capp>(CAPP, keyOf(name), annotated(annotations));
  return next.metadata.annotations ?? {};
}

// The policy's refusal; a webhook that does not answer is a 500.
const REFUSED = { code: 403, reason: 'Forbidden' };

describe.each([
  ['a Capp', false],
  ['a Capp that is being deleted', true],
] as const)('%s', (_, going) => {
  it.each(NAMES)('records who wrote %s, and nobody else can', async (request) => {
    const name = `said-${request.split('/')[1]}-${going ? 'going' : 'there'}`;
    await made(name, { going });
    const by = requestedBy(request);
    const [one, two] = VALUES[request] ?? ['', ''];
    expect(await after(alice, name, { [request]: one, [by]: 'mallory' })).toMatchObject({ [by]: 'alice' });
    expect(await after(bob, name, { [by]: 'mallory' })).toMatchObject({ [by]: 'alice' });
    expect(await after(bob, name, { [by]: null })).toMatchObject({ [by]: 'alice' });
    expect(await after(bob, name, { other: 'annotation' })).toMatchObject({ [by]: 'alice' });
    expect(await after(bob, name, { [request]: two })).toMatchObject({ [by]: 'bob' });
    expect(await after(bob, name, { [request]: null })).not.toHaveProperty([by]);
  });
});

test('what the hub notes of copies and of sets is written by the hub alone, on a Capp that goes, too, and while no webhook answers', async () => {
  const hub = await stage.as(HUB_USER);
  const forged = HUB_NOTES.map((note) => ({ [note]: 'site-9' }));
  const noted = Object.fromEntries(HUB_NOTES.map((note, index) => [note, `site-${index}`]));
  await made('marked');
  for (const one of forged)
    for (const name of Object.keys(one)) expect(await after(bob, 'marked', one)).not.toHaveProperty([name]);
  expect(await after(hub, 'marked', noted)).toMatchObject(noted);
  for (const one of [...forged, Object.fromEntries(HUB_NOTES.map((note) => [note, null]))])
    expect(await after(bob, 'marked', one)).toMatchObject(noted);
  await stage.kube.remove(CAPP, keyOf('marked'));
  for (const one of forged) await expect(after(bob, 'marked', one)).rejects.toMatchObject(REFUSED);
  await stage.without(async () => {
    for (const one of forged) await expect(after(bob, 'marked', one)).rejects.toMatchObject(REFUSED);
    expect(await after(bob, 'marked', { other: 'annotation' })).toMatchObject(noted);
    expect(await after(hub, 'marked', { [TAKEN_UP]: null })).not.toHaveProperty([TAKEN_UP]);
  });
});

test('who edits what a set has noted leaves it as it is, and keeps the set from nothing that it writes next', async () => {
  const hub = await stage.as(HUB_USER);
  const made = aSet('shop', { sites: { clusters: ['site-1'] } }, NS);
  const set = { ...made, metadata: { ...made.metadata, uid: 'set-uid' } };
  const { spec, ...marks } = render(set.spec, { cluster: 'site-1', labels: {} }) as RenderedChild;
  // No RCSConfig is there that lets anybody name a site.
  const rendered = { ...marks, spec: { ...spec, site: undefined } } as unknown as RenderedChild;
  const key = keyOf('shop-site-1');
  const write = async (revision: string) => {
    const child = await hub.get<Capp>(CAPP, key);
    const wanted = { set, cluster: 'site-1', name: key.name, child, revision, rendered };
    return [(await writeChild(hub, wanted, Date.now())).is, writtenOf((await live()).metadata)?.revision];
  };
  const live = async () => (await hub.get<Capp>(CAPP, key)) ?? capp(key);
  expect(await write('r1')).toEqual(['there', 'r1']);
  await alice.patch<Capp>(CAPP, key, annotated({ [SET_REVISION]: 'r9' }), {
    fieldManager: 'kubectl-annotate',
  });
  expect(writtenOf((await live()).metadata)?.revision).toBe('r1');
  expect(await write('r2')).toEqual(['there', 'r2']);
});

test('where the hub has put copies stays as it is, however an edit comes', async () => {
  const hub = await stage.as(HUB_USER);
  const name = 'edited-anyhow';
  await made(name);
  const noted = { [HAS_PLACEMENT]: 'site-1', [TAKEN_UP]: 'site-2' };
  const forged = { [HAS_PLACEMENT]: 'site-9', [TAKEN_UP]: 'site-9' };
  await after(hub, name, noted);
  const path = `/apis/${CAPP.apiVersion}/namespaces/${NS}/capps/${name}`;
  const { apiVersion, kind } = CAPP;
  const applied = { apiVersion, kind, metadata: { ...keyOf(name), annotations: forged } } as unknown as Capp;
  const put = async (): Promise<unknown> => {
    const live = await bob.get<Capp>(CAPP, keyOf(name));
    const body = { ...live, metadata: { ...live?.metadata, annotations: forged } };
    return bob.raw('PUT', `${path}/status`, { body });
  };
  const pointers = Object.entries(forged).map(([note, value]) => ({
    op: 'replace',
    path: `/metadata/annotations/${note.replace('/', '~1')}`,
    value,
  }));
  const ways: (() => Promise<unknown>)[] = [
    () => bob.apply<Capp>(CAPP, applied, { fieldManager: 'cappstan', force: true }),
    () => bob.raw('PATCH', path, { body: pointers, contentType: 'application/json-patch+json' }),
    put,
    () =>
      bob.raw('PATCH', `${path}?dryRun=All`, {
        body: annotated(forged),
        contentType: 'application/merge-patch+json',
      }),
  ];
  for (const way of ways) expect(await way()).toMatchObject({ metadata: { annotations: noted } });
  expect(await hub.get<Capp>(CAPP, keyOf(name))).toMatchObject({ metadata: { annotations: noted } });
});

test('whoever replaces a Capp without any annotations is named all the same, and what the hub noted stays', async () => {
  const hub = await stage.as(HUB_USER);
  await made('replaced');
  await after(hub, 'replaced', { [HAS_PLACEMENT]: 'site-1' });
  const live = await bob.get<Capp>(CAPP, keyOf('replaced'));
  if (live === null) throw new Error('there is no Capp');
  const { name, namespace, resourceVersion } = live.metadata;
  const body = {
    ...live,
    metadata: { name, namespace, resourceVersion },
    spec: { ...live.spec, state: 'disabled' },
  };
  const path = `/apis/${CAPP.apiVersion}/namespaces/${NS}/capps/replaced`;
  const next = (await bob.raw('PUT', path, { body })) as Capp;
  expect(next.metadata.annotations).toEqual({ [LAST_UPDATED_BY]: 'bob', [HAS_PLACEMENT]: 'site-1' });
});

test('while no webhook answers, nobody is named who did not ask, also on a Capp that is being deleted', async () => {
  await made('alone');
  await after(alice, 'alone', { [ABANDON]: 'site-1' });
  await stage.kube.remove(CAPP, keyOf('alone'));
  const by = requestedBy(ABANDON);
  await stage.without(async () => {
    await expect(after(bob, 'alone', { [by]: 'mallory' })).rejects.toMatchObject(REFUSED);
    await expect(after(bob, 'alone', { [ABANDON]: 'site-1,site-2' })).rejects.toMatchObject(REFUSED);
    await expect(
      after(bob, 'alone', { [PAUSED]: 'true', [requestedBy(PAUSED)]: 'alice' }),
    ).rejects.toMatchObject(REFUSED);
    expect(await after(bob, 'alone', { [ABANDON]: 'site-2', [by]: null })).not.toHaveProperty([by]);
    expect(await after(bob, 'alone', { [ABANDON]: 'site-1', [by]: 'bob' })).toMatchObject({ [by]: 'bob' });
    expect(await after(alice, 'alone', { [ABANDON]: null })).toMatchObject({ [by]: 'bob' });
  });
});

test('while no webhook answers, nobody changes who changed a Capp or created a Drain', async () => {
  await made('edited');
  const drain = {
    apiVersion: DRAIN.apiVersion,
    kind: DRAIN.kind,
    metadata: { name: 'site-1', finalizers: ['test/hold'] },
  };
  await alice.create<Drain>(DRAIN, { ...drain, spec: {} } as never);
  const site = { namespace: null, name: 'site-1' };
  await alice.remove(DRAIN, site);
  await stage.kube.remove(CAPP, keyOf('edited'));
  await stage.without(async () => {
    await expect(after(bob, 'edited', { [LAST_UPDATED_BY]: 'mallory' })).rejects.toMatchObject(REFUSED);
    for (const value of ['bob', null])
      await expect(bob.patch(DRAIN, site, annotated({ [REQUESTED_BY]: value }))).rejects.toMatchObject(
        REFUSED,
      );
    await expect(bob.patch(DRAIN, site, annotated({ [LAST_UPDATED_BY]: 'alice' }))).rejects.toMatchObject(
      REFUSED,
    );
  });
  await stage.kube.patch(DRAIN, site, { metadata: { finalizers: null } });
});
