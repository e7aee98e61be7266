import { changesAtRest, writesAtRest } from '../../soak/storm/check/at-rest.ts';
import { failures } from '../../soak/storm/check/requests.ts';
import { stormRecord } from '../../support/builders/storm-facts.ts';

const asked = (process: string, request: string) => ({ process, request, about: 'shop/app' });

describe('nothing is written at rest', () => {
  test.each([
    ['hub', 'patch capps/status'],
    ['hub', 'patch capps/status (409)'],
    ['bridge', 'update hubstatuses'],
    ['site', 'create services'],
    ['cappstan-agent', 'delete configmaps'],
  ])('%s that asks to %s is told', (process, request) => {
    expect(writesAtRest('site-1', [asked(process, request)])).toEqual([
      `At rest, ${process} wrote to site-1: ${request}, shop/app.`,
    ]);
  });

  test.each([
    ['hub', 'get capps'],
    ['hub', 'patch addonplacementscores/status'],
    ['gateway', 'create tokenreviews'],
    ['webhook', 'create subjectaccessreviews'],
    ['kube-controller-manager', 'update endpoints'],
    ['cappstan', 'patch capps'],
    ['cappstan-stand-ins', 'patch pods/status'],
  ])('%s may %s', (process, request) => {
    expect(writesAtRest('hub', [asked(process, request)])).toEqual([]);
  });

  test('whatever changes after that time is told', () => {
    const record = stormRecord();
    record.add('hub', 'Capp', 'shop/app');
    record.add('site-1', 'Capp', 'shop/app');
    record.end('site-1', 'Capp', 'shop/app');
    expect(changesAtRest(record.facts, record.facts[1]?.at ?? 0)).toEqual([
      '12:00:02.000, revision 2: at rest, site-1 Capp shop/app was written.',
      '12:00:03.000, revision 3: at rest, site-1 Capp shop/app was deleted.',
    ]);
  });
});

describe('no request fails', () => {
  const noon = Date.UTC(2026, 0, 1, 12);
  const failed = { app: 'shop/app', site: 'site-1', from: noon, to: noon + 40, why: '503: no Pod' };

  test('one that nothing excuses is told', () => {
    expect(failures([failed], [])).toEqual([
      '12:00:00.000: a request to shop/app on site-1 failed after 40 ms: 503: no Pod.',
    ]);
  });

  test.each([
    ['while its site was cut off', { site: 'site-1', from: noon - 1_000, to: noon + 1_000 }, 0],
    ['that was under way when its site was cut off', { site: 'site-1', from: noon + 40, to: noon + 90 }, 0],
    ['a moment after its site is back', { site: 'site-1', from: noon - 9_000, to: noon - 5_000 }, 0],
    ['later than that', { site: 'site-1', from: noon - 9_000, to: noon - 5_001 }, 1],
    ['before its site was cut off', { site: 'site-1', from: noon + 41, to: noon + 90 }, 1],
    ['while another site was cut off', { site: 'site-2', from: noon - 1_000, to: noon + 1_000 }, 1],
  ])('one %s', (_, cutOff, told) => {
    expect(failures([failed], [cutOff])).toHaveLength(told);
  });
});
