// How the choice of a site combines the caches with live reads: the same question gets the same site, and a
// Capp's own load does not count against it.
import { hubChoose } from '../../../activities/hub/place/choose.ts';
import type { HubCaches } from '../../../activities/hub/caches.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import { DrainSpec, type Drain } from '../../../crds/drain/drain.ts';
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { PLACEMENT_LABEL } from '../../../crds/ocm/ocm.ts';
import { RCS_CONFIG_KEY } from '../../../crds/rcs-config.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { Ask, Choice } from '../../../workflows/ports.ts';
import { CAPP } from '../../support/builders/states.ts';

const ASK: Ask = { minimumVersions: {}, present: null, avoid: {}, works: [], history: null };

interface Hub {
  readonly migration?: object;
  readonly status?: object;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Works; each is named `mw-create-apps-app` unless it has another name. */
  readonly works?: readonly {
    readonly cluster: string;
    readonly leaving?: boolean;
    readonly name?: string;
  }[];
  /** Another name of the Capp. */
  readonly name?: string;
  /** Statuses of other Capps whose works have the same usual name. */
  readonly rivals?: readonly object[];
  /** The clusters in the placement's decisions. */
  readonly decided?: readonly string[];
  /** Unreachable clusters. */
  readonly lost?: readonly string[];
  readonly drains?: readonly Drain[];
}

function aCapp({ migration = {}, status = {}, annotations = {}, name = CAPP.name }: Hub): Capp {
  const { namespace, uid } = CAPP;
  const spec = { configurationSpec: { template: { spec: { containers: [] } } }, migration };
  return {
    apiVersion: 'rcs.dana.io/v1alpha1',
    kind: 'Capp',
    metadata: { namespace, name, uid, annotations },
    spec,
    status,
  } as never;
}

function aCluster(name: string, isLost: boolean): ManagedCluster {
  const conditions = [{ type: 'ManagedClusterConditionAvailable', status: isLost ? 'Unknown' : 'True' }];
  return {
    apiVersion: '',
    kind: 'ManagedCluster',
    metadata: { name },
    spec: { hubAcceptsClient: true },
    status: { conditions },
  } as never;
}

/** Two sites in the decisions, with equal scores. */
function cachesOf(hub: Hub): HubCaches {
  const works = (hub.works ?? []).map(({ cluster, leaving, name = 'mw-create-apps-app' }): KubeObject => {
    const metadata = { namespace: cluster, name, ...(leaving === true ? { deletionTimestamp: 'now' } : {}) };
    return { apiVersion: '', kind: 'ManifestWork', metadata };
  });
  const decision = {
    metadata: { labels: { [PLACEMENT_LABEL]: 'all' } },
    status: { decisions: (hub.decided ?? ['site-1', 'site-2']).map((clusterName) => ({ clusterName })) },
  };
  const rivals = (hub.rivals ?? []).map((status) => ({
    metadata: { namespace: 'apps-a', name: 'b' },
    status,
  }));
  const byIndex = (index: string, key: string) =>
    works.filter(({ metadata }) => (index === 'name' ? metadata.name : metadata.namespace) === key);
  return {
    capps: { get: () => aCapp(hub), by: () => rivals },
    configs: { get: () => ({ spec: { placements: ['all'], placementsNamespace: 'placements' } }) },
    placements: {
      get: () => ({ metadata: {}, status: { numberOfSelectedClusters: decision.status.decisions.length } }),
    },
    decisions: { by: () => [decision] },
    clusterSets: { list: () => [] },
    setBindings: { list: () => [] },
    clusters: {
      list: () => ['site-1', 'site-2'].map((name) => aCluster(name, hub.lost?.includes(name) === true)),
    },
    drains: { get: ({ name }: { name: string }) => hub.drains?.find((one) => one.metadata.name === name) },
    scores: { by: () => [], get: () => undefined, list: () => [] },
    works: { by: byIndex, count: (index: string, key: string) => byIndex(index, key).length },
  } as never;
}

function chooser(hub: Hub = {}): (ask?: Partial<Ask>) => Promise<Choice> {
  const { choose } = hubChoose({ caches: cachesOf(hub), hubUid: 'hub', config: RCS_CONFIG_KEY });
  return (ask = {}) => choose({ ...CAPP, name: hub.name ?? CAPP.name }, { ...ASK, ...ask });
}

test('a Capp whose work no cache shows yet gets the same site again, because its own load does not count', async () => {
  const choose = chooser();
  expect(await choose()).toMatchObject({ outcome: 'Chosen', cluster: 'site-1' });
  expect(await choose()).toMatchObject({ outcome: 'Chosen', cluster: 'site-1' });
});

