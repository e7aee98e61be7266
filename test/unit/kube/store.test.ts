// The store of a watch: which changes it reports for a list or an event, and its indexes.
import type { KubeObject } from '../../../kube/resource.ts';
import { Store, type Change } from '../../../kube/watch/store.ts';

interface Thing extends KubeObject {
  readonly colour?: string;
}

function thing(
  name: string,
  resourceVersion: string,
  more: { uid?: string; colour?: string; namespace?: string } = {},
): Thing {
  const { uid = `uid-of-${name}`, colour = 'red', namespace = 'default' } = more;
  return { metadata: { name, namespace, uid, resourceVersion }, colour };
}

function told(changes: readonly Change<Thing>[]): string[] {
  return changes.map(({ type, object, previous, initial }) => {
    const { name, resourceVersion, uid } = object.metadata;
    return `${initial ? 'initial ' : ''}${type} ${name} ${uid} ${previous?.metadata.resourceVersion ?? '-'} > ${resourceVersion}`;
  });
}

interface Case {
  readonly story: string;
  readonly before: readonly Thing[];
  readonly list: readonly Thing[];
  readonly tells: readonly string[];
}

const lists: readonly Case[] = [
  { story: 'no change for the same objects', before: [thing('a', '1')], list: [thing('a', '1')], tells: [] },
  {
    story: 'Modified for a newer version',
    before: [thing('a', '1')],
    list: [thing('a', '2')],
    tells: ['Modified a uid-of-a 1 > 2'],
  },
  {
    story: 'Added for a new object',
    before: [thing('a', '1')],
    list: [thing('a', '1'), thing('b', '2')],
    tells: ['Added b uid-of-b - > 2'],
  },
  {
    story: 'Deleted, with the version of the list, for a missing object',
    before: [thing('a', '1')],
    list: [],
    tells: ['Deleted a uid-of-a 1 > 10'],
  },
  {
    story: 'Deleted and then Added for an object with another uid',
    before: [thing('a', '1')],
    list: [thing('a', '9', { uid: 'other' })],
    tells: ['Deleted a uid-of-a 1 > 9', 'Added a other - > 9'],
  },
  {
    story: 'Added for an object of the same name in another namespace',
    before: [thing('a', '1')],
    list: [thing('a', '1'), thing('a', '2', { namespace: 'elsewhere', uid: 'else' })],
    tells: ['Added a else - > 2'],
  },
  {
    story: 'deletions first when several objects change',
    before: [thing('a', '1'), thing('b', '2'), thing('c', '3')],
    list: [thing('a', '4'), thing('c', '3'), thing('d', '5')],
    tells: ['Deleted b uid-of-b 2 > 10', 'Modified a uid-of-a 1 > 4', 'Added d uid-of-d - > 5'],
  },
  {
    story: 'Modified for a lower version, as after a restored backup',
    before: [thing('a', '90')],
    list: [thing('a', '7')],
    tells: ['Modified a uid-of-a 90 > 7'],
  },
];

describe('a new list reports', () => {
  it.each(lists)('$story', ({ before, list, tells }) => {
    const store = new Store<Thing>();
    store.replace(before, '5', true);
    expect(told(store.replace(list, '10'))).toEqual(tells);
    expect(store.all()).toEqual(expect.arrayContaining([...list]));
    expect(store.all()).toHaveLength(list.length);
  });
});

describe('a watch event', () => {
  it('is reported as initial only in the first list', () => {
    const store = new Store<Thing>();
    expect(told(store.replace([thing('a', '1')], '1', true))).toEqual(['initial Added a uid-of-a - > 1']);
    expect(told(store.put(thing('b', '2')))).toEqual(['Added b uid-of-b - > 2']);
  });

  it('that comes twice is reported once', () => {
    const store = new Store<Thing>();
    store.put(thing('a', '1'));
    expect(store.put(thing('a', '1'))).toEqual([]);
  });

  it('for an object with another uid is reported as Deleted and Added', () => {
    const store = new Store<Thing>();
    store.put(thing('a', '1'));
    expect(told(store.put(thing('a', '5', { uid: 'new' })))).toEqual([
      'Deleted a uid-of-a 1 > 5',
      'Added a new - > 5',
    ]);
  });

  it('for a deletion carries the last state and the previous one', () => {
    const store = new Store<Thing>();
    store.put(thing('a', '1'));
    expect(told(store.drop(thing('a', '3')))).toEqual(['Deleted a uid-of-a 1 > 3']);
    expect(store.get('default/a')).toBeUndefined();
  });

  it.each([
    ['of an unknown object', thing('x', '4')],
    ['of an object with another uid', thing('a', '4', { uid: 'earlier' })],
  ])('for the deletion %s changes nothing', (_, dropped) => {
    const store = new Store<Thing>();
    store.put(thing('a', '1'));
    expect(store.drop(dropped)).toEqual([]);
    expect(store.get('default/a')).toBeDefined();
  });
});

