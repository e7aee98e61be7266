import { crowds, idleCopies, LEFT_WITHIN_MS, undone } from '../../soak/storm/check/copies.ts';
import { stormRecord } from '../../support/builders/storm-facts.ts';

const APP = 'shop/app';
const CAPPS = new Set([APP]);
const work = (site: string): string => `${site}/mw-create-shop-app`;

describe('no double', () => {
  test('a third work is one too many', () => {
    const record = stormRecord();
    for (const site of ['site-1', 'site-2', 'site-3'])
      record.add('hub', 'ManifestWork', work(site), { of: APP });
    expect(crowds(record.facts, CAPPS)).toEqual([
      `12:00:03.000, revision 3: ${APP} had 3 works: ${['site-1', 'site-2', 'site-3'].map(work).join(', ')}.`,
    ]);
  });

  test('a work that is being deleted does not count, and what counts is told once', () => {
    const record = stormRecord();
    for (const site of ['site-1', 'site-2']) record.add('hub', 'ManifestWork', work(site), { of: APP });
    record.add('hub', 'ManifestWork', work('site-1'), { isLeaving: true });
    record.add('hub', 'ManifestWork', work('site-3'), { of: APP });
    expect(crowds(record.facts, CAPPS)).toEqual([]);
    record.add('hub', 'ManifestWork', work('site-4'), { of: APP });
    record.add('hub', 'ManifestWork', work('site-4'), { isReady: true });
    expect(crowds(record.facts, CAPPS)).toHaveLength(1);
  });

  test('a Bundle may have as many works as sites', () => {
    const record = stormRecord();
    for (const site of ['site-1', 'site-2', 'site-3'])
      record.add('hub', 'ManifestWork', `${site}/bundle-shop.settings`, { of: 'shop/settings' });
    expect(crowds(record.facts, CAPPS)).toEqual([]);
  });
});

describe('two works only while it moves', () => {
  const start = Date.UTC(2026, 0, 1, 12);
  const after = (ms: number) => ({ at: start + ms });
  const LATE = LEFT_WITHIN_MS + 1;

  /** A Capp with two works from the start. */
  function both(isMoving: boolean) {
    const record = stormRecord();
    record.add('hub', 'Capp', APP, { isMoving, served: 'site-1', ...after(0) });
    record.add('site-1', 'Capp', APP, { isServing: true, ...after(0) });
    for (const site of ['site-1', 'site-2'])
      record.add('hub', 'ManifestWork', work(site), { of: APP, ...after(0) });
    return record;
  }

  test.each([
    ['stay for long', false, (one: ReturnType<typeof both>) => one.add('hub', 'Capp', APP, after(LATE)), 1],
    [
      'stay as long as may be',
      false,
      (one: ReturnType<typeof both>) => one.add('hub', 'Capp', APP, after(LATE - 1)),
      0,
    ],
    [
      'stay for long while it moves',
      true,
      (one: ReturnType<typeof both>) => one.add('hub', 'Capp', APP, after(LATE)),
      0,
    ],
  ] as const)('two works that %s', (_, isMoving, then, told) => {
    const record = both(isMoving);
    then(record);
    expect(idleCopies(record.facts, CAPPS)).toHaveLength(told);
  });

  test.each([
    ['it says that it moves', 'Capp', APP, { isMoving: true }],
    ['one is being deleted', 'ManifestWork', work('site-1'), { isLeaving: true }],
    ['the Capp is being deleted', 'Capp', APP, { isLeaving: true }],
    ['users are sent where no copy serves', 'Capp', APP, { served: 'site-2' }],
  ] as const)('the time ends when %s', (_, kind, key, said) => {
    const record = both(false);
    record.add('hub', kind, key, { ...said, ...after(1_000) });
    record.add('hub', 'Capp', APP, after(LATE));
    expect(idleCopies(record.facts, CAPPS)).toEqual([]);
  });

  test.each([
    ['where users are sent', 'site-1', 0],
    ['where they are not', 'site-2', 1],
  ])('the time does not count while the site %s is lost', (_, site, told) => {
    const record = both(false);
    record.add('hub', 'Capp', APP, after(1_000));
    record.add('hub', 'Capp', APP, after(LATE));
    const lost = { site, from: start + 500, to: start + 2_000 };
    expect(idleCopies(record.facts, CAPPS, [lost])).toHaveLength(told);
  });

  test('those of a Bundle may stay, and the breach says for how long', () => {
    const record = both(false);
    record.add('hub', 'ManifestWork', work('site-2'), { isLeaving: true, ...after(LATE) });
    expect(idleCopies(record.facts, new Set())).toEqual([]);
    expect(idleCopies(record.facts, CAPPS)).toEqual([
      `12:03:00.001, revision 5: ${APP} had two works for ${LATE} ms while it did not say that it moves.`,
    ]);
  });
});

describe('nothing undone', () => {
  test('an older edit that comes back is told with both numbers', () => {
    const record = stormRecord();
    for (const edition of [1, 3, 3, 2]) record.add('hub', 'ManifestWork', work('site-1'), { edition });
    expect(undone(record.facts)).toEqual([
      `12:00:04.000, revision 4: hub ManifestWork ${work('site-1')} got edit 2 after it had had 3.`,
    ]);
  });

  test('it is seen also when the object was deleted in between', () => {
    const record = stormRecord();
    record.add('site-1', 'Capp', APP, { edition: 3 });
    record.end('site-1', 'Capp', APP);
    record.add('site-1', 'Capp', APP, { edition: 2 });
    expect(undone(record.facts)).toHaveLength(1);
  });

  test('sites may have edits one after the other, and each its own', () => {
    const record = stormRecord();
    record.add('site-1', 'Capp', APP, { edition: 3 });
    record.add('site-2', 'Capp', APP, { edition: 2 });
    record.add('site-2', 'Capp', APP, { edition: 3 });
    expect(undone(record.facts)).toEqual([]);
  });

  test('while the older edit stays, the newer is remembered', () => {
    const record = stormRecord();
    for (const edition of [3, 1, 2]) record.add('hub', 'Capp', APP, { edition });
    expect(undone(record.facts)).toHaveLength(2);
  });
});
