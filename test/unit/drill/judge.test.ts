// What each check of a drill finds, by what the hub and the sites say.
import { judge, type SiteAnswer } from '../../../workflows/drill/decide/judge.ts';
import type { DrillCapp } from '../../../workflows/drill/port.ts';
import type { Inspected } from '../../../workflows/types/inspection.ts';
import { aDrillCapp, anInspection, aQuestion, GIB, someNeeds } from '../../support/builders/drill/drills.ts';

const answered = (plain: Partial<Inspected> = {}): SiteAnswer => ({
  said: [{ question: aQuestion(), inspected: anInspection(plain) }],
});
const judged = (capps: readonly DrillCapp[], answer: SiteAnswer = answered()) =>
  judge(capps, new Map([['site-2', answer]]));

/** `<check> <result> <reason>` of what did not pass, of each Capp. */
const faults = (capps: readonly DrillCapp[], answer?: SiteAnswer) =>
  judged(capps, answer).capps.map(({ found }) =>
    found
      .filter(({ result }) => result !== 'Passed')
      .map((one) => `${one.check} ${one.result} ${one.reason}`),
  );

const quota = (
  resource: 'pods' | 'requests.cpu' | 'requests.memory' | 'limits.cpu' | 'limits.memory',
  hard: number,
  used = 0,
) => ({
  namespace: 'apps',
  name: 'small',
  resource,
  hard,
  used,
});

test('a Capp against which nothing speaks passes every check', () => {
  const { capps, sites } = judged([aDrillCapp('app')]);
  expect(capps[0]?.found.map(({ check, result }) => `${check} ${result}`)).toEqual([
    'Choice Passed',
    'References Passed',
    'Quota Passed',
    'Capacity Passed',
    'Image Passed',
  ]);
  expect(sites).toEqual([
    {
      site: 'site-2',
      capps: 1,
      message: '4 cores and 8 GiB are free on nodes that take pods; these Capps ask for 0.5 cores and 1 GiB.',
    },
  ]);
});

test('a Capp that would go nowhere fails the choice, with the reason, and nothing else is asked of it', () => {
  const why = { reason: 'NoCandidate', message: 'No other site may run it.' };
  const { capps } = judged([aDrillCapp('app', { to: null, needs: null, why })]);
  expect(capps).toEqual([
    { capp: 'apps/app', site: null, found: [{ check: 'Choice', result: 'Failed', ...why }] },
  ]);
});

test.each([
  ['pods', quota('pods', 10, 10), ['Quota Failed QuotaTooSmall']],
  ['cpu', quota('requests.cpu', 1_000, 501), ['Quota Failed QuotaTooSmall']],
  ['cpu that just fits', quota('requests.cpu', 1_000, 500), []],
  ['memory', quota('requests.memory', GIB, 1), ['Quota Failed QuotaTooSmall']],
  ['limits of cpu', quota('limits.cpu', 999), ['Quota Failed QuotaTooSmall']],
  ['limits of memory', quota('limits.memory', 2 * GIB - 1), ['Quota Failed QuotaTooSmall']],
  ['limits that just fit', quota('limits.memory', 2 * GIB), []],
  ['pods of another namespace', { ...quota('pods', 0), namespace: 'other' }, []],
])('a quota of %s is looked at', (_, one, expected) => {
  const needs = someNeeds({ limitCpu: 1_000, limitMemory: 2 * GIB });
  expect(faults([aDrillCapp('app', { needs })], answered({ quotas: [one] }))).toEqual([expected]);
});

test('what a quota has left is named with what is asked for, and what helps', () => {
  const { capps } = judged(
    [aDrillCapp('app')],
    answered({ quotas: [quota('requests.memory', GIB, GIB / 2)] }),
  );
  expect(capps[0]?.found.find(({ check }) => check === 'Quota')?.message).toBe(
    'ResourceQuota apps/small on site-2 has 512 MiB left of requests.memory, and the Capp asks for 1 GiB. Raise it there, or lower what the Capp asks for.',
  );
});

test('Capps that come first take the quota and the nodes from those behind them', () => {
  const capps = ['a', 'b', 'c'].map((name) => aDrillCapp(name));
  expect(faults(capps, answered({ quotas: [quota('pods', 2)] }))).toEqual([
    [],
    [],
    ['Quota Failed QuotaTooSmall'],
  ]);
  const nodes = [
    { cpu: 600, memory: 8 * GIB, pods: 9 },
    { cpu: 600, memory: 8 * GIB, pods: 9 },
  ];
  expect(faults(capps, answered({ nodes }))).toEqual([[], [], ['Capacity Failed NoRoom']]);
});

