// The life of the workflow of an object on many sites: it ends with its object alone, asks for what was rung
// until a turn has seen it, and waits no longer and no shorter than a turn says.
import { ApplicationFailure } from '@temporalio/common';
import type { Runtime } from '../../../../workflows/engine/runtime.ts';
import { TERMINAL } from '../../../../workflows/failures.ts';
import type { TurnAsk, Turned } from '../../../../workflows/fleet/port.ts';
import { readFleetState } from '../../../../workflows/fleet/state.ts';
import { liveInFleet } from '../../../../workflows/fleet/workflow.ts';
import { NOW } from '../../../support/builders/states.ts';

type Seen = Extract<Turned, { outcome: 'Turned' }>;

const MEMORY = readFleetState(null).memory;
const turned = (changes: Partial<Seen> = {}): Seen => ({
  outcome: 'Turned',
  memory: MEMORY,
  says: '',
  isMore: false,
  minimumVersions: {},
  wakeAt: null,
  ...changes,
});
const ringOf = (versions: Readonly<Record<string, string>>) => ({
  causes: ['resync'],
  minimumVersions: versions,
});

interface Turn {
  readonly answer: Turned | Error;
  /** What rings while it is taken. */
  readonly rung?: unknown;
}

const ENDED = new Error('continued as new');

/** Takes these turns, and continues as new after the last. */
async function lived(turns: readonly Turn[], start: unknown = null) {
  const left = [...turns];
  const asked: TurnAsk[] = [];
  const by: string[] = [];
  const waits: number[] = [];
  let hear: (given: unknown) => void = () => undefined;
  let continued: unknown = null;
  const turning = (who: string) => () => ({
    turnFleet: async (_object: unknown, ask: TurnAsk): Promise<Turned> => {
      asked.push(structuredClone(ask));
      by.push(who);
      const turn = left.shift() ?? { answer: turned() };
      if (turn.rung !== undefined) hear(turn.rung);
      if (turn.answer instanceof Error) throw turn.answer;
      return turn.answer;
    },
  });
  const runtime = {
    id: () => 'cappset/apps/many',
    now: () => NOW,
    random: () => 0.5,
    sleep: async (ms: number) => void waits.push(ms),
    until: async (holds: () => boolean, atMost?: { ms: number }) => {
      if (!holds()) waits.push(atMost?.ms ?? -1);
    },
    handle: (_signal: unknown, handler: typeof hear) => void (hear = handler),
    isHandled: () => true,
    isLong: () => left.length === 0,
    continueAsNew: async (state: unknown) => {
      continued = structuredClone(state);
      throw ENDED;
    },
    show: () => undefined,
    countUnreadable: () => undefined,
    hub: turning('hub'),
    localWrite: turning('local'),
  } as unknown as Runtime;
  const end = await liveInFleet(start, runtime).then(
    () => 'over',
    (error: unknown) => (error === ENDED ? 'goes on' : error),
  );
  return { end, asked, by, waits, continued };
}

test('it is over when its object is gone, and not while it was rung for another of the name', async () => {
  expect(await lived([{ answer: { outcome: 'Gone' } }, { answer: turned() }])).toMatchObject({
    end: 'over',
    by: ['local'],
  });
  const rung = { answer: { outcome: 'Gone' } as const, rung: ringOf({ Capp: '9' }) };
  const { end, asked } = await lived([rung, { answer: turned() }]);
  expect([end, asked.map(({ minimumVersions }) => minimumVersions)]).toEqual([
    'goes on',
    [{}, { Capp: '9' }],
  ]);
});

test('what was rung during a turn is asked of the next, which follows at once; what was seen is not', async () => {
  const start = { minimumVersions: { Capp: '5', Drain: '3' } };
  const turns = [
    { answer: turned({ minimumVersions: { Capp: '7' } }), rung: ringOf({ Drain: '4' }) },
    { answer: turned() },
  ];
  const { asked, waits, continued } = await lived(turns, start);
  expect(asked.map(({ minimumVersions }) => minimumVersions)).toEqual([
    { Capp: '5', Drain: '3' },
    { Capp: '7', Drain: '4' },
  ]);
  expect(waits).toHaveLength(1);
  expect(continued).toMatchObject({ minimumVersions: {} });
});

