// The entry of `kubectl capp`, which is `cappstan` too.
import { basename } from 'node:path';
import { run } from './program.ts';
import { terminalOf } from './terminal.ts';

const [, program = '', ...args] = process.argv;
const name = basename(program) === 'cappstan' ? 'cappstan' : 'kubectl capp';

// Streams may still be writing when this ends: the code is set, and nothing is cut off.
void run(
  { args, name, version: process.env['CAPPSTAN_VERSION'] ?? 'from sources' },
  terminalOf(process),
).then((code) => {
  process.exitCode = code;
});
