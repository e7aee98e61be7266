// Makes a choice of a site without shipping anything.
import { askOf } from '../next/questions.ts';
import { isFailed } from '../../engine/failed.ts';
import type { CappLife } from '../life.ts';
import { localFirst } from '../../engine/local-first.ts';
import type { Placed } from '../../ports/applied.ts';
import type { Choice } from '../../ports/choice.ts';

/** Reads works live: a `place` that failed may have created one that no cache shows yet. */
export async function chooseOnly({ state: asked, runtime }: CappLife): Promise<Placed> {
  const { capp, mayHaveWorks } = asked;
  const found = mayHaveWorks
    ? await localFirst(runtime, 'Look for works', (by) => by.find(capp, null))
    : { works: [] };
  const choice = await runtime
    .localRead('Choose a site')
    .choose(capp, askOf(asked, found.works))
    .catch(behind);
  return { choice, at: runtime.now(), shipped: null };
}

/** A choice that took longer than its second is repeated: the caches may still be filling. */
function behind(error: unknown): Choice {
  if (isFailed(error)) return { outcome: 'Behind' };
  throw error;
}
