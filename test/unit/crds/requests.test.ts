// The webhook, the hub worker and the bridge read a person's annotations in the same way.
import { requestOf, priorityOf } from '../../../activities/hub/place/move-rules.ts';
import { PATHS } from '../../../admission/router.ts';
import { isAsked } from '../../../bridge/resync/misplaced.ts';
import { FORCE, LAST_UPDATED_BY, MIGRATE, PRIORITY, requestedBy } from '../../../crds/labels.ts';
import { parseMoveRequest } from '../../../crds/capp/requests.ts';
import { asked, judged, raw } from '../../support/builders/admission.ts';
import { aCapp } from '../../support/builders/capps.ts';

const NEVER = { migrate: null, force: null };

test.each<[string, string | null]>([
  ['site-1#a', 'site-1'],
  ['#a', null],
])('webhook, hub worker and bridge all accept %j as a move request', (value, to) => {
  const capp = aCapp({ annotations: { [MIGRATE]: value } });
  expect(parseMoveRequest(value)).toEqual({ to, id: 'a' });
  expect(requestOf(capp, NEVER)).toMatchObject({ source: 'migrate', id: 'a', to });
  expect(isAsked(capp)).toBe(true);
  expect(judged(PATHS.validateCapp, asked(raw({}, { annotations: { [MIGRATE]: value } }))).problems).toEqual(
    [],
  );
});

test.each([
  'site-1',
  'site-1#',
  '#',
  'site-1#a#b',
  'site 1#a',
  'site-1#a b',
  `#${'a'.repeat(129)}`,
  `${'a'.repeat(254)}#a`,
])('webhook, hub worker and bridge all reject %j as a move request', (value) => {
  const capp = aCapp({ annotations: { [MIGRATE]: value } });
  expect(parseMoveRequest(value)).toBeNull();
  expect(requestOf(capp, NEVER)).toBeNull();
  expect(isAsked(capp)).toBe(false);
  expect(
    judged(PATHS.validateCapp, asked(raw({}, { annotations: { [MIGRATE]: value } }))).problems,
  ).toHaveLength(1);
});

test('a request names the person who wrote it, not the one who last edited the spec', () => {
  const annotations = { [FORCE]: '#1', [requestedBy(FORCE)]: 'alice', [LAST_UPDATED_BY]: 'bob' };
  expect(requestOf(aCapp({ annotations }), NEVER)).toMatchObject({ by: 'alice' });
  expect(requestOf(aCapp({ annotations: { [FORCE]: '#1', [LAST_UPDATED_BY]: 'bob' } }), NEVER)).toMatchObject(
    { by: 'an annotation' },
  );
});

test.each([
  ['10', 10],
  ['-1000', -1000],
  ['999999999', 1000],
  ['-999999999', -1000],
  ['1e9', 0],
  ['high', 0],
])(
  'a priority of %j counts as %d, because priorities are limited to 1000 in both directions',
  (value, wanted) => {
    expect(priorityOf(aCapp({ annotations: { [PRIORITY]: value } }))).toBe(wanted);
    expect(priorityOf(aCapp())).toBe(0);
  },
);
