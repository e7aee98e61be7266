// How Kubernetes quantities are read as numbers.
import { amountOf } from '../../../crds/kubernetes/quantity.ts';

it.each<[string | number, number]>([
  ['100m', 0.1],
  ['2', 2],
  [3, 3],
  ['1.5', 1.5],
  ['.5', 0.5],
  ['1Ki', 1024],
  ['1.5Gi', 1.5 * 2 ** 30],
  ['128974848', 128974848],
  ['129e6', 129e6],
  ['1E3', 1000],
  ['1E', 1e18],
  ['129M', 129e6],
  ['500n', 5e-7],
  ['-2k', -2000],
])('%s is read as %d', (quantity, amount) => expect(amountOf(quantity)).toBeCloseTo(amount, 12));

it.each(['', 'much', '1Kib', '1 Gi', '1e', '--1'])('%j is refused', (text) =>
  expect(() => amountOf(text)).toThrow('is not a quantity'),
);
