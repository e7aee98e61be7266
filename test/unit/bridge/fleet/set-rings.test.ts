// Which changes on the hub ring a CappSet, and which are no news to it.
import { openingsOf } from '../../../../bridge/changes/openings.ts';
import { keptSets, type SetsWatched } from '../../../../bridge/fleet/sets.ts';
import { listenToOpened } from '../../../../bridge/fleet/sites.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { APPROVE, PAUSED, SET_REVISION } from '../../../../crds/labels.ts';
import { CAPP_SET, type CappSet } from '../../../../crds/set/cappset.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { aDrainOf } from '../../../support/builders/placing-rings.ts';
import { aCluster, aSet } from '../../../support/builders/fleet/sets.ts';

type Kind = keyof SetsWatched;
interface Change {
  readonly type: 'Added' | 'Modified' | 'Deleted';
  readonly object: KubeObject;
  readonly previous: KubeObject | null;
  readonly initial?: boolean;
}

const shop: CappSet = marked({ generation: 1 });
const other = {
  ...aSet('other', { sites: { clusters: ['site-1'] } }),
  metadata: { namespace: 'apps', name: 'other', uid: 'other-uid' },
};

function marked(metadata: object): CappSet {
  const set = aSet('shop', { placement: 'shops' });
  return { ...set, metadata: { ...set.metadata, uid: 'shop-uid', ...metadata } };
}

/** A Capp of the set, as the set has written it. */
function child(metadata: object = {}, ready: object | null = null, owner = 'shop-uid'): Capp {
  const { apiVersion, kind } = CAPP_SET;
  return {
    metadata: {
      namespace: 'apps',
      name: 'shop-site-1',
      generation: 1,
      annotations: { [SET_REVISION]: 'r/c/1' },
      ownerReferences: [{ apiVersion, kind, name: 'shop', uid: owner, controller: true }],
      ...metadata,
    },
    status: { conditions: ready === null ? [] : [{ type: 'Ready', observedGeneration: 1, ...ready }] },
  } as unknown as Capp;
}

const GOING = { deletionTimestamp: '2026-03-01T12:00:00Z', generation: 1 };
const SERVING = { status: 'True', reason: 'Serving' };
const FAILED = { status: 'False', reason: 'RolloutFailed' };

function checked(verdict: string): Capp {
  const capp = child({}, SERVING);
  const verification = { key: 'k', generation: 1, site: 'site-1', verdict, at: '', checks: [] };
  return { ...capp, status: { ...capp.status, verification } } as Capp;
}

/** The names of the sets that are rung. */
function rungBy(kind: Kind, change: Change): string[] {
  const rung: string[] = [];
  const listeners: Partial<Record<Kind, (change: object) => void>> = {};
  const cache = (of: Kind) => ({
    list: () => (of === 'sets' ? [shop, other] : []),
    changedAt: () => '',
    subscribe: (hear: (change: object) => void) => {
      const before = listeners[of];
      listeners[of] = (change) => {
        before?.(change);
        hear(change);
      };
      return () => undefined;
    },
  });
  const kinds: Kind[] = [
    'sets',
    'capps',
    'placements',
    'decisions',
    'clusters',
    'configs',
    'drains',
    'clusterSets',
    'setBindings',
  ];
  const watched = Object.fromEntries(kinds.map((of) => [of, cache(of)])) as unknown as SetsWatched;
  keptSets(watched, openingsOf(watched)).listen(({ metadata }) => void rung.push(metadata.name));
  listeners[kind]?.({ initial: false, ...change });
  return rung;
}

const modified = (previous: KubeObject, object: KubeObject): Change => ({
  type: 'Modified',
  object,
  previous,
});

const [DRY, REAL] = [aDrainOf('site-1', { dryRun: true }), aDrainOf('site-1')];
const CLOSING = aDrainOf('site-1', {}, { deletionTimestamp: '2026-03-01T12:00:00Z' });

