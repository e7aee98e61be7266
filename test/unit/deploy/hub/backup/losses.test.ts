import { lossesOf, returningTo, type SiteWorks } from '../../../../../deploy/hub/admit/losses.ts';
import { lineOf, fingerprintOfLosses } from '../../../../../deploy/hub/admit/wording.ts';
import type { ListedObject, AppliedWork } from '../../../../../deploy/hub/admit/site-list.ts';
import type { ManifestWork } from '../../../../../crds/ocm/ocm.ts';

const CAPP: ListedObject = { group: 'rcs.dana.io', resource: 'capps', namespace: 'team', name: 'shop' };
const SECRET: ListedObject = { group: '', resource: 'secrets', namespace: 'team', name: 'key' };
const POLICY: ListedObject = {
  group: 'networking.k8s.io',
  resource: 'networkpolicies',
  namespace: 'team',
  name: 'key',
};

const MANIFESTS = [
  { apiVersion: 'rcs.dana.io/v1alpha1', kind: 'Capp', metadata: { namespace: 'team', name: 'shop' } },
  { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'team', name: 'key' } },
  { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { namespace: 'team', name: 'key' } },
];

function workOf(name: string, more: Partial<ManifestWork> = {}): ManifestWork {
  return { metadata: { name }, spec: { workload: { manifests: MANIFESTS } }, ...more };
}

function appliedOf(work: string, objects: readonly ListedObject[], hubHash = 'ours'): AppliedWork {
  return { hubHash, work, objects };
}

function site(works: readonly ManifestWork[], applied: readonly AppliedWork[]): SiteWorks {
  return { cluster: 'shop-7', hubHash: 'ours', works, applied };
}

test('what the hub has as the site has it is no loss, though no status names its plural', () => {
  expect(lossesOf(site([workOf('a')], [appliedOf('a', [CAPP, SECRET, POLICY])]))).toEqual([]);
});

test('a work that the hub does not have is lost with all that it has applied', () => {
  const [loss, ...more] = lossesOf(site([], [appliedOf('a', [CAPP, SECRET])]));
  expect(more).toEqual([]);
  expect(loss).toEqual({ cluster: 'shop-7', work: 'a', why: 'NoWork', objects: [CAPP, SECRET] });
});

test('of a work that the hub has, what its manifests do not name is lost', () => {
  const others: ListedObject[] = [
    { ...SECRET, name: 'newer' },
    { ...SECRET, namespace: 'other' },
    { ...SECRET, group: 'example.com' },
    { ...SECRET, resource: 'configmaps' },
  ];
  const losses = lossesOf(site([workOf('a')], [appliedOf('a', [CAPP, SECRET, ...others])]));
  expect(losses).toEqual([{ cluster: 'shop-7', work: 'a', why: 'NotInWork', objects: others }]);
});

test('the plural that the agent has reported counts before a guess', () => {
  const resourceMeta = { group: 'rcs.dana.io', kind: 'Capp', resource: 'odd' };
  const work = workOf('a', { status: { resourceStatus: { manifests: [{ resourceMeta }] } } });
  expect(lossesOf(site([work], [appliedOf('a', [{ ...CAPP, resource: 'odd' }])]))).toEqual([]);
  expect(lossesOf(site([work], [appliedOf('a', [CAPP])]))).toHaveLength(1);
});

test('a work that was being deleted takes with it what the site has', () => {
  const ending = workOf('a', { metadata: { name: 'a', deletionTimestamp: '2026-11-27T00:00:00Z' } });
  expect(lossesOf(site([ending], [appliedOf('a', [CAPP])]))).toMatchObject([{ why: 'WorkEnds' }]);
});

test('works of another hub do not count, unless the site knows this one by another address only', () => {
  const foreign = appliedOf('foreign', [SECRET], 'other');
  expect(lossesOf(site([workOf('a')], [appliedOf('a', [CAPP]), foreign]))).toEqual([]);
  expect(lossesOf(site([workOf('a')], [foreign]))).toMatchObject([{ work: 'foreign', why: 'NoWork' }]);
});

test('what was removed since the backup comes back', () => {
  expect(returningTo(site([workOf('a'), workOf('b')], [appliedOf('a', [CAPP])]))).toEqual(['b']);
});

test('a line names the objects, and counts those that are many', () => {
  const many = Array.from({ length: 10 }, (_, index) => ({ ...SECRET, name: `key-${index}` }));
  const line = lineOf({ cluster: 'shop-7', work: 'a', why: 'NoWork', objects: many });
  expect(line).toMatch(/^shop-7, a: secrets team\/key-0, .*secrets team\/key-7, 2 more \(the hub does not/);
  const inNone = { ...SECRET, namespace: '', resource: 'namespaces' };
  expect(lineOf({ cluster: 'c', work: 'a', why: 'NotInWork', objects: [inNone] })).toContain(
    'namespaces key (',
  );
});

test('the digest of a list is another when an object that is not shown is another, and none for another order', () => {
  const object = (name: string) => ({ group: '', resource: 'secrets', namespace: 'a', name });
  const loss = (...names: string[]) =>
    ({ cluster: 'shop-7', work: 'a', why: 'NoWork', objects: names.map(object) }) as const;
  const names = Array.from({ length: 20 }, (_, index) => `secret-${index}`);
  const mark = fingerprintOfLosses([loss(...names), loss('other')], ['Capp a/b ends']);
  expect(mark).toMatch(/^[\da-f]{10}$/);
  expect(fingerprintOfLosses([loss('other'), loss(...names)], ['Capp a/b ends'])).toBe(mark);
  expect(
    fingerprintOfLosses([loss(...names.slice(0, -1), 'secret-x'), loss('other')], ['Capp a/b ends']),
  ).not.toBe(mark);
  expect(fingerprintOfLosses([loss(...names), loss('other')], [])).not.toBe(mark);
});
