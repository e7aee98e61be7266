// The steps that choose a site and ship a Capp there.
import type { Placed } from '../../ports/applied.ts';
import { publish } from './publish.ts';
import { chooseOnly } from './choose-only.ts';
import { tellingOf } from '../changes.ts';
import type { CappLife } from '../life.ts';
import { chosenFor } from '../after/unsent.ts';
import { telling } from '../conditions/publication.ts';
import { isNowhere, isOnlyCopy } from '../facts/copies.ts';
import { afterChoice, recordIn, isTold } from '../after/choice.ts';
import { isFailed, messageOf } from '../../engine/failed.ts';
import { durably, localFirst } from '../../engine/local-first.ts';
import { afterApply, isNewCopyInDoubt } from '../after/apply.ts';
import type { State } from '../state.ts';
import { startOver } from './start-over.ts';
import { askAnew } from './wait.ts';
import { shipFailed } from '../after/moving/abandoned.ts';

type Shipped = NonNullable<Placed['shipped']>;

export async function choose(life: CappLife): Promise<void> {
  const { state } = life;
  life.state = chosenFor(state);
  // Works that are being deleted are looked at before a first choice, as for any Capp without a site.
  if (life.state !== state) return;
  const asked = telling(state, life.runtime.now());
  life.state = asked;
  const placed = isNowhere(asked) && !asked.mayHaveWorks ? await place(life) : null;
  const { choice, at, shipped } = placed ?? (await chooseOnly(life));
  life.state = afterChoice(life.state, asked, choice, at);
  life.record = recordIn(choice) ?? life.record;
  if (shipped !== null) return take(life, afterChoice(asked, asked, choice, at), shipped);
  if (isTold(choice, life.state, life.runtime.now())) await publish(life, null);
}

/**
 * Chooses and ships in one activity, since most Capps without a site are shipped as soon as one is chosen. If
 * that fails, each step is its own activity. A work may have been created all the same.
 */
async function place(life: CappLife): Promise<Placed | null> {
  const { state: asked, runtime } = life;
  try {
    return await runtime.localWrite('Choose a site and ship there').place(asked.capp, asked);
  } catch (error) {
    if (!isFailed(error)) throw error;
    life.state = { ...life.state, mayHaveWorks: true };
    return null;
  }
}

export async function apply(life: CappLife, cluster: string): Promise<void> {
  life.state = telling(life.state, life.runtime.now());
  const asked = life.state;
  const soundly = isOnlyCopy(asked, cluster) ? durably : localFirst;
  const shipping = soundly(life.runtime, `Ship to ${cluster}`, (by) =>
    by.apply(asked.capp, cluster, asked, life.record),
  );
  const isNewCopy = asked.move?.to === cluster && asked.serving !== cluster;
  const answer = isNewCopy ? await shipping.catch((error: unknown) => endMove(life, error)) : await shipping;
  if (answer !== null) await take(life, asked, { cluster, answer });
}

/**
 * Takes the outcome of an apply into the state, and publishes that. Another uid: the workflow starts over.
 */
async function take(life: CappLife, asked: State, { cluster, answer }: Shipped): Promise<void> {
  if (answer.outcome === 'Replaced') return startOver(life, answer.uid);
  life.record = null;
  const before = life.state;
  life.state = afterApply(before, asked, { cluster, answer, ...tellingOf(life) });
  if (isNewCopyInDoubt(before, life.state, { cluster, answer })) askAnew(life, cluster);
  if (answer.outcome !== 'Deleted') await publish(life, null);
}

/** A site that cannot take the Capp does not affect the serving copy. */
async function endMove(life: CappLife, error: unknown): Promise<null> {
  if (!isFailed(error)) throw error;
  life.state = shipFailed(life.state, life.runtime.now(), messageOf(error));
  await publish(life, null);
  return null;
}
