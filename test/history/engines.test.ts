// The simulator's engine and Temporal's own give the same commands, with the same arguments at the same time
// and in the same order.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { quietLogs } from '../support/flow/quiet-logs.ts';
import { temporalLines } from '../support/engines/temporal-lines.ts';
import { replayedRuns, type Recorded } from '../support/engines/replayed-runs.ts';
import { difference } from '../support/engines/difference.ts';
import { simulatedOn } from '../support/engines/simulate-activations.ts';
import { simulatedLines } from '../support/engines/simulated-lines.ts';
import { simulatedRuns, type SimulatedRun } from '../support/engines/simulated-runs.ts';
import { historyOf } from '../support/engines/history-of-run.ts';

quietLogs();

const FOLDER = join(import.meta.dirname, 'recorded');
/**
 * Each with one to three Capps and the drains of their sites: chosen for what happens in them. A change of
 * what draws from their dice gives them other stories.
 */
const SEEDS = [4, 8, 18, 41];
/** All of these must have happened in them. */
const WORDS = [
  'cancels timer',
  'cancels activity',
  'accepts an Update',
  'refuses',
  'continues',
  'completes',
  'is found by',
];

test('on what real servers recorded, the simulator’s engine gives the commands that Temporal’s gave', async () => {
  const read = (file: string): Recorded => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Recorded;
  const runs = await replayedRuns(new Map(readdirSync(FOLDER).map((file) => [file, read(file)])));
  const compared = new Map<string, ReturnType<typeof difference>>();
  for (const [name, { activations }] of runs) {
    const simulated = await simulatedOn(activations);
    if (simulated !== null) compared.set(name, difference(name, simulated, temporalLines(activations)));
  }
  expect([...compared.values()].filter((found) => found !== null)).toEqual([]);
  expect(compared.size).toBeGreaterThanOrEqual(25);
}, 120_000);

test('on what a sample of seeds lived through, Temporal’s engine gives the commands that the simulator’s gave', async () => {
  const simulated = new Map<string, SimulatedRun>();
  for (const seed of SEEDS) {
    for (const [index, run] of (await simulatedRuns(seed)).entries())
      simulated.set(`seed ${seed}: ${run.id}, run ${index}`, run);
  }
  const runs = await replayedRuns(new Map([...simulated].map(([name, run]) => [name, historyOf(run, name)])));
  const said: string[] = [];
  const found = [...simulated].map(([name, { tasks, end }]) => {
    const { error, activations = [] } = runs.get(name) ?? {};
    if (error !== undefined) return { run: name, simulator: 'its history', temporal: error.message };
    const lines = simulatedLines(
      tasks.flat().map((batch) => [batch]),
      end,
    );
    said.push(...lines);
    return difference(name, lines, temporalLines(activations));
  });
  expect(found.filter((one) => one !== null)).toEqual([]);
  expect(WORDS.filter((word) => !said.some((text) => text.includes(`\n${word}`)))).toEqual([]);
}, 300_000);
