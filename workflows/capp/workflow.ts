// The workflow of one Capp: it asks `nextStep` what to do and does it, until the Capp is gone from hub and
// sites.
import { ApplicationFailure } from '@temporalio/common';
import { afterResync, withRing } from './after/rings.ts';
import { afterFailure, type Failed } from './after/failure.ts';
import { nextStep, type NextStep } from './next/next-step.ts';
import { afterNews } from './after/answer.ts';
import { generationOf, isFailed, messageOf } from '../engine/failed.ts';
import { Failure } from '../failures.ts';
import { NEEDLESS_DROPPED, NEEDLESS_UNSAID, noteChanges } from './changes.ts';
import { handle } from './handlers.ts';
import { readState } from '../parse/start.ts';
import type { CappLife } from './life.ts';
import { listener } from './listener.ts';
import { verifier } from './verifier.ts';
import { afterVerified, withoutNeedless } from './after/verification.ts';
import { publish, show } from './steps/publish.ts';
import { RESYNC_JITTER_MS, RESYNC_MS } from './resync.ts';
import { rungFor } from '../types/ring.ts';
import type { Runtime } from '../engine/runtime.ts';
import type { Start } from './state.ts';
import { doStep } from './steps/do-step.ts';
import { countUnreadable } from './unreadable.ts';

/**
 * Steps that a run takes after its history has become long, for the sake of Updates that wait for their
 * answer.
 */
const MORE_STEPS = 100;

export async function liveAsCapp(start: Start, runtime: Runtime): Promise<void> {
  const { record = null, ...state } = begin(start, runtime);
  const agent = listener(state.capp, runtime, {
    onUnheard: () => countUnreadable(life),
    onNews: (news) => noteChanges(life, afterNews(life.state, news, runtime.now())),
  });
  const checks = verifier(state.capp, runtime, () => countUnreadable(life));
  const began = { noted: new Set<string>(), ended: false, isContinuing: false, unpublished: null };
  const life: CappLife = { runtime, state, agent, verifier: checks, record, ...began };
  let overlong = 0;
  handle(life);
  noteChanges(life, life.state);
  void resyncDaily(life);
  while (!life.ended) {
    await takeNews(life);
    await takeVerified(life);
    if (life.noted.has(NEEDLESS_DROPPED)) life.state = withoutNeedless(life.state);
    const step = nextStep(life.state, runtime.now());
    show(life, step);
    if (runtime.isLong()) overlong += 1;
    if (overlong > MORE_STEPS || (overlong > 0 && runtime.isHandled())) await checkpoint(life);
    await take(life, step);
  }
  await runtime.until(runtime.isHandled);
}

/** Fails at once if its id names no Capp. */
function begin(start: unknown, runtime: Runtime): Start {
  const state = readState(start, runtime.id());
  if (state !== null) return state;
  const message = 'Start the workflow of a Capp with the id capp/<namespace>/<name>';
  throw ApplicationFailure.create({ type: Failure.Invalid, message, nonRetryable: true });
}

async function resyncDaily(life: CappLife): Promise<void> {
  const { runtime } = life;
  for (;;) {
    await runtime.sleep(RESYNC_MS + Math.floor(runtime.random() * RESYNC_JITTER_MS), 'Daily resync');
    life.state = afterResync(life.state);
  }
}

async function take(life: CappLife, step: NextStep): Promise<void> {
  const { ringsHeard } = life.state;
  try {
    await doStep(life, step);
  } catch (error) {
    if (!isFailed(error)) throw error;
    const refusal: Failed = { reason: 'Refused', message: messageOf(error), generation: generationOf(error) };
    life.state = afterFailure(life.state, refusal, { now: life.runtime.now(), ringsHeard });
    await publish(life, null);
  }
}

async function takeNews(life: CappLife): Promise<void> {
  const news = life.agent.take();
  if (news === null) return;
  const before = life.state;
  const after = afterNews(before, news, life.runtime.now());
  life.state = life.noted.has(NEEDLESS_UNSAID) ? withoutNeedless(after) : after;
  life.runtime.measure(before, life.state);
  // The confirmation of a move is published with its end, which follows in the same workflow task.
  if (life.state.move?.confirmation === 'Given') life.unpublished = news;
  else await publish(life, news);
}

async function takeVerified(life: CappLife): Promise<void> {
  const verified = life.verifier.take();
  if (verified === null) return;
  life.state = afterVerified(life.state, verified, life.runtime.now());
  await publish(life, null);
}

/**
 * Lets go of Update handlers that wait for the loop. Their callers hear that the request goes on in the next
 * run.
 */
async function checkpoint(life: CappLife): Promise<void> {
  const { record, runtime } = life;
  // What a site has answered and nobody has taken yet is asked for again, as is an open question.
  if (life.agent.hasNews() || life.agent.asking().some(({ kind }) => kind === 'report'))
    life.state = withRing(life.state, rungFor('site'));
  life.agent.drop();
  // Checks that have not ended are begun again by the next run.
  life.verifier.follow([]);
  life.isContinuing = true;
  await runtime.until(runtime.isHandled);
  const next: Start = record === null ? life.state : { ...life.state, record };
  await runtime.continueAsNew(next);
}