test.each<[string, Kind, Change, string[]]>([
  ['a dry run becomes a drain', 'drains', modified(DRY, REAL), ['shop', 'other']],
  ['a drain ends by becoming a dry run', 'drains', modified(REAL, DRY), ['shop', 'other']],
  ['a drain is being deleted', 'drains', modified(REAL, CLOSING), ['shop', 'other']],
  ['a drain gets more lanes', 'drains', modified(REAL, aDrainOf('site-1', { lanes: 9 })), []],
  [
    'a drain that was being deleted is gone',
    'drains',
    { type: 'Deleted', object: CLOSING, previous: CLOSING },
    [],
  ],
  ['its spec is edited', 'sets', modified(shop, marked({ generation: 2 })), ['shop']],
  [
    'a person approves a stage',
    'sets',
    modified(shop, marked({ generation: 1, annotations: { [APPROVE]: 'canary#r' } })),
    ['shop'],
  ],
  [
    'the garbage collector has orphaned its Capps',
    'sets',
    modified(
      marked({ ...GOING, finalizers: ['ours', 'orphan'] }),
      marked({ ...GOING, finalizers: ['ours'] }),
    ),
    ['shop'],
  ],
  ['only its status changes', 'sets', modified(shop, { ...shop, status: {} } as KubeObject), []],
  ['a Capp of it becomes Ready', 'capps', modified(child(), child({}, SERVING)), ['shop']],
  [
    'there is a verdict on the checks of a Capp of it',
    'capps',
    modified(child({}, SERVING), checked('Passed')),
    ['shop'],
  ],
  ['a verdict becomes another', 'capps', modified(checked('Inconclusive'), checked('Failed')), ['shop']],
  ['a verdict stays what it was', 'capps', modified(checked('Passed'), checked('Passed')), []],
  ['a Capp of it fails', 'capps', modified(child({}, SERVING), child({}, FAILED)), ['shop']],
  [
    'a Capp of it stays Ready while its message changes',
    'capps',
    modified(child({}, SERVING), child({}, { ...SERVING, message: 'still' })),
    [],
  ],
  [
    'a Capp of it goes on after a pause',
    'capps',
    modified(child({ annotations: { [PAUSED]: 'true' } }, SERVING), child({}, SERVING)),
    ['shop'],
  ],
  ['a Capp of it is gone', 'capps', { type: 'Deleted', object: child(), previous: child() }, ['shop']],
  ['the set itself has written a Capp', 'capps', { type: 'Added', object: child(), previous: null }, []],
  [
    'somebody takes a Capp away from it',
    'capps',
    modified(child(), child({ ownerReferences: [] })),
    ['shop'],
  ],
  [
    'a Capp that another set has taken from it changes hands',
    'capps',
    modified(child(), child({}, null, 'other-uid')),
    ['shop', 'other'],
  ],
  [
    'a foreign Capp with the name of one of its Capps is gone',
    'capps',
    { type: 'Deleted', object: child({ ownerReferences: [] }), previous: null },
    ['shop'],
  ],
  [
    'a Capp of an earlier set of its name is gone',
    'capps',
    { type: 'Deleted', object: child({}, null, 'earlier-uid'), previous: null },
    ['shop'],
  ],
  [
    'a foreign Capp with a name that none of its Capps can have is gone',
    'capps',
    { type: 'Deleted', object: child({ name: 'shopping', ownerReferences: [] }), previous: null },
    [],
  ],
  [
    'a foreign Capp with the name of one of its Capps is edited',
    'capps',
    modified(child({ ownerReferences: [] }), child({ ownerReferences: [] }, SERVING)),
    [],
  ],
  [
    'a Capp of a set that is gone changes',
    'capps',
    modified(child({}, null, 'x'), child({}, SERVING, 'x')),
    [],
  ],
  [
    'a cluster gets another label',
    'clusters',
    modified(aCluster('site-1'), aCluster('site-1', { tier: 'canary' })),
    ['shop', 'other'],
  ],
  [
    'nothing that counts of a cluster changes',
    'clusters',
    modified(aCluster('site-1'), aCluster('site-1')),
    [],
  ],
  ['a cluster is gone', 'clusters', { type: 'Deleted', object: aCluster('a'), previous: null }, ['shop']],
  [
    'its Placement selects another number',
    'placements',
    modified(
      { metadata: { name: 'shops' }, status: { numberOfSelectedClusters: 2 } } as KubeObject,
      { metadata: { name: 'shops' }, status: { numberOfSelectedClusters: 3 } } as KubeObject,
    ),
    ['shop'],
  ],
  [
    'the first list shows a cluster',
    'clusters',
    { type: 'Added', object: aCluster('a'), previous: null, initial: true },
    [],
  ],
])('the sets that are rung when %s', (_, kind, change, rung) => {
  expect(rungBy(kind, change)).toEqual(rung);
});

test('a set whose sites are no list, as one of another version may be, is rung as if it were for each', () => {
  const broken = aSet('broken', { sites: { clusters: 'site-1' } });
  const rung: string[] = [];
  const openings = {
    subscribe: (hear: (clusters: ReadonlySet<string>, object: KubeObject, kind: string) => void) => {
      hear(new Set(['site-2']), aCluster('site-2'), 'ManagedCluster');
      return () => undefined;
    },
  };
  listenToOpened(
    openings,
    () => [broken, other],
    ({ metadata }) => void rung.push(metadata.name ?? ''),
  );
  expect(rung).toEqual(['broken']);
});
