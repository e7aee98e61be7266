import { join } from 'node:path';
import { MUTANTS } from '../../mutants/list.ts';
import { put } from '../../mutants/mutant.ts';

const ROOT = join(import.meta.dirname, '../../..');

test.each(MUTANTS)('a mutant can still be put into $file: $breaks', (mutant) => {
  expect(put(ROOT, mutant).source).toContain(mutant.becomes);
});
