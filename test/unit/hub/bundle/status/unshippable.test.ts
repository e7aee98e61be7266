// The status of a Bundle that cannot be shipped as it is now, or that is being deleted.
import {
  refusedStatus,
  leavingStatus,
  unshippableStatus,
} from '../../../../../activities/hub/bundle/status/status.ts';
import {
  COURSE,
  NOW,
  bundle,
  conditionOf,
  of,
  revision,
  told,
} from '../../../../support/builders/fleet/bundle-status.ts';

test('a Bundle that cannot be shipped keeps what it said of sites, and says that nothing is changed', () => {
  const known = { ...bundle, status: told([of('site-1')]).status };
  const status = refusedStatus(known, { reason: 'TooLarge', message: 'It is too large.' }, NOW);
  expect(status).toMatchObject({ readyOfSites: '1/1', revision });
  expect(conditionOf(status, 'Ready')).toMatchObject({
    status: 'False',
    reason: 'TooLarge',
    message: 'It is too large. Nothing is changed on any site until then.',
  });
});

test('a Bundle that runs and cannot be shipped as it is now says how its sites are, why, and what waits for a person', () => {
  const refusal = { reason: 'Unreadable', message: 'ConfigMap a, key b, line 3: leave one out.' };
  const judged = { course: COURSE, verdicts: [of('site-1')], leaving: [], late: [], places: {} };
  const status = unshippableStatus(bundle, judged, refusal, NOW);
  expect(status).toMatchObject({ readyOfSites: '1/1', revision });
  expect(conditionOf(status, 'Ready')).toMatchObject({
    status: 'False',
    reason: 'Unreadable',
    message:
      'ConfigMap a, key b, line 3: leave one out. What runs on its sites goes on, and no site gets anything new until then.',
  });
  expect(conditionOf(status, 'Stalled')).toMatchObject({ status: 'True', reason: 'Unreadable' });
  expect(conditionOf(status, 'Progressing')?.message).toBe('Nothing is sent to sites.');
  const held = unshippableStatus(bundle, { ...judged, course: { ...COURSE, held: 7 } }, refusal, NOW);
  expect(conditionOf(held, 'Progressing')?.message).toMatch(
    /^Nothing is sent to sites\. 7 works would be removed, .*approve-removal='7#/,
  );
});

test('a deletion names the sites that it waits for, and how to give up a lost one', () => {
  const status = leavingStatus(
    bundle,
    { clusters: ['site-1', 'site-2'], lost: ['site-2'], isOrphaning: false, unremoved: [], unanswered: [] },
    NOW,
  );
  expect(status.leaving).toEqual(['site-1', 'site-2']);
  expect(conditionOf(status, 'Stalled')?.message).toContain(
    'set annotation rcs.dana.io/abandon of the Bundle to site-2',
  );
});
