// The name of a Capp's ManifestWork.
import { hashedWorkName, workName } from '../../../crds/ocm/work-identity.ts';

describe('the name of a work', () => {
  test.each<[string, string, RegExp]>([
    ['apps', 'app', /^mw-create-apps-app$/],
    ['n'.repeat(63), 'c'.repeat(114), /^mw-create-n{63}-c{114}$/],
    ['n'.repeat(63), 'c'.repeat(115), /^mw-create-[0-9a-f]{40}$/],
  ])(
    'of Capp %s/%s is readable while it is short enough, and hashed otherwise',
    (namespace, name, expected) => {
      expect(workName(namespace, name)).toMatch(expected);
    },
  );

  test('W34 leaves room for the prefix that OCM adds', () => {
    for (let length = 1; length <= 253; length += 1) {
      expect(`${'0'.repeat(64)}-${workName('n'.repeat(63), 'c'.repeat(length))}`.length).toBeLessThanOrEqual(
        253,
      );
    }
  });

  test('W15 has a hashed form, which differs where two Capps have the same readable name', () => {
    expect(workName('a', 'b-c')).toBe(workName('a-b', 'c'));
    expect(hashedWorkName('a', 'b-c')).not.toBe(hashedWorkName('a-b', 'c'));
  });
});
