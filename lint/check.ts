// `node lint/check.ts`: prints what is out of order in the house, and fails if there is anything.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { disorder } from './house.ts';

const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.mts', '*.cts', '*.js', '*.mjs'], {
  encoding: 'utf8',
});
// A file that was removed and not committed is still listed.
const files = list.split('\n').filter((file) => file !== '' && existsSync(file));
const found = await disorder(files.map((file) => ({ file, text: readFileSync(file, 'utf8') })));
for (const sentence of found) console.error(sentence);
process.exitCode = found.length === 0 ? 0 : 1;