test('a ring takes back nothing of what others have rung and no turn has seen yet', async () => {
  const behind = { answer: { outcome: 'Behind' } as const, rung: ringOf({ Drain: '4' }) };
  const { asked } = await lived([behind, { answer: turned() }], { minimumVersions: { Capp: '5' } });
  expect(asked.at(-1)?.minimumVersions).toEqual({ Capp: '5', Drain: '4' });
});

test('a ring that nobody can read has a turn follow all the same, and is counted', async () => {
  const { waits, continued } = await lived([{ answer: turned(), rung: 7 }, { answer: turned() }]);
  expect([waits.length, continued]).toEqual([1, expect.objectContaining({ unreadable: 1 })]);
});

test('it remembers what a turn remembers, also in the next run', async () => {
  const memory = { uid: 'u', handled: { approve: 'a', abort: '', retry: '', removal: '' } } as never;
  const { asked, continued } = await lived([{ answer: turned({ memory }) }, { answer: turned({ memory }) }]);
  expect(asked.map((ask) => ask.memory)).toEqual([null, memory]);
  expect(continued).toMatchObject({ memory });
});

test('the next run begins with what the last turn remembered, and asks for what it had not seen', async () => {
  const leaving = { digest: 'd', since: NOW };
  const refusal = { revision: 'r1', reason: 'Rejected', message: 'no', at: NOW, generation: 2 };
  const rest = { rollout: null, removal: {}, handled: {}, stuck: ['site-2'] };
  const memory = { uid: 'uid-1', leaving, refused: { 'site-1': refusal }, ...rest } as never;
  const rung = { answer: turned({ memory }), rung: ringOf({ Capp: '9' }) };
  const { continued } = await lived([rung], { unreadable: 2 });
  const next = await lived([{ answer: turned() }], continued);
  expect(next.asked).toMatchObject([{ minimumVersions: { Capp: '9' } }]);
  expect(next.asked[0]?.memory).toEqual(memory);
  expect(next.continued).toMatchObject({ unreadable: 2 });
});

const DAY = 24 * 3_600_000;

test.each<[string, number | null, number]>([
  ['until then', NOW + 30_000, 30_000],
  ['a second at least', NOW - 5_000, 1_000],
  ['a day at most', NOW + 9 * DAY, DAY],
  ['a day where nothing is due', null, DAY],
])('after a turn that names a time it waits %s', async (_how, wakeAt, ms) => {
  expect((await lived([{ answer: turned({ wakeAt }) }])).waits).toEqual([ms]);
});

test('a turn that has more to do is followed at once by a larger one, which the server tries', async () => {
  const { by, asked, waits } = await lived([{ answer: turned({ isMore: true }) }, { answer: turned() }]);
  expect([by, asked.map(({ most }) => most), waits]).toEqual([['local', 'hub'], [20, 100], [DAY]]);
});

test('a turn that has failed once is taken by the server, which reads anew', async () => {
  const failure = ApplicationFailure.retryable('no answer');
  const { by, asked } = await lived([{ answer: failure }, { answer: turned() }]);
  expect([by, asked.map(({ most, isAgain }) => [most, isAgain])]).toEqual([
    ['local', 'hub'],
    [
      [20, false],
      [100, true],
    ],
  ]);
});

test('a turn that is refused for good is taken again in a minute, by no one before', async () => {
  const refusal = ApplicationFailure.nonRetryable('no', TERMINAL[0]);
  const { by, waits } = await lived([{ answer: refusal }, { answer: turned() }]);
  expect([by, waits]).toEqual([
    ['local', 'local'],
    [60_000, DAY],
  ]);
});

test('caches that are behind are waited for a second each time, and not for ever', async () => {
  const start = { minimumVersions: { Capp: '99' } };
  const behind = Array.from({ length: 30 }, () => ({ answer: { outcome: 'Behind' } as const }));
  const { asked, waits } = await lived([...behind, { answer: turned() }], start);
  expect(asked.slice(0, 30).every(({ minimumVersions }) => minimumVersions['Capp'] === '99')).toBe(true);
  expect(asked[30]?.minimumVersions).toEqual({});
  expect(waits.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 1_000));
});

test('versions that were lost with a backup are asked for no longer after half a minute, however often it is rung', async () => {
  const behind = { answer: { outcome: 'Behind' } as const, rung: ringOf({ Capp: '9' }) };
  const turns = [...Array.from({ length: 30 }, () => behind), { answer: turned() }];
  const { asked } = await lived(turns, { minimumVersions: { Capp: '9', Drain: '7' } });
  expect(asked.at(-1)?.minimumVersions).not.toHaveProperty('Drain');
});
