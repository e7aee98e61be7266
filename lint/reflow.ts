// `node lint/reflow.ts`: breaks the lines of comments that are too wide, in all sources.
import { readFileSync, writeFileSync } from 'node:fs';
import { reflowed } from './comments.ts';
import { sources } from './sources.ts';

for (const file of sources()) {
  const text = readFileSync(file, 'utf8');
  const next = reflowed(text);
  if (next !== text) writeFileSync(file, next);
}
