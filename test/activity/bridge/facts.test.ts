// A Capp goes only where spec.requires holds, and by name only where a clusterset is open: from a change in a
// real API server, by the bridge's ring, to the choice that caches make. Sets and Bundles hear the same.
import { listenToPlacing } from '../../../bridge/changes/placing.ts';
import { openingsOf } from '../../../bridge/changes/openings.ts';
import { watchHub, type Watched } from '../../../bridge/changes/watched.ts';
import { keptBundles } from '../../../bridge/fleet/bundles.ts';
import { keptSets } from '../../../bridge/fleet/sets.ts';
import { hubChoose } from '../../../activities/hub/place/choose.ts';
import { AVAILABLE, MANAGED_CLUSTER, MANAGED_CLUSTER_ADD_ON } from '../../../crds/ocm/ocm.ts';
import {
  MANAGED_CLUSTER_SET,
  MANAGED_CLUSTER_SET_BINDING,
  PLACEMENT,
  PLACEMENT_DECISION,
  PLACEMENT_LABEL,
} from '../../../crds/ocm/placements.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import type { Requires } from '../../../crds/capp/spec/requires.ts';
import { BUNDLE } from '../../../crds/bundle/bundle.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { allSynced, stopAll } from '../../../kube/watch/cache.ts';
import { eventually } from '../../../testbed/eventually.ts';
import type { CappRef } from '../../../workflows/capp/state.ts';
import type { Ask, Choice } from '../../../workflows/ports/choice.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import { serveBare } from '../../support/servers/definitions.ts';
import { startHub, type HubForTests } from '../../support/testbeds/hub.ts';

let stage: HubForTests;
let watched: Watched;
let chooser: Pick<Hub, 'choose'>;
/** Capp → the resourceVersion of the cluster for which it was rung last. */
const rings = new Map<string, string>();
/** "<kind> <name>" → the kinds of clustersets and bindings that rang it, with their resourceVersions. */
const openings = new Map<string, Readonly<Record<string, string>>>();
let count = 0;
let stops: (() => void)[] = [];

beforeAll(async () => {
  stage = await startHub();
  await serveBare(stage.kube, MANAGED_CLUSTER_ADD_ON);
  await stage.kube.create(
    RCS_CONFIG,
    make(RCS_CONFIG, RCS_CONFIG_KEY, { spec: { placements: ['all'], placementsNamespace: 'placements' } }),
  );
  await stage.kube.create(PLACEMENT, make(PLACEMENT, { namespace: 'placements', name: 'all' }));
  for (const name of ['site-1', 'site-2']) {
    const spec = { hubAcceptsClient: true };
    await stage.kube.create(MANAGED_CLUSTER, make(MANAGED_CLUSTER, { name }, { spec }));
    await beat(name, 0);
  }
  const page = { namespace: 'placements', name: 'all-1', labels: { [PLACEMENT_LABEL]: 'all' } };
  await stage.kube.create(PLACEMENT_DECISION, make(PLACEMENT_DECISION, page));
  const decisions = ['site-1', 'site-2'].map((clusterName) => ({ clusterName, reason: '' }));
  await stage.kube.patch(PLACEMENT_DECISION, page, { status: { decisions } }, { subresource: 'status' });
  watched = watchHub(stage.kube, RCS_CONFIG_KEY, () => undefined);
  await allSynced(watched);
  const openings = openingsOf(watched);
  stops = listenToPlacing(
    watched,
    (key, cause, changed, kind) => {
      count += 1;
      if (cause === 'decision' && kind === 'ManagedCluster')
        rings.set(key, changed?.metadata.resourceVersion ?? '');
      else opened(`Capp ${key}`, changed, kind ?? null);
    },
    openings,
  );
  for (const kept of [keptSets(watched, openings), keptBundles(watched, openings)])
    stops.push(
      kept.listen(({ metadata }, changed, kind) => opened(`${kept.kind} ${metadata.name}`, changed, kind)),
    );
  chooser = hubChoose({ kube: stage.kube, caches: stage.caches, hubUid: 'hub-uid', config: RCS_CONFIG_KEY });
}, 300_000);
afterAll(async () => {
  for (const stop of stops) stop();
  if (watched !== undefined) await stopAll(watched);
  await stage?.stop();
});

function opened(who: string, changed: KubeObject | null, kind: string | null): void {
  if (kind?.startsWith('ManagedClusterSet') === true)
    openings.set(who, { ...openings.get(who), [kind]: changed?.metadata.resourceVersion ?? '' });
}

