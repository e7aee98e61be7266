// A reader that ends early, such as `head`, makes no command say that it has done what it has not seen.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const TERMINAL = new URL('../../../../cli/terminal.ts', import.meta.url).href;

/** Writes until the pipe is closed, and then once more; its exit code says what it knows of that. */
const COMMAND = `
import { setImmediate as turn } from 'node:timers/promises';
import { terminalOf } from '${TERMINAL}';
const terminal = terminalOf(process);
const [stream, say] = process.argv[2] === 'out' ? [process.stdout, terminal.out] : [process.stderr, terminal.note];
let isClosed = false;
stream.on('error', () => { isClosed = true; });
while (!isClosed) { say('a line'); await turn(); }
say('a line that nobody reads');
for (let turns = 0; turns < 20; turns += 1) await turn();
process.exitCode = terminal.interrupted.aborted ? 130 : 6;
`;

let file: string;
beforeAll(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'closed-pipes-')), 'command.mjs');
  await writeFile(file, COMMAND);
});
afterAll(() => rm(join(file, '..'), { recursive: true, force: true }));

/** What the shell says of the command whose pipe ends after a line. */
async function codeOf(which: 'out' | 'err'): Promise<string> {
  const piped = which === 'out' ? '' : '2>&1 >/dev/null';
  const line = `{ { "$0" "$1" ${which} ${piped}; echo $? >&3; } | head -n 1 >/dev/null; } 3>&1`;
  const { stdout } = await promisify(execFile)('sh', ['-c', line, process.execPath, file]);
  return stdout.trim();
}

test('a command whose notes nobody reads goes on to its own end', async () => {
  expect(await codeOf('err')).toBe('6');
});

test('one whose output nobody reads is interrupted, and not done', async () => {
  expect(await codeOf('out')).toBe('130');
});