test('a Capp gets the site of a work that was found live, even if no cache shows it', async () => {
  const found = [{ cluster: 'site-2', leaving: false }];
  const choice = await chooser()({ works: found });
  expect(choice).toMatchObject({ outcome: 'Chosen', cluster: 'site-2', works: found });
});

test('a new Capp does not go to the site of a work that an earlier Capp of its name has left if no placement decided for that site', async () => {
  const left = [{ cluster: 'site-9', leaving: false }];
  expect(await chooser()({ works: left })).toMatchObject({
    outcome: 'Chosen',
    cluster: 'site-1',
    works: left,
  });
});

test('a Capp stays on the site in its status, even if no placement decides for that site any more', async () => {
  const status = { migration: { serving: 'site-9' } };
  const choice = await chooser({ status })({ works: [{ cluster: 'site-9', leaving: false }] });
  expect(choice).toMatchObject({ outcome: 'Chosen', cluster: 'site-9' });
});

test('a cluster on which the workflow knows a copy that is being deleted is no candidate, even if the caches do not show it', async () => {
  expect(await chooser()({ works: [{ cluster: 'site-1', leaving: true }] })).toMatchObject({
    outcome: 'Chosen',
    cluster: 'site-2',
  });
});

describe('a first choice with Recreate', () => {
  const migration = { strategy: 'Recreate' };
  const waits = { outcome: 'None', reason: 'StillLeaving' };

  test('is marked isSole, so that the work is applied only after the choice is in history', async () => {
    expect(await chooser({ migration })()).toMatchObject({ outcome: 'Chosen', isSole: true });
    expect(await chooser({})()).not.toHaveProperty('isSole');
  });

  test('waits for a copy that is being deleted, whoever deleted it', async () => {
    const choice = await chooser({ migration, works: [{ cluster: 'site-1', leaving: true }] })();
    expect(choice).toMatchObject(waits);
    expect(await chooser({ migration })({ works: [{ cluster: 'site-1', leaving: true }] })).toMatchObject(
      waits,
    );
  });

  test('waits for an unreachable site that served the Capp, even if its work is gone from the hub', async () => {
    const choice = await chooser({
      migration,
      lost: ['site-1'],
      status: { migration: { serving: 'site-1' } },
    })();
    expect(choice).toMatchObject(waits);
    expect(choice).toMatchObject({
      message: expect.stringContaining('annotate capp app --overwrite rcs.dana.io/force='),
    });
  });

  test('no longer waits when a person forces a site', async () => {
    const annotations = { 'rcs.dana.io/force': 'site-2#1' };
    const left = { migration, annotations, works: [{ cluster: 'site-1', leaving: true }] };
    expect(await chooser(left)()).toMatchObject({ outcome: 'Chosen', cluster: 'site-2' });
    const handled = { ...left, status: { migration: { handledForce: '1' } } };
    expect(await chooser(handled)()).toMatchObject(waits);
  });

  test('does not wait when the old site is reachable and has no work, or when another work of the Capp is still in place', async () => {
    expect(await chooser({ migration, status: { migration: { serving: 'site-1' } } })()).toMatchObject({
      outcome: 'Chosen',
    });
    const there = [{ cluster: 'site-2' }, { cluster: 'site-1', leaving: true }];
    expect(await chooser({ migration, works: there })()).toMatchObject({
      outcome: 'Chosen',
      cluster: 'site-2',
    });
  });

  test('waits for a work of its name on a site outside the decisions, and says how to delete that work', async () => {
    const left = { migration, works: [{ cluster: 'site-9' }] };
    const choice = await chooser(left)();
    expect(choice).toMatchObject(waits);
    const remedy = 'kubectl -n site-9 delete manifestwork mw-create-apps-app mw-create-';
    expect(choice).toMatchObject({ message: expect.stringContaining(remedy) });
    expect(await chooser({ migration })({ works: [{ cluster: 'site-9', leaving: false }] })).toMatchObject(
      waits,
    );
    const annotations = { 'rcs.dana.io/force': 'site-2#1' };
    expect(await chooser({ ...left, annotations })()).toMatchObject({ outcome: 'Chosen' });
  });

  test('takes the site of a work of its name, even if another Capp could have a work of that name', async () => {
    const works = [{ cluster: 'site-2', name: 'mw-create-apps-a-b' }];
    expect(await chooser({ migration, name: 'a-b', works })()).toMatchObject({
      outcome: 'Chosen',
      cluster: 'site-2',
    });
    expect(await chooser({ name: 'a-b', works })()).toMatchObject({ outcome: 'Chosen', cluster: 'site-1' });
    const live = { works: [{ cluster: 'site-2', leaving: false }] };
    expect(await chooser({ migration, name: 'a-b' })(live)).toMatchObject({
      outcome: 'Chosen',
      cluster: 'site-2',
    });
  });

  describe('beside a Capp whose works have the same name', () => {
    const beside = { migration, name: 'a-b', works: [{ cluster: 'site-2', name: 'mw-create-apps-a-b' }] };

    test('takes the site of a work that may be its own', async () => {
      expect(await chooser({ ...beside, rivals: [{}] })()).toMatchObject({
        outcome: 'Chosen',
        cluster: 'site-2',
      });
    });

    test('waits for a work that may be its own on a site outside the decisions, or that is being deleted', async () => {
      expect(await chooser({ ...beside, rivals: [{}], decided: ['site-1'] })()).toMatchObject(waits);
      const going = [{ cluster: 'site-2', name: 'mw-create-apps-a-b', leaving: true }];
      expect(await chooser({ ...beside, rivals: [{}], works: going })()).toMatchObject(waits);
    });

    test('does not wait for a work of the other Capp', async () => {
      const rivals = [{ migration: { serving: 'site-2' } }];
      expect(await chooser({ ...beside, rivals, decided: ['site-1'] })()).toMatchObject({
        outcome: 'Chosen',
        cluster: 'site-1',
      });
    });
  });

  test('is not restricted in this way for a Capp without Recreate', async () => {
    expect(await chooser({ works: [{ cluster: 'site-1', leaving: true }] })()).toMatchObject({
      outcome: 'Chosen',
      cluster: 'site-2',
    });
  });
});