describe('a transform', () => {
  it('changes what the store keeps, but not what counts as a change', () => {
    const store = new Store<Thing>({
      transform: ({ metadata }) => ({ metadata: { name: metadata.name, namespace: 'default' } }),
    });
    store.put(thing('a', '1'));
    expect(store.get('default/a')).toEqual({ metadata: { name: 'a', namespace: 'default' } });
    expect(store.put(thing('a', '1', { colour: 'blue' }))).toEqual([]);
    expect(store.put(thing('a', '2')).map(({ type }) => type)).toEqual(['Modified']);
    expect(store.put(thing('a', '3', { uid: 'new' })).map(({ type }) => type)).toEqual(['Deleted', 'Added']);
  });

  it('is made once of what is prepared, which counts as the object that it was', () => {
    const made: string[] = [];
    const store = new Store<Thing>({
      transform: ({ metadata, colour }) => {
        made.push(metadata.resourceVersion ?? 'none');
        return { metadata: { name: metadata.name, namespace: 'default' }, ...(colour ? { colour } : {}) };
      },
    });
    const types = (things: Thing[], asOf: string): string[] => {
      const prepared = things.map((one) => store.prepared(one));
      return store.replace(prepared, asOf).map(({ type }) => type);
    };
    expect(types([thing('a', '1'), thing('b', '1')], '1')).toEqual(['Added', 'Added']);
    expect(types([thing('a', '1'), thing('b', '2', { colour: 'red' })], '2')).toEqual(['Modified']);
    expect(types([thing('b', '3', { uid: 'new' })], '3')).toEqual(['Deleted', 'Deleted', 'Added']);
    // Of a known version it is not made again.
    expect(made).toEqual(['1', '1', '2', '3']);
    expect(store.all()).toMatchObject([{ metadata: { name: 'b', namespace: 'default' } }]);
  });
});

describe('an index', () => {
  const indexes = { colour: ({ colour }: Thing) => (colour === undefined ? [] : colour.split('+')) };
  const names = (store: Store<Thing>, colour: string): string[] =>
    store.by('colour', colour).map(({ metadata }) => metadata.name);

  it('finds an object under each of its current values', () => {
    const store = new Store<Thing>({ indexes });
    store.put(thing('a', '1', { colour: 'red+blue' }));
    store.put(thing('b', '2', { colour: 'blue' }));
    expect([names(store, 'red'), names(store, 'blue'), names(store, 'green')]).toEqual([
      ['a'],
      ['a', 'b'],
      [],
    ]);
    store.put(thing('a', '3', { colour: 'green' }));
    expect([names(store, 'red'), names(store, 'blue'), names(store, 'green')]).toEqual([[], ['b'], ['a']]);
    store.drop(thing('b', '4'));
    store.replace([], '9');
    expect(names(store, 'blue')).toEqual([]);
  });

  it('that was not declared throws an error', () => {
    expect(() => new Store<Thing>({ indexes }).by('size', 'big')).toThrow('No index size was declared');
  });
});

test('the store counts the objects under a value of an index', () => {
  const store = new Store<Thing>({ indexes: { colour: ({ colour = '' }) => [colour] } });
  for (const one of [thing('a', '1'), thing('b', '1'), thing('c', '1', { colour: 'blue' })]) store.put(one);
  expect(store.count('colour', 'red')).toBe(2);
  store.drop(thing('a', '1'));
  expect(store.count('colour', 'red')).toBe(1);
  expect(store.count('colour', 'green')).toBe(0);
  expect(() => store.count('size', 'big')).toThrow('No index size was declared');
});
