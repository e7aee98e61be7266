// Carries out what a Drain object asks for, and writes into its status what came of it.
import { accountOf, accountOfPlan } from './decide/account.ts';
import { adjusted, evacuation, orderedBy, orderStep, takenBack } from './decide/order-step.ts';
import type { DrainProgress } from './decide/progress.ts';
import type { DrainAccount, DrainAsked, DrainReport } from './object.ts';
import type { Order, Word } from './state.ts';
import { isFailed } from '../engine/failed.ts';
import type { Runtime } from '../engine/runtime.ts';
import type { OrderResult } from '../messages.ts';

/** What one run of an order holds. */
export interface OrderLife {
  readonly runtime: Runtime;
  order: Order;
  /** What has still to be said to the drain. */
  words: readonly Word[];
  account: DrainProgress | null;
  /** The Drain object has to be read. */
  isRung: boolean;
  /** How it ends when nothing has to be said any more, unless an account comes. */
  end: OrderResult | null;
}

/** A failure ends an order that has not been begun: the bridge starts another. */
export async function readObject(life: OrderLife): Promise<void> {
  const { runtime } = life;
  const { cluster, isUnread } = life.order;
  life.isRung = false;
  try {
    const { drain } = await runtime.hub(`Read Drain ${cluster}`).readDrain(cluster);
    await heed(life, drain);
  } catch (error) {
    if (isUnread === true || !isFailed(error)) throw error;
  }
}

async function heed(life: OrderLife, asked: DrainAsked | null): Promise<void> {
  const step = orderStep(life.order, asked);
  if (step.do === 'stop') takeBack(life, step.stops);
  if (asked === null || step.do === 'stop' || step.do === 'goOn') return;
  switch (step.do) {
    case 'begin':
      return begin(life, asked);
    case 'adjust':
      return adjust(life, asked, step.words);
    case 'plan':
      if (step.stops) takeBack(life, true);
      return plan(life, asked, step.ends);
    case 'note':
      await report(life, asked, { phase: null, account: null });
      if (step.ends) life.end = { cluster: life.order.cluster, phase: 'Noted' };
  }
}

/** Every Capp keeps its copies. */
function takeBack(life: OrderLife, stops: boolean): void {
  if (stops) life.words = [{ say: 'stop' }];
  life.order = takenBack(life.order);
  life.end = { cluster: life.order.cluster, phase: 'Stopped' };
}

/** The object is told first: what the drain reports then is news of this order. */
async function begin(life: OrderLife, asked: DrainAsked): Promise<void> {
  const { runtime } = life;
  const { cluster } = life.order;
  life.order = orderedBy(cluster, asked, runtime.now());
  life.words = [evacuation(life.order)];
  life.account = null;
  life.end = null;
  await report(life, asked, { phase: phaseOf(asked), account: null });
}

/** The drain is told first: what it reports then is as the object asks for. */
async function adjust(life: OrderLife, asked: DrainAsked, words: readonly Word[]): Promise<void> {
  const { cluster, object } = life.order;
  life.order = adjusted(life.order, asked);
  for (const word of words)
    await life.runtime.hub(`Tell the drain of ${cluster}: ${word.say}`).steer(cluster, word);
  if (object?.generation !== asked.generation)
    await report(life, asked, { phase: phaseOf(asked), account: null });
}

async function plan(life: OrderLife, asked: DrainAsked, ends: boolean): Promise<void> {
  const { cluster } = life.order;
  const found = await life.runtime
    .hub(`Plan the drain of ${cluster}`)
    .plan(cluster)
    .then(accountOfPlan, (error: unknown) => {
      // The site is gone, and so is whatever was there.
      if (!isFailed(error)) throw error;
      return accountOfPlan({ moves: {}, first: [], stays: [] });
    });
  await report(life, asked, { phase: 'Planned', account: found });
  if (ends) life.end = { cluster, phase: 'Planned' };
}

/** The object hears how the drain has ended; false if it has changed meanwhile. */
export async function isConcluded(life: OrderLife, account: DrainProgress): Promise<boolean> {
  const { object } = life.order;
  if (object !== undefined) {
    const phase = account.phase === 'Stopped' ? 'Stopped' : 'Done';
    await report(life, object, { phase, account: accountOf(account) });
  }
  return !life.isRung && life.words.length === 0;
}

function phaseOf({ paused }: DrainAsked): DrainReport['phase'] {
  return paused ? 'Paused' : 'Draining';
}

interface Said {
  readonly phase: DrainReport['phase'];
  readonly account: DrainAccount | null;
}

/** What is not written for good, as without the rights, is no reason to leave the drain undone. */
async function report(
  { order: { cluster }, runtime }: OrderLife,
  { uid, generation }: Pick<DrainAsked, 'uid' | 'generation'>,
  said: Said,
): Promise<void> {
  try {
    await runtime
      .hub(`Write how far drain ${cluster} is`)
      .reportDrain(cluster, { uid, at: runtime.now(), generation, ...said });
  } catch (error) {
    if (!isFailed(error)) throw error;
  }
}
