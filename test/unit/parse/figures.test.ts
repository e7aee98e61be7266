// What workflows understand of measures and inventories, of which a site sends many at once: each is bounded,
// and what is none is left out.
import { readInventory } from '../../../workflows/parse/inventory.ts';
import { readMeasured } from '../../../workflows/parse/figures.ts';

const HUGE = 'x'.repeat(1_000_000);

describe('of a measure', () => {
  test('figures are whole, from -100 to 100, and have a name', () => {
    const figures = [
      { name: 'cpuAvailable', value: -100 },
      { name: 'memAvailable', value: 100, more: HUGE },
      { name: 'over', value: 101 },
      { name: 'half', value: 0.5 },
      { name: 'text', value: '7' },
      { name: '../x', value: 1 },
      { name: 'x'.repeat(64), value: 1 },
      { value: 1 },
      null,
    ];
    expect(readMeasured({ figures })).toEqual({
      figures: [
        { name: 'cpuAvailable', value: -100 },
        { name: 'memAvailable', value: 100 },
      ],
    });
  });

  test('no more are kept than an agent of ours has, and one name once', () => {
    const figures = Array.from({ length: 1_000 }, (_, index) => ({ name: `f${index >> 1}`, value: 1 }));
    expect(readMeasured({ figures })?.figures.map(({ name }) => name)).toEqual(
      Array.from({ length: 22 }, (_, index) => `f${index}`),
    );
  });
});

describe('of an inventory', () => {
  const entry = {
    namespace: 'apps',
    name: 'app',
    uid: 'uid-1',
    stamp: 'uid-1/1/hash/one',
    statusHash: 'abc',
  };

  test('entries that can be read are kept', () => {
    const entries = [
      entry,
      { ...entry, namespace: 'a/b' },
      { ...entry, statusHash: HUGE },
      { ...entry, stamp: HUGE },
      null,
      { ...entry, more: HUGE },
    ];
    expect(readInventory({ entries, after: null, upTo: 'b' })).toEqual({
      entries: [entry, entry],
      after: null,
      upTo: 'b',
    });
  });

  test('a Capp that the Go operator has shipped is told of by its name alone', () => {
    const adopted = { ...entry, uid: '', stamp: '' };
    const half = [
      { ...entry, uid: '' },
      { ...entry, stamp: '' },
    ];
    expect(readInventory({ entries: [adopted, ...half] })?.entries).toEqual([adopted]);
  });

  test('no more of them are read than an agent sends', () => {
    expect(readInventory({ entries: Array.from({ length: 2_001 }, () => entry) })).toBeNull();
    expect(readInventory({ entries: [], after: HUGE })).toBeNull();
  });
});
