import { crowdedLanes, unapproved, type Approved } from '../../soak/storm/check/stages.ts';
import { stormRecord, type StormRecord } from '../../support/builders/storm-facts.ts';

const SET = 'shop/fleet';
const [FIRST, SECOND] = ['shop/fleet-site-1', 'shop/fleet-site-2'];
const STAGE: Approved = { owner: SET, stage: 'others', isInStage: (key) => key === SECOND };

/** A set with edit 1, whose revision the hub has said. */
function begun(): StormRecord {
  const record = stormRecord();
  record.add('hub', 'CappSet', SET, { edition: 1, rollout: 'r1' });
  record.add('hub', 'Capp', FIRST, { of: SET, edition: 1 });
  return record;
}

describe('no stage begins without its approval', () => {
  test('a copy of it that gets an edit is told', () => {
    const record = begun();
    record.add('hub', 'Capp', SECOND, { of: SET, edition: 1 });
    expect(unapproved(record.facts, STAGE)).toEqual([
      `12:00:03.000, revision 3: ${SECOND} got edit 1 of ${SET}, whose stage others was not approved.`,
    ]);
  });

  test('a person who approves that revision lets it begin', () => {
    const record = begun();
    record.add('hub', 'CappSet', SET, { approved: 'others#r1' });
    record.add('hub', 'Capp', SECOND, { of: SET, edition: 1 });
    record.add('hub', 'Capp', SECOND, { isReady: true });
    expect(unapproved(record.facts, STAGE)).toEqual([]);
  });

  test.each(['others#r1', 'first#r2', 'others#r3'])('%s does not let it begin with r2', (approved) => {
    const record = begun();
    record.add('hub', 'CappSet', SET, { approved });
    record.add('hub', 'CappSet', SET, { edition: 2, rollout: null });
    record.add('hub', 'CappSet', SET, { rollout: 'r2' });
    record.add('hub', 'Capp', SECOND, { of: SET, edition: 2 });
    expect(unapproved(record.facts, STAGE)).toHaveLength(1);
  });

  test('a revision that the hub has not said yet nobody can have approved', () => {
    const record = begun();
    record.add('hub', 'CappSet', SET, { approved: 'others#r1' });
    record.add('hub', 'CappSet', SET, { edition: 2, rollout: null });
    record.add('hub', 'Capp', SECOND, { of: SET, edition: 2 });
    expect(unapproved(record.facts, STAGE)).toHaveLength(1);
  });

  test('an approval that comes afterwards is too late', () => {
    const record = begun();
    record.add('hub', 'Capp', SECOND, { of: SET, edition: 1 });
    record.add('hub', 'CappSet', SET, { approved: 'others#r1' });
    expect(unapproved(record.facts, STAGE)).toHaveLength(1);
  });

  test('an approval counts for its revision also after another edit', () => {
    const record = begun();
    record.add('hub', 'CappSet', SET, { approved: 'others#r1' });
    record.add('hub', 'CappSet', SET, { edition: 2, rollout: null });
    record.add('hub', 'Capp', SECOND, { of: SET, edition: 1 });
    expect(unapproved(record.facts, STAGE)).toEqual([]);
  });
});

describe('no more sites are under way than may be', () => {
  const lanes = ({ facts }: StormRecord, maxConcurrent = 1): string[] =>
    crowdedLanes(facts, { owner: SET, maxConcurrent });

  test('a second one beside a first that is not Ready is told', () => {
    const record = begun();
    record.add('hub', 'Capp', SECOND, { of: SET, edition: 1 });
    expect(lanes(record)).toEqual([
      `12:00:03.000, revision 3: ${SECOND} got edit 1 of ${SET} beside ${FIRST}.`,
    ]);
    expect(lanes(record, 2)).toEqual([]);
  });

  test('one that was Ready takes no place any more, whatever becomes of it', () => {
    const record = begun();
    record.add('hub', 'Capp', FIRST, { isReady: true });
    record.add('hub', 'Capp', FIRST, { isReady: false });
    record.add('hub', 'Capp', SECOND, { of: SET, edition: 1 });
    expect(lanes(record)).toEqual([]);
  });

  test('that it was Ready with an earlier edit is no excuse', () => {
    const record = begun();
    record.add('hub', 'Capp', FIRST, { isReady: true });
    record.add('hub', 'Capp', FIRST, { edition: 2, isReady: false });
    record.add('hub', 'Capp', SECOND, { of: SET, edition: 2 });
    expect(lanes(record)).toHaveLength(1);
  });

  test('copies of others do not count', () => {
    const record = begun();
    record.add('hub', 'Capp', 'shop/other-site-2', { of: 'shop/other', edition: 1 });
    expect(lanes(record)).toEqual([]);
  });
});
