// A sample of the simulator's seeds on a real Temporal: the simulator's engine, given what happened there,
// gives the same commands.
import { quietLogs } from '../support/flow/quiet-logs.ts';
import { startTemporal, type TemporalForTests } from '../support/flow/temporal.ts';
import { difference } from '../support/engines/difference.ts';
import { replayedRuns, type Recorded } from '../support/engines/replayed-runs.ts';
import { simulatedOn } from '../support/engines/simulate-activations.ts';
import { temporalLines } from '../support/engines/temporal-lines.ts';
import { livedThrough } from '../support/simulator/live/live-seed.ts';

quietLogs();

const SEEDS = [1, 2, 3, 4];
/** A history is called long after so many events. */
const LONG = '60';
/** All of these must have happened. */
const WORDS = [
  'timer',
  'activity',
  'cancels timer',
  'cancels activity',
  'accepts an Update',
  'is found by',
  'continues',
];
const TYPES = ['capp', 'turns'];

const namespaceOf = (seed: number): string => `seed-${seed}`;
let server: TemporalForTests;

beforeAll(async () => {
  const dynamicConfig = { 'limit.historyCount.suggestContinueAsNew': LONG };
  server = await startTemporal({ namespaces: SEEDS.map(namespaceOf), dynamicConfig });
}, 300_000);

afterAll(async () => {
  await server.stop();
});

test('seeds that ran on a real Temporal gave the commands that the simulator’s engine gives', async () => {
  const lives = await Promise.all(SEEDS.map((seed) => livedThrough(seed, server.address, namespaceOf(seed))));
  const histories = new Map(lives.flatMap((life) => [...life]) as unknown as [string, Recorded][]);
  const runs = await replayedRuns(histories);
  const texts: string[] = [];
  const found = [];
  for (const [name, { error, activations }] of runs) {
    const temporal = temporalLines(activations);
    texts.push(...temporal);
    expect(error).toBeUndefined();
    found.push(difference(name, (await simulatedOn(activations)) ?? [], temporal));
  }
  expect(found.filter((one) => one !== null)).toEqual([]);
  expect(WORDS.filter((word) => !texts.some((text) => text.includes(`\n${word}`)))).toEqual([]);
  expect(TYPES.filter((type) => ![...runs.keys()].some((name) => name.includes(` ${type}/`)))).toEqual([]);
}, 300_000);
