// What a person is shown of what goes with a hub that is no more, and what lets it go.
import { refuseUnseenLosses, type LostWithHub } from '../../../../deploy/join/leave/gone.ts';

const object = (name: string) => ({
  resource: { apiVersion: 'v1', kind: '', plural: 'configmaps', namespaced: true },
  key: { namespace: 'team', name },
  uid: name,
});
const lost = (...names: string[]): LostWithHub => ({
  capps: [{ metadata: { namespace: 'team', name: 'shop' } }],
  works: [
    {
      work: { metadata: { name: 'a-work' }, spec: { manifestWorkName: 'work' } },
      objects: names.map((name) => object(name)),
    },
  ],
});
const saidOf = (losses: LostWithHub, lose: string | null): string => {
  try {
    refuseUnseenLosses(losses, lose);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};
const digestIn = (said: string): string => /--lose ([\da-f]{10})\.$/.exec(said)?.[1] ?? '';

test('all that goes is named, and goes by the digest of just that', () => {
  const said = saidOf(lost('one', 'two'), null);
  expect(said).toContain('1. Capp team/shop, with all that it runs.');
  expect(said).toContain('2. Work work: configmaps team/one, configmaps team/two.');
  expect(saidOf(lost('one', 'two'), digestIn(said))).toBe('');
  expect(saidOf(lost('one', 'two', 'three'), digestIn(said))).toContain('This is not the list');
  expect(saidOf(lost('one', 'two'), '0123456789')).toContain('This is not the list of --lose 0123456789.');
});

test('the digest knows also the objects that are only counted', () => {
  const many = Array.from({ length: 20 }, (_, index) => `object-${index}`);
  const said = saidOf(lost(...many), null);
  expect(said).toContain('configmaps team/object-7, 12 more.');
  expect(said).not.toContain('object-19');
  const others = [...many.slice(0, -1), 'another'];
  expect(digestIn(saidOf(lost(...others), null))).not.toBe(digestIn(said));
});

test('where nothing goes, nothing has to be seen', () => {
  const nothing = { capps: [], works: [] };
  expect(saidOf(nothing, null)).toBe('');
  expect(saidOf(nothing, '0123456789')).toContain('Leave it out');
});
