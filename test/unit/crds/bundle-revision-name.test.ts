// The names of BundleRevisions, however long the name of the Bundle is.
import { bundleRevisionName } from '../../../crds/bundle/bundle-revision.ts';

const REVISION = '0123456789ab';
const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const long = (end: string): string => 'a'.repeat(253 - end.length) + end;

test('a name that fits is that of the Bundle and of the revision', () => {
  expect(bundleRevisionName('edge-base', REVISION)).toBe(`edge-base-${REVISION}`);
  const fits = 'b'.repeat(240);
  expect(bundleRevisionName(fits, REVISION)).toBe(`${fits}-${REVISION}`);
});

test('two Bundles whose long names begin alike have no name in common, since one would delete what the other keeps', () => {
  const names = [long('x'), long('y')].map((one) => bundleRevisionName(one, REVISION));
  expect(new Set(names).size).toBe(2);
});

test.each([241, 245, 253])('of a Bundle with %i characters it is a name, wherever its dots are', (length) => {
  for (let at = 200; at < length - 1; at += 1) {
    const name = bundleRevisionName(`${'a'.repeat(at)}.${'b'.repeat(length - at - 1)}`, REVISION);
    expect(name).toMatch(NAME);
    expect(name.length).toBeLessThanOrEqual(253);
  }
});