const make = (resource: { apiVersion: string; kind: string }, metadata: object, rest: object = {}) =>
  ({ apiVersion: resource.apiVersion, kind: resource.kind, metadata, ...rest }) as never;

const NOTHING: Ask = { minimumVersions: {}, present: null, avoid: {}, works: [], history: null };
const HISTORY = {
  placedFor: '',
  pin: null,
  home: null,
  request: null,
  copies: [],
  annotated: { migrate: null, force: null },
};

/**
 * What the hub chooses because of the last ring, by caches that have seen what rang; as a Capp on `present`.
 */
function answer(ref: CappRef, present: string | null = null): Promise<Choice> {
  return eventually(async () => {
    const version = rings.get(`${ref.namespace}/${ref.name}`);
    if (version === undefined) return undefined;
    const history = present === null ? null : HISTORY;
    const minimumVersions = { ManagedCluster: version };
    const choice = await chooser.choose(ref, { ...NOTHING, minimumVersions, present, history });
    return choice.outcome === 'Behind' ? undefined : choice;
  });
}

const beat = (name: string, number: number) =>
  stage.kube.patch(
    MANAGED_CLUSTER,
    { namespace: null, name },
    { status: { conditions: [{ type: AVAILABLE, status: 'True', message: `beat ${number}` }] } },
    { subresource: 'status' },
  );
const label = (name: string, labels: object) =>
  stage.kube.patch(MANAGED_CLUSTER, { namespace: null, name }, { metadata: { labels } });
const claim = (name: string, claims: Readonly<Record<string, string>>) =>
  stage.kube.patch(
    MANAGED_CLUSTER,
    { namespace: null, name },
    { status: { clusterClaims: Object.entries(claims).map(([key, value]) => ({ name: key, value })) } },
    { subresource: 'status' },
  );

async function aCappAsking(name: string, requires: Requires, migration: object = {}): Promise<CappRef> {
  const ref = await stage.make({ name, spec: { requires, migration } });
  await eventually(() => watched.capps.get({ namespace: 'apps', name }));
  await eventually(async () => (await chooser.choose(ref, NOTHING)).outcome !== 'Absent' || undefined);
  return ref;
}

test.each([
  ['label', { labels: { matchLabels: { region: 'eu' } } }, () => label('site-2', { region: 'eu' })],
  [
    'claim',
    { claims: { matchExpressions: [{ key: 'gpu', operator: 'Exists' as const }] } },
    () => claim('site-2', { gpu: 'nvidia:2', nodes: '3' }),
  ],
])(
  'a Capp waits until a cluster has the %s that it asks for, and goes there',
  async (kind, requires, give) => {
    const ref = await aCappAsking(`waits-for-${kind}`, requires);
    // The chooser's caches follow at their own time.
    await eventually(async () => {
      expect(await chooser.choose(ref, NOTHING)).toMatchObject({
        outcome: 'None',
        reason: 'NoCandidate',
        record: { excluded: [{ reason: 'Unfit', count: 2, failed: expect.stringContaining(kind) }] },
      });
      return true;
    });
    await give();
    expect(await answer(ref)).toMatchObject({
      outcome: 'Chosen',
      cluster: 'site-2',
      record: { excluded: [{ reason: 'Unfit', count: 1, examples: ['site-1'] }] },
    });
  },
);

test('a Capp whose site loses the label moves with policy Follow, and stays with Evacuate and says why', async () => {
  await label('site-1', { zone: 'a' });
  await label('site-2', { zone: 'a' });
  for (const caches of [watched, stage.caches])
    await eventually(() =>
      caches.clusters.list().every(({ metadata }) => metadata.labels?.['zone'] === 'a') ? true : undefined,
    );
  const requires = { labels: { matchLabels: { zone: 'a' } } };
  const follows = await aCappAsking('follows', requires, { policy: 'Follow', stabilisationSeconds: 60 });
  const stays = await aCappAsking('stays', requires);
  rings.clear();
  await label('site-1', { zone: 'b' });
  expect(await answer(follows, 'site-1')).toMatchObject({
    outcome: 'Leaves',
    reason: 'Unfit',
    to: 'site-2',
    message: 'site-1 does not fit spec.requires (label zone In (a))',
    terms: { holdMs: 60_000 },
  });
  expect(await answer(stays, 'site-1')).toMatchObject({
    outcome: 'Stays',
    reason: 'Unfit',
    message:
      'Although site-1 does not fit spec.requires (label zone In (a)), the Capp stays: spec.migration.policy is Evacuate.',
  });
});

