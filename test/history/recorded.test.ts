// Histories that real servers and workers wrote in the flow tests: whatever changes in the workflows must
// still replay every one of them and say the same. To write them anew after a change that is meant: make
// record
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { quietLogs } from '../support/flow/quiet-logs.ts';
import { replayAll } from '../support/replay/replay.ts';

quietLogs();

const FOLDER = join(import.meta.dirname, 'recorded');
const FILES = readdirSync(FOLDER).toSorted();

test('there is one for each of at least eight behaviours', () => {
  expect(FILES.length).toBeGreaterThanOrEqual(8);
});

let results: Awaited<ReturnType<typeof replayAll>>;

beforeAll(async () => {
  const read = (file: string) =>
    JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as { readonly events: readonly unknown[] };
  results = await replayAll(new Map(FILES.map((file) => [file, read(file)])));
}, 200_000);

test.each(FILES)('%s still replays', (file) => {
  const replayed = results.get(file);
  expect(replayed).toBeDefined();
  expect(replayed?.error).toBeUndefined();
  expect(replayed?.said.join('\n')).toMatchSnapshot();
});
