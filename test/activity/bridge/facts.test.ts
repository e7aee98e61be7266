// A Capp goes only where spec.requires holds, and by name only where a clusterset is open: from a change in a
// real API server, by the bridge's ring, to the choice that caches make. Sets and Bundles hear the same.
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { MANAGED_CLUSTER_SET, MANAGED_CLUSTER_SET_BINDING } from '../../../crds/ocm/placements.ts';
import { BUNDLE } from '../../../crds/bundle/bundle.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import type { CappRef } from '../../../workflows/capp/state.ts';
import { make } from '../../support/testbeds/activities/two-sites.ts';
import { NOTHING, startRungChoice, type RungChoice } from '../../support/testbeds/bridge/rung-choice.ts';

let bed: RungChoice;
let stage: RungChoice['stage'];
let watched: RungChoice['watched'];
let chooser: RungChoice['chooser'];
let answer: RungChoice['answer'];
beforeAll(async () => {
  bed = await startRungChoice();
  ({ stage, watched, chooser, answer } = bed);
}, 300_000);
afterAll(() => bed?.stop());

test.each([
  ['label', { labels: { matchLabels: { region: 'eu' } } }, () => bed.label('site-2', { region: 'eu' })],
  [
    'claim',
    { claims: { matchExpressions: [{ key: 'gpu', operator: 'Exists' as const }] } },
    () => bed.claim('site-2', { gpu: 'nvidia:2', nodes: '3' }),
  ],
])(
  'a Capp waits until a cluster has the %s that it asks for, and goes there',
  async (kind, requires, give) => {
    const ref = await bed.aCappAsking(`waits-for-${kind}`, requires);
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
  await bed.label('site-1', { zone: 'a' });
  await bed.label('site-2', { zone: 'a' });
  for (const caches of [watched, stage.caches])
    await eventually(() =>
      caches.clusters.list().every(({ metadata }) => metadata.labels?.['zone'] === 'a') ? true : undefined,
    );
  const requires = { labels: { matchLabels: { zone: 'a' } } };
  const follows = await bed.aCappAsking('follows', requires, { policy: 'Follow', stabilisationSeconds: 60 });
  const stays = await bed.aCappAsking('stays', requires);
  bed.rung.rings.clear();
  await bed.label('site-1', { zone: 'b' });
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
  const before = bed.rung.count;
  for (const number of [1, 2, 3]) await bed.beat('site-2', number);
  await bed.label('site-2', { colour: 'red' });
  await bed.claim('site-2', { gpu: 'nvidia:2', nodes: '4' });
  await eventually(() => {
    const seen = watched.clusters.get({ namespace: null, name: 'site-2' });
    return seen?.status?.clusterClaims?.some(({ value }) => value === '4') === true || undefined;
  });
  const { count } = bed.rung;
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
    await bed.label('by-name', { region: 'near' });
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
      const rung = ['Capp apps/named', 'CappSet set', 'Bundle bundle'].map((who) =>
        bed.rung.openings.get(who),
      );
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
    const { openings } = bed.rung;
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
    bed.rung.openings.clear();
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
