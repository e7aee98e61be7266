import { unheard } from '../../soak/storm/check/heard.ts';
import { stormRecord, type StormRecord } from '../../support/builders/storm-facts.ts';

const APP = 'shop/app';
const SET = 'shop/set';

function whole(): StormRecord {
  const record = stormRecord();
  record.add('hub', 'Capp', APP);
  record.add('hub', 'ManifestWork', 'site-1/mw', { of: APP, isReady: true });
  record.add('site-1', 'Capp', APP, { isServing: true });
  record.add('hub', 'CappSet', SET, { rollout: 'r1' });
  return record;
}

const lacking = (record: StormRecord, requests = 1): string[] =>
  unheard(record.facts, { capps: new Set([APP]), fleets: [SET], asked: new Map([[APP, requests]]) });

test('a record with a serving copy, its work, a rollout and requests lacks nothing', () => {
  expect(lacking(whole())).toEqual([]);
});

test('a record without anything names each thing that it lacks', () => {
  const lacks = [`no version of the Capp ${APP}`, `no copy of ${APP} that served`];
  const more = [`no ManifestWork of ${APP} that was applied`, `no request to ${APP}`, `no rollout of ${SET}`];
  expect(lacking(stormRecord(), 0)).toEqual(
    [...lacks, ...more].map((what) => `the record has ${what}: the storm has proved nothing of it.`),
  );
});

test.each([
  ['a copy on a site that never served', (one: StormRecord) => one.add('site-1', 'Capp', APP)],
  [
    'a Capp of the hub that says so itself',
    (one: StormRecord) => one.add('hub', 'Capp', APP, { isServing: true }),
  ],
])('%s is no serving copy', (_, add) => {
  const record = stormRecord();
  add(record);
  expect(lacking(record)).toContainEqual(expect.stringContaining(`no copy of ${APP} that served`));
});

test.each([
  ['a work that was not applied', { of: APP }],
  ['a work of another Capp', { of: 'shop/other', isReady: true }],
])('%s is none of it', (_, said) => {
  const record = stormRecord();
  record.add('hub', 'ManifestWork', 'site-1/mw', said);
  expect(lacking(record)).toContainEqual(expect.stringContaining(`no ManifestWork of ${APP}`));
});

test('a set whose status has no rollout has rolled nothing', () => {
  const record = stormRecord();
  record.add('hub', 'CappSet', SET);
  expect(lacking(record)).toContainEqual(expect.stringContaining(`no rollout of ${SET}`));
});
