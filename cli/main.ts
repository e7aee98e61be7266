// The entry of `kubectl capp`, which is `cappstan` too.
import { basename } from 'node:path';
import { run } from './program.ts';
import { startHub } from './start-hub.ts';
import { terminalOf } from './terminal.ts';

const [, program = '', ...args] = process.argv;
const name = basename(program) === 'cappstan' ? 'cappstan' : 'kubectl capp';

const terminal = terminalOf(process);
const version = process.env['CAPPSTAN_VERSION'] ?? 'from sources';
const [command, ...rest] = args;
const isHub = name === 'cappstan' && command === 'hub';

// Streams may still be writing when this ends: the code is set, and nothing is cut off.
void (isHub ? startHub(rest, program, terminal.note) : run({ args, name, version }, terminal)).then(
  (code) => {
    process.exitCode = code;
  },
);
