// `node lint/check.ts`: prints imports that lint/rooms does not allow, import cycles, types of one name in
// two files, and comments that are too wide, and exits with 1 if there are any.
import { readFileSync } from 'node:fs';
import { wideComments } from './comments.ts';
import { namesakes } from './namesakes.ts';
import { sources } from './sources.ts';
import { violations } from './violations.ts';

const read = sources().map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const found = [
  ...(await violations(read)),
  ...(await namesakes(read)),
  ...read.flatMap(({ file, text }) => wideComments(file, text)),
];
for (const sentence of found) console.error(sentence);
process.exitCode = found.length === 0 ? 0 : 1;
