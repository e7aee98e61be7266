// `node lint/check.ts`: prints imports that lint/rooms does not allow, import cycles, and comments that are
// too wide, and exits with 1 if there are any.
import { readFileSync } from 'node:fs';
import { sources } from './sources.ts';
import { violations } from './violations.ts';

const found = await violations(sources().map((file) => ({ file, text: readFileSync(file, 'utf8') })));
for (const sentence of found) console.error(sentence);
process.exitCode = found.length === 0 ? 0 : 1;
