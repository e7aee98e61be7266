// Carries out one step of a Capp's workflow: calls activities and puts their answers into the state.
import { afterPoint } from '../after/dns.ts';
import { afterTurnRequest } from '../after/moving/moved.ts';
import type { NextStep } from '../next/next-step.ts';
import { turnRequestOf } from '../next/questions.ts';
import { awaited } from '../after/drains.ts';
import { afterMoveStep, type InMove } from '../after/in-move.ts';
import { isInDoubt } from '../facts/other-hub.ts';
import { isFailed, messageOf } from '../../engine/failed.ts';
import type { CappLife } from '../life.ts';
import { publish } from './publish.ts';
import { settle } from './settle.ts';
import { askAnew, report, rest, watch } from './wait.ts';
import { find, remove, retire } from './remove.ts';
import { apply, choose } from './ship.ts';

/** Carries out the step, measures what it changed, and tells the drains that wait for the outcome. */
export async function doStep(life: CappLife, step: NextStep): Promise<void> {
  const before = life.state;
  await perform(life, step);
  life.runtime.measure(before, life.state);
  await settle(life);
}

function perform(life: CappLife, step: NextStep): Promise<void> {
  switch (step.do) {
    case 'choose':
      return choose(life);
    case 'apply':
      return apply(life, step.cluster);
    case 'watch':
      return watch(life, step.cluster, step.until);
    case 'report':
      return report(life, step.cluster);
    case 'point':
      return point(life, step.cluster);
    case 'remove':
      return remove(life, step.clusters);
    case 'find':
      return find(life, step.clusters);
    case 'retire':
      return retire(life);
    case 'requestTurn':
      return requestTurn(life, step.cluster);
    case 'rest':
      return rest(life, step.until);
    default:
      return turn(life, step.do);
  }
}

/** Tried once: a provider that refuses must not keep the Capp from moving. */
async function point(life: CappLife, cluster: string): Promise<void> {
  const { runtime, state } = life;
  const pointing = runtime
    .localWrite(`Lead the DNS record to ${cluster}`)
    .point(state.capp, cluster, state.minimumVersions);
  const answer = await pointing.catch((error: unknown) => {
    if (!isFailed(error)) throw error;
    return messageOf(error);
  });
  life.state = afterPoint(life.state, cluster, answer, runtime.now());
  await publish(life, null);
}

/** A drain that cannot be asked counts as one that does not answer. */
async function requestTurn(life: CappLife, cluster: string): Promise<void> {
  const now = life.runtime.now();
  life.state = awaited(afterTurnRequest(life.state, { askedAt: now, answer: null }), cluster, now);
  await life.runtime
    .ask(`Ask turns/${cluster} for a turn`)
    .requestTurn(cluster, turnRequestOf(life.state))
    .catch((error: unknown) => {
      if (!isFailed(error)) throw error;
    });
}

async function turn(life: CappLife, what: InMove): Promise<void> {
  life.state = afterMoveStep(life.state, what, life.runtime.now());
  const { move, copies } = life.state;
  // The new copy is kept only because it may serve, so its agent is asked again whenever the move is
  // extended.
  if (what === 'extend' && move !== null && isInDoubt(copies[move.to])) askAnew(life, move.to);
  if (what !== 'begin') await publish(life, null);
}
