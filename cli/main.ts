// The entry of `kubectl capp`, which is `cappstan` too.
import { basename } from 'node:path';
import { run } from './program.ts';
import { isBeside, startBeside } from './start-beside.ts';
import { terminalOf } from './terminal.ts';

const [, program = '', ...args] = process.argv;
const name = basename(program) === 'cappstan' ? 'cappstan' : 'kubectl capp';

const terminal = terminalOf(process);
const version = process.env['CAPPSTAN_VERSION'] ?? 'from sources';
const [command, ...rest] = args;
const beside = name === 'cappstan' && isBeside(command) ? command : null;

// Streams may still be writing when this ends: the code is set, and nothing is cut off.
const ending =
  beside === null
    ? run({ args, name, version }, terminal)
    : startBeside(beside, { args: rest, program }, terminal.note);
void ending.then((code) => {
  process.exitCode = code;
});
