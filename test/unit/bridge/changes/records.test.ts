// Which changes of DNS records ring their Capp.
import { isEditedByOthers, listenToRecords, type SeenRecord } from '../../../../bridge/changes/records.ts';
import type { Change } from '../../../../kube/watch/store.ts';

const SPEC = {
  forProvider: { name: 'app', zone: 'z.', cname: 'site-1.z.', ttl: 60 },
  providerConfigRef: { name: 'dns' },
};
const LABELS = { 'rcs.dana.io/parent-capp': 'app', 'rcs.dana.io/parent-capp-ns': 'apps' };
const owning = (manager: string, fields: object) => ({ manager, fieldsV1: { 'f:spec': fields } });
const ALL = { 'f:forProvider': { 'f:name': {}, 'f:zone': {}, 'f:cname': {}, 'f:ttl': {} } };
const OURS = owning('cappstan-hub', ALL);
const record = (spec: object = SPEC, managedFields: readonly object[] = [OURS], labels: object = LABELS) =>
  ({ metadata: { name: 'app.z', namespace: 'apps', labels, managedFields }, spec }) as unknown as SeenRecord;
const leading = (cname: string) => ({ ...SPEC, forProvider: { ...SPEC.forProvider, cname } });
const cname = { 'f:forProvider': { 'f:cname': {} } };

test.each([
  ['a target by kubectl', record(leading('evil.'), [OURS, owning('kubectl-edit', cname)]), true],
  ['a target by a hub worker', record(leading('site-2.z.')), false],
  ['nothing that leads users', record({ ...SPEC, initProvider: {} }, [owning('provider', {})]), false],
  [
    'a target by a hub worker, in a record whose time to live somebody else owns',
    record(leading('site-2.z.'), [OURS, owning('kubectl', { 'f:forProvider': { 'f:ttl': {} } })]),
    false,
  ],
  ['the target taken away', record({ ...SPEC, forProvider: { name: 'app', zone: 'z.' } }), true],
  [
    'the policies of its provider',
    record({ ...SPEC, managementPolicies: ['Observe'] }, [
      OURS,
      owning('kubectl', { 'f:managementPolicies': {} }),
    ]),
    true,
  ],
])('a change of %s is an edit of somebody else: %#', (_, after, expected) => {
  expect(isEditedByOthers(record(), after)).toBe(expected);
});

function rungBy(change: Partial<Change<SeenRecord>>): string[] {
  const rings: string[] = [];
  const kind = {
    subscribe: (listener: (one: Change<SeenRecord>) => void) => {
      listener({
        type: 'Modified',
        object: record(),
        previous: record(),
        initial: false,
        ...change,
      } as never);
      return () => undefined;
    },
  };
  listenToRecords([kind], (key, cause) => void rings.push(`${key} ${cause}`));
  return rings;
}

test('an edited or deleted record rings its Capp, also without the labels, and a list at the start rings nobody', () => {
  const edited = record(leading('evil.'), [owning('kubectl', cname)], {});
  expect(rungBy({ object: edited })).toEqual(['apps/app dependency']);
  expect(rungBy({ type: 'Deleted' })).toEqual(['apps/app dependency']);
  expect(rungBy({})).toEqual([]);
  expect(rungBy({ type: 'Added', previous: null })).toEqual([]);
  expect(rungBy({ type: 'Added', previous: null, initial: true })).toEqual([]);
});

test('an edited record rings nobody any more once the listening has ended', () => {
  const listeners = new Set<(one: Change<SeenRecord>) => void>();
  const kind = {
    subscribe: (listener: (one: Change<SeenRecord>) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const ends = listenToRecords([kind, kind], () => undefined);
  for (const end of ends) end();
  expect([ends.length, listeners.size]).toEqual([2, 0]);
});
