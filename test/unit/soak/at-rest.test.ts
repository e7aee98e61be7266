import { changesAtRest, writesAtRest } from '../../soak/storm/check/at-rest.ts';
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
