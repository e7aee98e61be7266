import { groundlessCures, type Illness } from '../../soak/storm/check/health.ts';
import { plainSecrets } from '../../soak/storm/check/plain-secrets.ts';
import { gaps } from '../../soak/storm/check/served.ts';
import { stormRecord } from '../../support/builders/storm-facts.ts';

const APP = 'shop/app';
const at = (second: number): number => Date.UTC(2026, 0, 1, 12) + second * 1_000;
const ill = (second: number, more: Partial<Illness> = {}): Illness => ({
  app: APP,
  site: 'site-1',
  from: at(second),
  ...more,
});

describe('no move for the health of a healthy app', () => {
  test.each([
    ['that nothing ailed', [], 1],
    ['that turned ill before', [ill(1)], 0],
    ['that turned ill afterwards', [ill(9)], 1],
    ['while another app was ill', [ill(1, { app: 'shop/other' })], 1],
  ])('one %s', (_, illnesses, told) => {
    const record = stormRecord();
    record.add('hub', 'Capp', APP, { movedFor: 'Tainted' });
    record.add('hub', 'Capp', APP, { movedFor: 'Unhealthy' });
    record.add('hub', 'Capp', APP, { served: 'site-2' });
    expect(groundlessCures(record.facts, illnesses)).toHaveLength(told);
  });
});

describe('a copy that stops', () => {
  test.each([
    ['is a gap', [], 1],
    ['where it was made ill is none', [ill(1)], 0],
    ['on another site than that is one', [ill(1, { site: 'site-2' })], 1],
    ['before it was made ill is one', [ill(5)], 1],
  ])('%s', (_, illnesses, told) => {
    const record = stormRecord();
    record.add('hub', 'ManifestWork', 'site-1/mw-create-shop-app', { of: APP });
    record.add('hub', 'Capp', APP);
    record.add('site-1', 'Capp', APP, { isServing: true });
    record.add('site-1', 'Capp', APP, { isServing: false });
    expect(gaps(record.facts, ['site-1', 'site-2'], illnesses)).toHaveLength(told);
  });
});

test('a work that shows a Secret is told, and what else shows it is not', () => {
  const record = stormRecord();
  record.add('hub', 'ManifestWork', 'site-1/mw-create-shop-app', { of: APP });
  record.add('hub', 'Capp', APP, { showsSecret: true });
  expect(plainSecrets(record.facts)).toEqual([]);
  record.add('hub', 'ManifestWork', 'site-1/mw-create-shop-app', { showsSecret: true });
  expect(plainSecrets(record.facts)).toEqual([
    '12:00:03.000, revision 3: site-1/mw-create-shop-app had a Secret that was not sealed.',
  ]);
});
