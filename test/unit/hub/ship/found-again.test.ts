import { foundAgain } from '../../../../activities/hub/ship/work-there.ts';
import { NEW_COPY } from '../../../../workflows/capp/after/copies.ts';

const STAMPED = { ...NEW_COPY, stamp: 'uid/1/hash' };

test.each([
  ['was made by this try', true, undefined, {}],
  ['was made by this try after an earlier one had gone', true, STAMPED, {}],
  ['is known to the workflow', false, STAMPED, {}],
  ['was there, of a copy that the workflow has no stamp of', false, NEW_COPY, { wasThere: true }],
  ['was there, of a copy that the workflow does not know', false, undefined, { wasThere: true }],
] as const)(
  'of a work that %s, the answer says whether an earlier answer was lost',
  (_, created, copy, says) => {
    expect(foundAgain({ created }, copy)).toEqual(says);
  },
);