test('heartbeats, and labels and claims that nobody asks for, ring nobody', async () => {
  const before = count;
  for (const number of [1, 2, 3]) await beat('site-2', number);
  await label('site-2', { colour: 'red' });
  await claim('site-2', { gpu: 'nvidia:2', nodes: '4' });
  await eventually(() => {
    const seen = watched.clusters.get({ namespace: null, name: 'site-2' });
    return seen?.status?.clusterClaims?.some(({ value }) => value === '4') === true || undefined;
  });
  expect(count).toBe(before);
});

describe('a clusterset', () => {
  const namedIn = (kind: string, name: string, rest: object) =>
    make(
      { apiVersion: 'rcs.dana.io/v1alpha1', kind },
      { namespace: 'apps', name },
      { spec: { sites: { clusters: ['by-name'] }, ...rest } },
    );
  const bind = (namespace: string, name: string) =>
    stage.kube.create<KubeObject>(
      MANAGED_CLUSTER_SET_BINDING,
      make(MANAGED_CLUSTER_SET_BINDING, { namespace, name }, { spec: { clusterSet: name } }),
    );
  let ref: CappRef;
  beforeAll(async () => {
    const spec = { hubAcceptsClient: true };
    await stage.kube.create(MANAGED_CLUSTER, make(MANAGED_CLUSTER, { name: 'by-name' }, { spec }));
    await label('by-name', { region: 'near' });
    ref = await stage.make({ name: 'named', spec: { site: 'by-name' } });
    const container = { name: 'c', image: 'registry.example.com/app:v1' };
    const template = {
      spec: { configurationSpec: { template: { spec: { containers: [container] } } } },
    };
    await stage.kube.create(CAPP_SET, namedIn('CappSet', 'set', { template }));
    const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'apps' } };
    await stage.kube.create(BUNDLE, namedIn('Bundle', 'bundle', { manifests: [manifest] }));
    await eventually(
      () => (watched.bundles.list().length > 0 && watched.sets.list().length > 0) || undefined,
    );
    await eventually(async () => {
      const choice = await chooser.choose(ref, NOTHING);
      return (choice.outcome === 'None' && choice.reason === 'PinRefused') || undefined;
    });
  });

  /** All three, with the versions by which caches must have seen the change. */
  const allRung = () =>
    eventually(() => {
      const rung = ['Capp apps/named', 'CappSet set', 'Bundle bundle'].map((who) => openings.get(who));
      return rung.every((one) => one !== undefined) ? rung[0] : undefined;
    });

  test('that is bound, opened by its selector, or unbound again rings whom the site was refused to', async () => {
    const selector = (region: string) => ({
      clusterSelector: {
        selectorType: 'LabelSelector',
        labelSelector: { matchLabels: { region } },
      },
    });
    const set = make(MANAGED_CLUSTER_SET, { name: 'near' }, { spec: selector('far') });
    await stage.kube.create(MANAGED_CLUSTER_SET, set);
    await bind('apps', 'near');
    const last = await bind('placements', 'near');
    await eventually(() => watched.setBindings.changedAt() === last.metadata.resourceVersion || undefined);
    expect([...openings]).toEqual([]);
    await stage.kube.patch(
      MANAGED_CLUSTER_SET,
      { namespace: null, name: 'near' },
      { spec: selector('near') },
    );
    const minimumVersions = await allRung();
    await eventually(async () => {
      const choice = await chooser.choose(ref, { ...NOTHING, minimumVersions: minimumVersions ?? {} });
      if (choice.outcome === 'Behind') return undefined;
      expect(choice).toMatchObject({ outcome: 'Chosen', cluster: 'by-name', pinned: true });
      return true;
    });
    openings.clear();
    await stage.kube.remove(MANAGED_CLUSTER_SET_BINDING, { namespace: 'placements', name: 'near' });
    const gone = await allRung();
    expect(
      await eventually(async () => {
        const choice = await chooser.choose(ref, { ...NOTHING, minimumVersions: gone ?? {} });
        return choice.outcome === 'Behind' ? undefined : choice;
      }),
    ).toMatchObject({ outcome: 'None', reason: 'PinRefused' });
  });
});
