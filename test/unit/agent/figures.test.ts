// How the free resources of a site, and custom scores, become figures from -100 to 100.
import { bounded, figuresOf, type FigureBounds } from '../../../activities/agent/score/figures.ts';
import { figuresOfData, figuresOfJson, merge } from '../../../activities/agent/score/custom-scores.ts';

const cpuOf = (available: number, bounds: FigureBounds, all = 10): number | undefined => {
  const of = (cpu: number) => ({ cpu, memory: 0 });
  return figuresOf({ allocatable: of(all), available: of(available) }, { cpu: bounds, memory: bounds })[0]
    ?.value;
};

describe('a figure', () => {
  it.each<{ title: string; available: number; bounds: FigureBounds; all?: number; value: number }>([
    { title: 'a site that is half free', available: 5, bounds: { min: 0, max: null }, value: 0 },
    { title: 'an empty site', available: 10, bounds: { min: 0, max: null }, value: 100 },
    { title: 'a full site', available: 0, bounds: { min: 0, max: null }, value: -100 },
    { title: 'a site without nodes', available: 0, bounds: { min: 0, max: null }, all: 0, value: -100 },
    { title: 'a quarter of the maximum', available: 25, bounds: { min: 0, max: 100 }, all: 40, value: -50 },
    { title: 'more than the maximum', available: 12, bounds: { min: 0, max: 8 }, value: 100 },
    { title: 'no more than the minimum', available: 2, bounds: { min: 2, max: 4 }, value: -100 },
    {
      title: 'a site smaller than the minimum',
      available: 5,
      bounds: { min: 20, max: null },
      all: 10,
      value: -100,
    },
    {
      title: 'a fraction, which is cut towards zero',
      available: 4.99,
      bounds: { min: 0, max: null },
      value: 0,
    },
  ])('for $title is $value', ({ available, bounds, all, value }) =>
    expect(cpuOf(available, bounds, all)).toBe(value),
  );

  it('has the names that Placements use', () => {
    const one = { cpu: 1, memory: 1 };
    const bounds = { min: 0, max: null };
    expect(figuresOf({ allocatable: one, available: one }, { cpu: bounds, memory: bounds })).toEqual([
      { name: 'cpuAvailable', value: 100 },
      { name: 'memAvailable', value: 100 },
    ]);
  });

  it.each([
    [1e9, 100],
    [-1e9, -100],
    [3.9, 3],
    [-0.5, 0],
    [Infinity, 100],
  ])('of %d is bounded to %d', (value, expected) => expect(bounded(value)).toBe(expected));
});

describe('custom scores', () => {
  it('are read from the integers of a ConfigMap', () => {
    expect(figuresOfData({ price: '-20', gpu: ' 500\n', note: 'cheap', half: '0.5' })).toEqual([
      { name: 'price', value: -20 },
      { name: 'gpu', value: 100 },
    ]);
  });

  it('are read from the numbers of a JSON object', () => {
    expect(figuresOfJson({ price: -20.7, note: 'cheap', nested: {} })).toEqual([
      { name: 'price', value: -20 },
    ]);
  });

  it.each([[[1, 2]], ['text'], [null]])('cannot be read from %j', (value) =>
    expect(() => figuresOfJson(value)).toThrow('not a JSON object'),
  );

  it('are merged by name, the first source first, and never replace a measured figure', () => {
    const first = [
      { name: 'price', value: 1 },
      { name: 'cpuAvailable', value: 1 },
    ];
    const second = [
      { name: 'price', value: 2 },
      { name: 'gpu', value: 3 },
      { name: 'no name', value: 4 },
    ];
    expect(merge(first, second)).toEqual([
      { name: 'gpu', value: 3 },
      { name: 'price', value: 1 },
    ]);
  });

  it('are limited to twenty', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ name: `figure-${index}`, value: 0 }));
    expect(merge(many, [])).toHaveLength(20);
  });
});
