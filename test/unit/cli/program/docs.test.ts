// The page about the program has its exit codes.
import { readFileSync } from 'node:fs';
import { EXIT } from '../../../../cli/exit.ts';

const page = readFileSync(new URL('../../../../docs/kubectl-capp.md', import.meta.url), 'utf8');

test('docs/kubectl-capp.md shows every exit code with its meaning, and no other', () => {
  const shown = [...page.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, means]) => [Number(code), means]);
  expect(shown).toEqual(Object.values(EXIT).map(({ code, means }) => [code, means]));
});