test("a placement review reports a cluster that no longer exists as unreachable, even if the copy's work went with it", async () => {
  const history = {
    placedFor: '',
    pin: null,
    home: null,
    request: null,
    annotated: { migrate: null, force: null },
  };
  const choose = chooser({ works: [{ cluster: 'site-1' }] });
  const look = (copies: readonly string[]) => choose({ present: 'site-1', history: { ...history, copies } });
  expect(await look(['site-1', 'site-2'])).toMatchObject({ unreachable: [] });
  expect(await look(['site-1', 'gone'])).toMatchObject({ unreachable: ['gone'] });
});

test('a choice looks at no work of another Capp, however many there are', async () => {
  const others = Array.from({ length: 1_000 }, (_, index) => ({
    cluster: 'site-1',
    name: `mw-create-apps-other-${index}`,
  }));
  const caches = cachesOf({ works: others });
  let lookedAt = 0;
  const by = (index: string, key: string): KubeObject[] => {
    const found = caches.works.by(index, key);
    lookedAt += found.length;
    return found;
  };
  const works = { ...caches.works, by };
  const { choose } = hubChoose({ caches: { ...caches, works }, hubUid: 'hub', config: RCS_CONFIG_KEY });
  expect(await choose(CAPP, ASK)).toMatchObject({ outcome: 'Chosen', cluster: 'site-2' });
  expect(lookedAt).toBe(0);
});

describe('while a Drain stands for a site', () => {
  const drainOf = (name: string, spec: object = {}): Drain => ({
    apiVersion: '',
    kind: 'Drain',
    metadata: { name },
    spec: DrainSpec.parse(spec),
  });

  test('no Capp is placed there, and the decision record says why', async () => {
    expect(await chooser({ drains: [drainOf('site-1')] })()).toMatchObject({
      outcome: 'Chosen',
      cluster: 'site-2',
      record: { excluded: [{ reason: 'Draining', count: 1, examples: ['site-1'] }] },
    });
  });

  test('a paused Drain keeps Capps away too, and a dry run does not', async () => {
    expect(await chooser({ drains: [drainOf('site-1', { paused: true })] })()).toMatchObject({
      cluster: 'site-2',
    });
    expect(await chooser({ drains: [drainOf('site-1', { dryRun: true })] })()).toMatchObject({
      cluster: 'site-1',
    });
  });

  test('a Capp whose every site is drained waits, and the message says who could tell why', async () => {
    const choice = await chooser({ drains: [drainOf('site-1'), drainOf('site-2')] })();
    expect(choice).toMatchObject({
      outcome: 'None',
      reason: 'Draining',
      message: expect.stringContaining('kubectl get drain site-1 -o wide'),
    });
  });

  test('a Capp whose work is there stays until it is told to leave', async () => {
    const choice = await chooser({ drains: [drainOf('site-1')], works: [{ cluster: 'site-1' }] })();
    expect(choice).toMatchObject({ outcome: 'Chosen', cluster: 'site-1' });
  });
});
