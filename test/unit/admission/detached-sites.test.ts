// A set whose site is gone from the hub can be edited: only sites that an edit adds are looked at, as with
// Bundles.
import { PATHS } from '../../../admission/router.ts';
import { asked, judged, said } from '../../support/builders/admission.ts';
import { aSet, aTemplate } from '../../support/builders/fleet/sets.ts';

const named = (clusters: readonly string[], image = 'ghcr.io/me/app:v1') =>
  aSet('shop', { sites: { clusters }, template: aTemplate(image) });
const problems = (set: object, before: object | null = null) =>
  said(judged(PATHS.validateCappSet, asked(set, before)).problems);
const UTOPIA = /^spec\.sites\.clusters\[1\]: "utopia" is neither a site nor a placement/;

const standing = named(['site-1', 'atlantis']);

test('a set that names a detached site can get a new image, and go back', () => {
  const newer = named(['site-1', 'atlantis'], 'ghcr.io/me/app:v2');
  expect(problems(newer, standing)).toEqual([]);
  expect(problems(standing, newer)).toEqual([]);
  expect(problems(named(['atlantis'], 'ghcr.io/me/app:v2'), standing)).toEqual([]);
});

test('a site that an edit of a set adds is looked at', () => {
  const both = named(['atlantis', 'utopia']);
  expect(problems(both, standing)).toEqual([expect.stringMatching(UTOPIA)]);
  expect(problems(both, null)).toHaveLength(2);
  expect(problems(named(['site-1', 'local-cluster']), standing)).toHaveLength(1);
});
