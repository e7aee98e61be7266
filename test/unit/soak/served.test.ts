import { gaps, removals } from '../../soak/storm/check/served.ts';
import { stormRecord, type StormRecord } from '../../support/builders/storm-facts.ts';

const SITES = ['site-1', 'site-2'];
const APP = 'shop/app';
const work = (site: string): string => `${site}/mw-create-shop-app`;

/** A Capp that serves on site-1, and users are sent there. */
function served(): StormRecord {
  const record = stormRecord();
  record.add('hub', 'Capp', APP);
  record.add('hub', 'ManifestWork', work('site-1'), { of: APP });
  record.add('site-1', 'Capp', APP);
  record.add('site-1', 'Capp', APP, { isServing: true });
  record.add('hub', 'Capp', APP, { served: 'site-1' });
  return record;
}

/** A second copy of it that serves on site-2. */
function moving(): StormRecord {
  const record = served();
  record.add('hub', 'ManifestWork', work('site-2'), { of: APP });
  record.add('site-2', 'Capp', APP, { isServing: true });
  return record;
}

describe('no gap', () => {
  test('a move that makes before it breaks has none', () => {
    const record = moving();
    record.add('hub', 'Capp', APP, { served: 'site-2' });
    record.add('hub', 'ManifestWork', work('site-1'), { isLeaving: true });
    record.add('site-1', 'Capp', APP, { isLeaving: true });
    record.end('site-1', 'Capp', APP);
    record.end('hub', 'ManifestWork', work('site-1'));
    expect(gaps(record.facts, SITES)).toEqual([]);
    expect(removals(record.facts, SITES)).toEqual([]);
  });

  test.each([
    ['it stopped', (record: StormRecord) => record.add('site-1', 'Capp', APP, { isServing: false })],
    ['it was being deleted', (record: StormRecord) => record.add('site-1', 'Capp', APP, { isLeaving: true })],
    ['it was gone', (record: StormRecord) => record.end('site-1', 'Capp', APP)],
  ])('a Capp whose only copy no longer serves, since %s, is told once', (why, happens) => {
    const record = served();
    happens(record);
    record.end('site-1', 'Capp', APP);
    expect(gaps(record.facts, SITES)).toEqual([
      `12:00:06.000, revision 6: no copy of ${APP} served any more, since ${why} on site-1.`,
    ]);
  });

  test('a gap of a single revision is seen, although the copy comes at once', () => {
    const record = served();
    record.add('site-1', 'Capp', APP, { isServing: false });
    record.add('site-2', 'Capp', APP, { isServing: true });
    expect(gaps(record.facts, SITES)).toHaveLength(1);
  });

  test('a copy on a lost site whose work was deleted fills no gap, and leaves none when it goes at last', () => {
    const record = moving();
    record.add('hub', 'Capp', APP, { served: 'site-2' });
    record.add('hub', 'ManifestWork', work('site-1'), { isLeaving: true });
    record.add('site-2', 'Capp', APP, { isServing: false });
    record.end('site-1', 'Capp', APP);
    const ill = { app: APP, site: 'site-2', from: Date.UTC(2026, 0, 1, 12) };
    expect(gaps(record.facts, SITES, [ill])).toEqual([]);
    expect(gaps(record.facts, SITES)).toEqual([
      `12:00:10.000, revision 10: no copy of ${APP} served any more, since it stopped on site-2.`,
    ]);
  });

  test.each([
    [
      'was being deleted',
      (record: StormRecord) => record.add('hub', 'ManifestWork', work('site-1'), { isLeaving: true }),
    ],
    ['was gone', (record: StormRecord) => record.end('hub', 'ManifestWork', work('site-1'))],
  ])(
    'a gap that the hub makes is told where it begins, since the work %s, and no illness excuses it',
    (how, happens) => {
      const record = served();
      happens(record);
      record.add('site-1', 'Capp', APP, { isServing: false });
      const ill = { app: APP, site: 'site-1', from: Date.UTC(2026, 0, 1, 12) };
      expect(gaps(record.facts, SITES, [ill])).toEqual([
        `12:00:06.000, revision 6: no copy of ${APP} served any more, since its work ${how} on site-1.`,
      ]);
    },
  );

  test('each gap of a Capp is told', () => {
    const record = served();
    for (const isServing of [false, true, false]) record.add('site-1', 'Capp', APP, { isServing });
    expect(gaps(record.facts, SITES)).toHaveLength(2);
  });

  test('a Capp that somebody deletes may end', () => {
    const record = served();
    record.add('hub', 'Capp', APP, { isLeaving: true });
    record.add('hub', 'ManifestWork', work('site-1'), { isLeaving: true });
    record.end('site-1', 'Capp', APP);
    expect(gaps(record.facts, SITES)).toEqual([]);
    expect(removals(record.facts, SITES)).toEqual([]);
  });

  test('one that has never served has no gap', () => {
    const record = stormRecord();
    record.add('hub', 'Capp', APP);
    record.add('site-1', 'Capp', APP);
    expect(gaps(record.facts, SITES)).toEqual([]);
  });
});

describe('the work of a copy that serves is not deleted', () => {
  const remove = (record: StormRecord): string[] => {
    record.add('hub', 'ManifestWork', work('site-1'), { isLeaving: true });
    return removals(record.facts, SITES);
  };

  test('when it is the only copy', () => {
    expect(remove(served())).toEqual([
      `12:00:06.000, revision 6: the work of ${APP} on site-1 was deleted, and no other copy served.`,
    ]);
  });

  test('when the new copy does not serve yet', () => {
    const record = served();
    record.add('hub', 'ManifestWork', work('site-2'), { of: APP });
    record.add('site-2', 'Capp', APP);
    record.add('hub', 'Capp', APP, { served: 'site-2' });
    expect(remove(record)).toHaveLength(1);
  });

  test('when the work of the new copy is being deleted, too', () => {
    const record = moving();
    record.add('hub', 'ManifestWork', work('site-2'), { isLeaving: true });
    record.add('hub', 'Capp', APP, { served: 'site-2' });
    expect(remove(record)).toHaveLength(1);
  });

  test('while users are sent there', () => {
    expect(remove(moving())).toEqual([
      `12:00:08.000, revision 8: the work of ${APP} on site-1 was deleted while users were sent there.`,
    ]);
  });

  test('also not by a deletion that nobody sees begin', () => {
    const record = served();
    record.end('hub', 'ManifestWork', work('site-1'));
    expect(removals(record.facts, SITES)).toHaveLength(1);
  });

  test('but that of a copy which does not serve may be', () => {
    const record = served();
    record.add('hub', 'ManifestWork', work('site-2'), { of: APP });
    record.add('site-2', 'Capp', APP);
    record.add('hub', 'ManifestWork', work('site-2'), { isLeaving: true });
    expect(removals(record.facts, SITES)).toEqual([]);
  });
});
