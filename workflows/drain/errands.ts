// What a drain does with its Drain object beside its loop, so that Capps that ask need not wait for the API
// server: reads it, plans for it, and writes the end into its status.
import { accountOf, accountOfPlan } from './decide/account.ts';
import { heed, withoutBlindness } from './decide/heed.ts';
import { summaryOf } from './decide/progress.ts';
import type { DrainStep } from './decide/step.ts';
import { readsItsDrain } from './earlier.ts';
import type { DrainLife } from './handlers.ts';
import type { DrainAccount, DrainAsked, DrainReport } from './object.ts';
import type { DrainState } from './state.ts';
import { isFailed } from '../engine/failed.ts';

export interface Errands {
  /** Begins what is to be done, unless something is under way. */
  begin(step: DrainStep): void;
  /** How many have ended. */
  ended(): number;
  /** The Drain has been read since the last news, and its status says the end: the drain may end. */
  areDone(): boolean;
  /** What another run of the workflow goes on with. */
  checkpoint(): DrainState;
}

export function errands(life: DrainLife): Errands {
  const { runtime } = life;
  let isUnderWay = false;
  let ended = 0;
  /** The state of which the Drain has heard the end. */
  let concluded: DrainState | null = null;

  function run(work: () => Promise<void>): void {
    isUnderWay = true;
    const end = (): void => {
      isUnderWay = false;
      ended += 1;
    };
    void runtime.beside(work).result.then(end, (error: unknown) => {
      if (!isFailed(error)) throw error;
      end();
    });
  }

  async function conclude(): Promise<void> {
    const { state } = life;
    await read(life);
    if (life.state !== state) return;
    const { drain, generation = null, stopped } = state;
    if (drain !== undefined)
      await report(life, drain, {
        generation,
        phase: stopped ? 'Stopped' : 'Done',
        account: accountOf(summaryOf(state)),
      });
    concluded = state;
  }

  return {
    begin: (step) => {
      if (isUnderWay) return;
      if (life.state.isRung === true) run(() => read(life));
      else if (step.do === 'end' && concluded !== life.state) {
        if (readsItsDrain(life)) run(conclude);
        else concluded = life.state;
      }
    },
    ended: () => ended,
    areDone: () => !isUnderWay && concluded === life.state,
    checkpoint: () => (isUnderWay ? { ...life.state, isRung: true } : life.state),
  };
}

/** A Drain that cannot be read, as without the rights, changes nothing: the bridge rings again. */
async function read(life: DrainLife): Promise<void> {
  const { runtime } = life;
  life.state = withoutRing(life.state);
  const { cluster } = life.state;
  try {
    const { drain } = await runtime.hub(`Read Drain ${cluster}`).readDrain(cluster);
    const { state, tells } = heed(life.state, drain, runtime.now());
    life.state = state;
    if (drain === null || tells === null) return;
    if (tells === 'plan') await plan(life, drain);
    else await report(life, drain.uid, { generation: drain.generation, phase: null, account: null });
  } catch (error) {
    if (!isFailed(error)) throw error;
    life.state = withoutBlindness(life.state);
  }
}

/** A ring that comes while the Drain is read counts: the answer may be older. */
function withoutRing(state: DrainState): DrainState {
  if (state.isRung !== true) return state;
  const { isRung: _rung, ...rest } = state;
  return rest;
}

async function plan(life: DrainLife, { uid, generation }: DrainAsked): Promise<void> {
  const { cluster } = life.state;
  const account = await life.runtime
    .hub(`Plan the drain of ${cluster}`)
    .plan(cluster)
    .then(accountOfPlan, (error: unknown): DrainAccount => {
      // The site is gone, and so is whatever was there.
      if (!isFailed(error)) throw error;
      return accountOfPlan({ moves: {}, first: [], stays: [] });
    });
  await report(life, uid, { generation, phase: 'Planned', account });
}

/** What is not written for good, as without the rights, is no reason to go on or to begin again. */
async function report(
  { state: { cluster }, runtime }: DrainLife,
  uid: string,
  said: Pick<DrainReport, 'generation' | 'phase' | 'account'>,
): Promise<void> {
  try {
    await runtime
      .hub(`Write how far drain ${cluster} is`)
      .reportDrain(cluster, { uid, at: runtime.now(), ...said });
  } catch (error) {
    if (!isFailed(error)) throw error;
  }
}
