// What the loss or a taint of a site would do to its Capps, from caches of a real API server, and what the
// hub worker chooses when it has come to pass.
import type { HubCaches } from '../../../../activities/hub/caches.ts';
import { hubChoose } from '../../../../activities/hub/place/choose.ts';
import { outlooksOn } from '../../../../activities/hub/suppose/outlook.ts';
import type { Supposition } from '../../../../activities/hub/suppose/world.ts';
import { MANAGED_CLUSTER } from '../../../../crds/ocm/ocm.ts';
import { PLACEMENT } from '../../../../crds/ocm/placements.ts';
import { RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { decideAll, sayAvailable } from '../../../support/testbeds/activities/two-sites.ts';
import { startServedSites, type ServedSites } from '../../../support/testbeds/drain/served-sites.ts';

let bed: ServedSites;
let stage: ServedSites['stage'];
let caches: HubCaches;
beforeAll(async () => {
  bed = await startServedSites();
  ({ stage, caches } = bed);
}, 300_000);
afterAll(() => bed?.stop());

describe('what the loss or a taint of a site would do is what a look then finds', () => {
  const WISHES = {
    free: {},
    bound: { site: 'site-1' },
    manual: { migration: { policy: 'Manual' } },
  };
  const names = Object.keys(WISHES);
  const history = {
    placedFor: null,
    pin: null,
    home: null,
    request: null,
    annotated: { migrate: null, force: null },
    copies: ['site-1'],
  };
  const key = { namespace: null, name: 'site-1' };
  const options = () => ({ caches, hubUid: 'hub-uid', config: RCS_CONFIG_KEY });

  /** Of the Capps of this test: what would become of each, and the site that it would move to. */
  const said = (supposition: Supposition) =>
    outlooksOn(options(), { site: 'site-1', supposition, spreads: [] }, Date.now())
      .map(({ name, does, to, reason }) => ({ name: name.split('/')[1] ?? '', does, to, reason }))
      .filter(({ name }) => names.includes(name))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));

  /** The same, by what the hub worker now chooses. */
  const found = async () => {
    const { choose } = hubChoose({ ...options(), kube: stage.kube });
    return Promise.all(
      names.toSorted().map(async (name) => {
        const capp = caches.capps.get({ namespace: 'apps', name });
        const ref = { namespace: 'apps', name, uid: capp?.metadata.uid ?? '' };
        const ask = { minimumVersions: {}, present: 'site-1', avoid: {}, works: [], history };
        const choice = await choose(ref, ask);
        if (choice.outcome === 'Leaves') return { name, does: 'Moves', to: choice.to, reason: choice.reason };
        return choice.outcome === 'Stays'
          ? { name, does: 'Stays', to: null, reason: choice.reason }
          : { name, does: choice.outcome, to: null, reason: '' };
      }),
    );
  };

  const setSite = async (taints: readonly object[], status: 'True' | 'Unknown') => {
    await stage.kube.patch(MANAGED_CLUSTER, key, { spec: { taints } });
    await sayAvailable(stage.kube, 'site-1', status);
  };

  beforeAll(async () => {
    for (const [name, spec] of Object.entries(WISHES)) await bed.serve(name, 'site-1', { spec });
  });
  beforeEach(async () => {
    await setSite([], 'True');
    await decideAll(stage.kube, 'site-1', 'site-2');
    await eventually(async () => {
      expect(await found()).toEqual(
        names.toSorted().map((name) => expect.objectContaining({ name, does: 'Stays' })),
      );
      expect((await found()).find(({ name }) => name === 'free')?.reason).toBe('NotMoving');
      return true;
    });
  });

  const taint = { key: 'maintenance', effect: 'NoSelect' } as const;
  test.each<[string, Supposition, object[], 'True' | 'Unknown', string]>([
    ['lost', { is: 'Lost' }, [], 'Unknown', 'SiteLost'],
    ['tainted', { is: 'Tainted', taint }, [taint], 'True', 'Tainted'],
  ])('%s', async (_, supposition, taints, status, reason) => {
    // Each cache is as new as its own watch.
    const plan = await eventually(() => {
      const outlooks = said(supposition);
      expect(outlooks).toEqual([
        { name: 'bound', does: 'Stays', to: null, reason: 'Pinned' },
        { name: 'free', does: 'Moves', to: 'site-2', reason },
        { name: 'manual', does: 'Stays', to: null, reason: 'Manual' },
      ]);
      return outlooks;
    });
    await setSite(taints, status);
    await decideAll(stage.kube, 'site-2');
    await eventually(async () => {
      expect(await found()).toEqual(plan);
      return true;
    });
  });

  test('a Placement that tolerates the taint for a time says so, and one that tolerates it for good keeps the Capps', async () => {
    const tolerate = async (toleration: object) => {
      const body = { spec: { tolerations: [{ key: 'maintenance', operator: 'Exists', ...toleration }] } };
      await stage.kube.patch(PLACEMENT, { namespace: 'placements', name: 'all' }, body);
    };
    const free = () =>
      outlooksOn(
        options(),
        { site: 'site-1', supposition: { is: 'Tainted', taint }, spreads: [] },
        Date.now(),
      ).find(({ name }) => name === 'apps/free');
    await tolerate({ tolerationSeconds: 300 });
    await eventually(() => {
      expect(free()).toMatchObject({ does: 'Moves', afterSeconds: 300, isEstimate: true });
      return true;
    });
    await tolerate({});
    await eventually(() => {
      expect(free()).toMatchObject({ does: 'Stays', reason: 'StillSelected', isEstimate: true });
      return true;
    });
  });
});