test('a quota that refuses a Capp is not used up by it', () => {
  const capps = [aDrillCapp('large', { needs: someNeeds({ pods: 3 }) }), aDrillCapp('small')];
  expect(faults(capps, answered({ quotas: [quota('pods', 1)] }))).toEqual([
    ['Quota Failed QuotaTooSmall'],
    [],
  ]);
});

test('the sum of what is free does not count where no node has room for one pod', () => {
  const nodes = [
    { cpu: 300, memory: 8 * GIB, pods: 9 },
    { cpu: 300, memory: 8 * GIB, pods: 9 },
  ];
  expect(faults([aDrillCapp('app')], answered({ nodes }))).toEqual([['Capacity Failed NoRoom']]);
  expect(faults([aDrillCapp('app')], answered({ nodes, moreNodes: 3 }))).toEqual([
    ['Capacity Unknown NotAllNodes'],
  ]);
  const full = [{ cpu: 4_000, memory: 8 * GIB, pods: 0 }];
  expect(faults([aDrillCapp('app')], answered({ nodes: full }))).toEqual([['Capacity Failed NoRoom']]);
});

test('small pods leave the emptiest node to a large one', () => {
  const nodes = [
    { cpu: 4_000, memory: 8 * GIB, pods: 9 },
    { cpu: 4_000, memory: 2 * GIB, pods: 9 },
  ];
  const large = someNeeds({ memory: 8 * GIB });
  expect(faults([aDrillCapp('a'), aDrillCapp('b', { needs: large })], answered({ nodes }))).toEqual([[], []]);
});

test.each([
  ['OnNode', []],
  ['Failing', ['Image Failed ImageFailing']],
  ['KnownRegistry', ['Image Unknown ImageNotThere']],
  ['UnknownRegistry', ['Image Unknown RegistryUnknown']],
] as const)('an image that is %s there', (sight, expected) => {
  expect(faults([aDrillCapp('app')], answered({ images: [sight] }))).toEqual([expected]);
});

test('a Capp that asks for a million pods is counted as quickly as one for which no node has room', () => {
  const capps = [aDrillCapp('vast', { needs: someNeeds({ pods: 1_000_000, cpu: 0, memory: 0 }) })];
  const nodes = (pods: number) => [{ cpu: 4_000, memory: 8 * GIB, pods }];
  expect(faults(capps, answered({ nodes: nodes(3) }))).toEqual([['Capacity Failed NoRoom']]);
  expect(faults(capps, answered({ nodes: nodes(Number.MAX_SAFE_INTEGER) }))).toEqual([[]]);
});

test('an image that was not asked about is not taken for one that is there', () => {
  expect(faults([aDrillCapp('app')], answered({ images: [] }))).toEqual([['Image Unknown ImageNotAsked']]);
});

test('what would hold a shipment up fails, and so does a kind that the site does not serve', () => {
  const objection = { reason: 'MissingReference', message: 'The pod refers to Secret db (container app).' };
  expect(faults([aDrillCapp('app', { objection })])).toEqual([['References Failed MissingReference']]);
  expect(faults([aDrillCapp('app')], answered({ absent: ['Service'] }))).toEqual([
    ['References Failed KindAbsent'],
  ]);
  expect(faults([aDrillCapp('app')], answered({ absent: ['NfsPvc'] }))).toEqual([[]]);
  const lacks = { reason: 'ReferenceMissing', message: 'imagePullSecrets names Secret pull.' };
  expect(faults([aDrillCapp('app', { lacks })])).toEqual([['References Unknown ReferenceMissing']]);
});

test('nothing passes on a site that does not answer, nor where it does not name all', () => {
  const silent = { silent: 'The agent on site-2 did not answer in time.' };
  expect(faults([aDrillCapp('app')], silent)).toEqual([
    ['References', 'Quota', 'Capacity', 'Image'].map((check) => `${check} Unknown SiteSilent`),
  ]);
  expect(judged([aDrillCapp('app')], silent).sites).toEqual([
    { site: 'site-2', capps: 1, message: silent.silent },
  ]);
  expect(faults([aDrillCapp('app')], answered({ areAllQuotas: false }))).toEqual([
    ['Quota Unknown NotAllQuotas'],
  ]);
  expect(faults([aDrillCapp('app', { needs: null })])).toEqual([
    ['Quota', 'Capacity', 'Image'].map((check) => `${check} Unknown Unreadable`),
  ]);
});

test('a Capp that is disabled asks for no pod', () => {
  const needs = someNeeds({ pods: 0 });
  expect(faults([aDrillCapp('app', { needs })], answered({ nodes: [], quotas: [quota('pods', 0)] }))).toEqual(
    [[]],
  );
});
