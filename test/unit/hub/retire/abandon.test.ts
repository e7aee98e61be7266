// Of works on lost sites only those are released that a person has named, and what is said of them is kept
// before they go.
import { abandon, abandonedBy, outlookOf } from '../../../../activities/hub/retire/abandon.ts';
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { EVENT } from '../../../../crds/kubernetes/core.ts';
import { ABANDON, requestedBy } from '../../../../crds/labels.ts';
import { AVAILABLE, MANAGED_CLUSTER, MANIFEST_WORK } from '../../../../crds/ocm/ocm.ts';
import { CAPP_SET } from '../../../../crds/set/cappset.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';

const OWN = { namespace: 'team', name: 'app', uid: 'capp' };
const aCapp = (metadata: object = {}): Capp =>
  ({ metadata: { ...OWN, ...metadata }, spec: {} }) as unknown as Capp;
const naming = (...sites: readonly string[]) => ({ annotations: { [ABANDON]: sites.join(', ') } });
const workOn = (site: string): KubeObject => ({
  metadata: { namespace: site, name: 'w', uid: `work-${site}`, deletionTimestamp: '2026-03-01T12:00:00Z' },
});

/** A hub whose clusters are so available; it notes, in order, what was done to what. */
function hubWith(clusters: Readonly<Record<string, string>>, capp: Capp | null = null, set?: object) {
  const done: string[] = [];
  const statuses: unknown[] = [];
  const noted = (verb: string) => async (resource: Resource, one: KubeObject | { namespace: string }) => {
    const { namespace = '' } = 'metadata' in one ? one.metadata : one;
    done.push(`${verb} ${resource.kind} ${resource === MANIFEST_WORK ? namespace : ''}`.trim());
    if (resource === CAPP && 'status' in one) statuses.push(one.status);
    return one;
  };
  const kube = {
    get: async (resource: Resource, { name }: { name: string }) => {
      if (resource === CAPP) return capp;
      const status = resource === MANAGED_CLUSTER ? clusters[name] : undefined;
      return status === undefined
        ? null
        : { metadata: { name }, status: { conditions: [{ type: AVAILABLE, status }] } };
    },
    getMetadata: async (resource: Resource) => (resource === CAPP_SET ? set : null),
    create: noted('create'),
    apply: noted('apply'),
    remove: noted('remove'),
    patch: noted('patch'),
  } as unknown as Kube;
  return { kube, done, statuses };
}

const audit = (): void => undefined;

test('the outlook tells lost clusters by a fresh read, and who was given up without being lost', async () => {
  const { kube } = hubWith({ here: 'True', away: 'Unknown' });
  const works = ['away', 'gone', 'here', 'here'].map(workOn);
  expect(await outlookOf(kube, aCapp(naming('here', 'away')), works)).toEqual({
    lost: { away: 'Unreachable', gone: 'Gone' },
    givenUp: ['here'],
  });
});

test('a cluster that is known to be there is not read', async () => {
  const { kube } = hubWith({});
  expect(await outlookOf(kube, null, [workOn('here')], (name) => name === 'here')).toEqual({
    lost: {},
    givenUp: [],
  });
});

test.each<[string, Capp | null, Readonly<Record<string, 'Unreachable'>>]>([
  ['on a lost site that nobody has named', aCapp(), { away: 'Unreachable' }],
  ['on a lost site, where another was named', aCapp(naming('other')), { away: 'Unreachable' }],
  ['on a named site that can be reached', aCapp(naming('away')), {}],
  ['of a Capp that is gone, so that nobody asks', null, { away: 'Unreachable' }],
])('a work %s is not released', async (_what, capp, lost) => {
  const { kube, done } = hubWith({}, capp);
  const outlook = { lost, givenUp: [] };
  expect(await abandon({ kube, audit }, capp, [workOn('away')], outlook)).toBe(false);
  expect(done).toEqual([]);
});

test('of the works on lost sites exactly those that are named are released, once that is said and kept', async () => {
  const capp = aCapp({ annotations: { [ABANDON]: 'away', [requestedBy(ABANDON)]: 'anna' } });
  const { kube, done, statuses } = hubWith({}, capp);
  const outlook = { lost: { away: 'Unreachable', gone: 'Gone' }, givenUp: [] } as const;
  expect(await abandon({ kube, audit }, capp, [workOn('away'), workOn('gone')], outlook)).toBe(true);
  expect(done).toEqual([`create ${EVENT.kind}`, `apply ${CAPP.kind}`, 'patch ManifestWork away']);
  const abandoned = [{ site: 'away', work: 'work-away', by: 'anna', at: expect.any(String) as unknown }];
  expect(statuses).toEqual([{ abandoned }]);
});

test('what is given up is not noted on another Capp of the name', async () => {
  const capp = aCapp(naming('away'));
  const { kube, done } = hubWith({}, aCapp({ uid: 'next' }));
  await abandon({ kube, audit }, capp, [workOn('away')], { lost: { away: 'Unreachable' }, givenUp: [] });
  expect(done).toEqual([`create ${EVENT.kind}`, 'patch ManifestWork away']);
});

test.each([
  ['the set that owns it', 'set', 'away', 'bert'],
  ['a later set of the name', 'next', 'away', undefined],
  ['a set that names another site', 'set', 'other', undefined],
])('who gave a copy up is whom the webhook has seen on %s', async (_where, uid, site, by) => {
  const owner = { kind: CAPP_SET.kind, name: 'many', uid: 'set', controller: true };
  const capp = aCapp({ ...naming('away'), ownerReferences: [owner] });
  const set = { metadata: { uid, annotations: { [ABANDON]: site, [requestedBy(ABANDON)]: 'bert' } } };
  const { kube, statuses } = hubWith({}, capp, set);
  await abandon({ kube, audit }, capp, [workOn('away')], { lost: { away: 'Unreachable' }, givenUp: [] });
  expect(statuses).toMatchObject([{ abandoned: [{ site: 'away' }] }]);
  expect((statuses[0] as { abandoned: [{ by?: string }] }).abandoned[0].by).toBe(by);
});

test('sites are named with commas or blanks, and none is named by an empty annotation', () => {
  expect(abandonedBy({ metadata: { name: 'a', annotations: { [ABANDON]: ' a,b\nc ,' } } })).toEqual([
    'a',
    'b',
    'c',
  ]);
  expect(abandonedBy({ metadata: { name: 'a', annotations: { [ABANDON]: '' } } })).toEqual([]);
  expect(abandonedBy(null)).toEqual([]);
});
