import { unverified } from '../../soak/storm/check/verified.ts';
import { stormRecord } from '../../support/builders/storm-facts.ts';

const SET = 'shop/set';
const [FIRST, SECOND] = ['shop/set-1', 'shop/set-2'];
const rule = { owner: SET, stage: 'first', checked: [FIRST], isLater: (key: string) => key === SECOND };

/** A set whose first copy has edit 2 of revision r2; the second one has edit 1 still. */
function begun() {
  const record = stormRecord();
  record.add('hub', 'CappSet', SET, { edition: 1, rollout: 'r1' });
  record.add('hub', 'Capp', FIRST, { of: SET, edition: 1, verified: 'r1' });
  record.add('hub', 'Capp', SECOND, { of: SET, edition: 1 });
  record.add('hub', 'CappSet', SET, { edition: 2, rollout: 'r2' });
  record.add('hub', 'Capp', FIRST, { edition: 2 });
  return record;
}

test('a later copy that gets an edit before the checks have passed with it is told, once', () => {
  const record = begun();
  record.add('hub', 'Capp', SECOND, { edition: 2 });
  record.add('hub', 'Capp', SECOND, { isReady: true });
  expect(unverified(record.facts, rule)).toEqual([
    `12:00:06.000, revision 6: ${SECOND} got edit 2 of ${SET}, and its checks had not passed on ${FIRST}.`,
  ]);
});

test.each([
  ['when they have passed', FIRST, { verified: 'r2' }, 0],
  ['when they have passed on another copy', SECOND, { verified: 'r2' }, 1],
  ['when a person has let the stage pass with it', SET, { approved: 'first#r2' }, 0],
  ['when a person has let another stage pass', SET, { approved: 'second#r2' }, 1],
  ['when a person has let an earlier revision pass', SET, { approved: 'first#r1' }, 1],
])('it may get it %s', (_, key, said, told) => {
  const record = begun();
  record.add('hub', key === SET ? 'CappSet' : 'Capp', key, said);
  record.add('hub', 'Capp', SECOND, { edition: 2 });
  expect(unverified(record.facts, rule)).toHaveLength(told);
});

test('that they have passed once with a revision counts on, also when they are made once more', () => {
  const record = begun();
  record.add('hub', 'Capp', FIRST, { verified: 'r2' });
  record.add('hub', 'Capp', FIRST, { verified: null });
  record.add('hub', 'Capp', SECOND, { edition: 2 });
  expect(unverified(record.facts, rule)).toEqual([]);
});
