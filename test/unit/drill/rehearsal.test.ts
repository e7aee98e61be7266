// What is written of a drill is bounded, and what matters most is in it. What a site is asked is bounded,
// too.
import { Rehearsal } from '../../../crds/drain/rehearsal.ts';
import { bySite, questionsFor } from '../../../workflows/drill/decide/ask.ts';
import type { JudgedCapp } from '../../../workflows/drill/decide/judge.ts';
import { rehearsalOf } from '../../../workflows/drill/decide/rehearsal.ts';
import { aDrillCapp, someNeeds } from '../../support/builders/drill/drills.ts';
import { NOW } from '../../support/builders/states.ts';

const capp = (name: string, ...faults: [string, 'Failed' | 'Unknown', string][]): JudgedCapp => ({
  capp: `apps/${name}`,
  site: 'site-2',
  found: [
    { check: 'Choice', result: 'Passed', reason: 'Asked', message: '' },
    ...faults.map(([check, result, reason]) => ({
      check: check as 'Quota',
      result,
      reason,
      message: 'm'.repeat(900),
    })),
  ],
});
const written = (capps: readonly JudgedCapp[], all = capps.length) =>
  rehearsalOf({ generation: 3, at: NOW, all, capps, sites: [] });

test('five hundred Capps are counted, and a hundred of their findings named, as the CRD has it', () => {
  const image = (name: string) => capp(name, ['Image', 'Unknown', 'ImageNotThere']);
  const capps = [
    ...Array.from({ length: 300 }, (_, index) => image(`image-${index}`)),
    ...Array.from({ length: 198 }, (_, index) =>
      capp(`quota-${index}`, ['Quota', 'Failed', 'QuotaTooSmall']),
    ),
    capp('room', ['Capacity', 'Failed', 'NoRoom']),
    capp('fine'),
  ];
  const sites = Array.from({ length: 60 }, (_, index) => ({
    site: `site-${index}`,
    capps: 1,
    message: 'x'.repeat(900),
  }));
  const found = rehearsalOf({ generation: 3, at: NOW, all: 700, capps, sites });
  expect(Rehearsal.safeParse(found).error).toBeUndefined();
  expect(found).toMatchObject({
    observedGeneration: 3,
    capps: 500,
    leftOut: 200,
    ready: 1,
    failed: 199,
    unknown: 300,
  });
  expect(JSON.stringify(found).length).toBeLessThan(80_000);
  expect(found.checks.find(({ check }) => check === 'Quota')).toEqual({
    check: 'Quota',
    passed: 0,
    failed: 198,
    unknown: 0,
  });
});

test('what failed comes first, and each kind of finding in turn', () => {
  const many = Array.from({ length: 150 }, (_, index) =>
    capp(`q-${index}`, ['Quota', 'Failed', 'QuotaTooSmall']),
  );
  const { findings } = written([
    capp('unknown', ['Image', 'Unknown', 'ImageNotThere']),
    ...many,
    capp('room', ['Capacity', 'Failed', 'NoRoom']),
  ]);
  expect(findings).toHaveLength(100);
  expect(findings.slice(0, 2).map((one) => one.capp)).toEqual(['apps/q-0', 'apps/room']);
  expect(findings.every(({ result }) => result === 'Failed')).toBe(true);
});

test('a Capp with a failed check and an unknown one has failed', () => {
  const both = capp('both', ['Image', 'Unknown', 'ImageNotThere'], ['Quota', 'Failed', 'QuotaTooSmall']);
  expect(written([both])).toMatchObject({ ready: 0, failed: 1, unknown: 0 });
});

test('a site is asked about a hundred Capps at a time, about its nodes once, and about each image once', () => {
  const capps = Array.from({ length: 250 }, (_, index) =>
    aDrillCapp(`app-${index}`, {
      namespace: `team-${index}`,
      needs: someNeeds({ images: ['a:1', `b:${index}`, `c:${index}`, 'a:1'] }),
    }),
  );
  const questions = questionsFor(capps);
  expect(questions.map(({ namespaces }) => namespaces.length)).toEqual([100, 100, 50]);
  expect(questions.map(({ wantsNodes }) => wantsNodes)).toEqual([true, false, false]);
  expect(questions.map(({ images }) => images.length)).toEqual([200, 200, 101]);
  const nowhere = aDrillCapp('stays', { to: null });
  expect([...bySite([...capps, nowhere]).keys()]).toEqual(['site-2']);
});
