// `node lint/check.ts`: prints imports that lint/rooms does not allow and import cycles, and exits with 1
// if there are any.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { violations } from './violations.ts';

const list = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.mts', '*.cts', '*.js', '*.mjs'],
  {
    encoding: 'utf8',
  },
);
// git also lists files that are deleted but not committed.
const files = list.split('\n').filter((file) => file !== '' && existsSync(file));
const found = await violations(files.map((file) => ({ file, text: readFileSync(file, 'utf8') })));
for (const sentence of found) console.error(sentence);
process.exitCode = found.length === 0 ? 0 : 1;
