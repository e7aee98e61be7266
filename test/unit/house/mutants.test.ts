import { join } from 'node:path';
import { MUTANTS } from '../../mutants/list.ts';
import { applyMutant } from '../../mutants/mutant.ts';

const ROOT = join(import.meta.dirname, '../../..');

test.each(MUTANTS)('the mutant of $file can be applied: $breaks', (mutant) => {
  expect(applyMutant(ROOT, mutant).source).toContain(mutant.becomes);
});
