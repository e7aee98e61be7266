// Carries out one step of a Capp's workflow: calls activities and puts their answers into the state.
import { isNowhere, isOnlyCopy } from './decide/copies.ts';
import { afterPoint } from './decide/dns.ts';
import { isAskingForTurn } from './moving/leave.ts';
import { abandoned } from './moving/abandoned.ts';
import { afterTurnRequest } from './moving/moved.ts';
import type { Step } from './decide/next-step.ts';
import { turnRequestOf, reportInquiry, verdictInquiry } from './decide/questions.ts';
import { awaited } from './moving/drains.ts';
import { isTold, recordIn, afterChoice } from './decide/after-choice.ts';
import { afterTurn, type Turn } from './moving/steps.ts';
import { afterRetire, afterFind, afterRefusal, afterRemove } from './decide/after-removal.ts';
import { reporting, watching } from './decide/after-answer.ts';
import { telling } from './decide/publication.ts';
import { afterApply } from './decide/after-apply.ts';
import { chosenFor } from './decide/unsent.ts';
import { groundsOf } from './decide/removal.ts';
import { isFailed, messageOf } from '../engine/failed.ts';
import type { Life } from './life.ts';
import type { Placed } from '../ports.ts';
import { chooseOnly } from './choose-only.ts';
import { durably, localFirst } from '../engine/local-first.ts';
import { publish } from './publish.ts';
import { settle } from './settle.ts';
import { initialState, type State } from './state.ts';

type Shipped = NonNullable<Placed['shipped']>;

/** A drain that gave the Capp its turn, or was asked for one, gets the outcome. */
export async function doStep(life: Life, step: Step): Promise<void> {
  const before = life.state;
  await perform(life, step);
  life.runtime.measure(before, life.state);
  await settle(life);
}

function perform(life: Life, step: Step): Promise<void> {
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

async function choose(life: Life): Promise<void> {
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
async function place(life: Life): Promise<Placed | null> {
  const { state: asked, runtime } = life;
  try {
    return await runtime.localWrite('Choose a site and ship there').place(asked.capp, asked);
  } catch (error) {
    if (!isFailed(error)) throw error;
    life.state = { ...life.state, mayHaveWorks: true };
    return null;
  }
}

async function apply(life: Life, cluster: string): Promise<void> {
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

/** The state after an apply. */
async function take(life: Life, asked: State, { cluster, answer }: Shipped): Promise<void> {
  if (answer.outcome === 'Replaced') return startOver(life, answer.uid);
  life.record = null;
  life.state = afterApply(life.state, asked, cluster, answer);
  if (answer.outcome !== 'Deleted') await publish(life, null);
}

/** A site that cannot take the Capp does not affect the serving copy. */
async function endMove(life: Life, error: unknown): Promise<null> {
  if (!isFailed(error)) throw error;
  life.state = abandoned(life.state, life.runtime.now(), 'Failed');
  await publish(life, null);
  return null;
}

async function watch(life: Life, cluster: string, until: number): Promise<void> {
  const inquiry = verdictInquiry(life.state, cluster);
  if (inquiry === null) return;
  if (life.agent.ask(inquiry)) life.state = watching(life.state, cluster);
  await wait(life, alarm(life), until, `Deadline for ${cluster} to be Ready`);
  await publish(life, null);
}

async function report(life: Life, cluster: string): Promise<void> {
  const inquiry = reportInquiry(life.state, cluster);
  life.state = reporting(life.state, cluster);
  if (inquiry === null) return;
  // An answer that is on its way may be older than the ring.
  life.agent.drop(cluster);
  life.agent.ask(inquiry);
}

/** Tried once: a provider that refuses must not keep the Capp from moving. */
async function point(life: Life, cluster: string): Promise<void> {
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

/** A copy that cannot be removed stays a copy. That says nothing about the serving one. */
async function remove(life: Life, clusters: readonly string[]): Promise<void> {
  const { runtime, state } = life;
  const { capp, ringsHeard } = state;
  const grounds = groundsOf(state, clusters, runtime.now());
  for (const cluster of clusters) life.agent.drop(cluster);
  try {
    const soundly = grounds.staying === null ? durably : localFirst;
    const removed = await soundly(runtime, `Remove from ${clusters.join(', ')}`, (by) =>
      by.remove(capp, clusters, grounds),
    );
    life.state = afterRemove(life.state, clusters, removed, { now: runtime.now(), ringsHeard });
  } catch (error) {
    if (!isFailed(error)) throw error;
    life.state = afterRefusal(life.state, clusters, messageOf(error), { now: runtime.now(), ringsHeard });
  }
}

/** If the look fails, the next ring repeats it. */
async function find(life: Life, clusters: readonly string[]): Promise<void> {
  const { runtime, state } = life;
  const { capp, ringsHeard } = state;
  const looking = localFirst(runtime, `Check what is left on ${clusters.join(', ')}`, (by) =>
    by.find(capp, clusters),
  );
  const found = await looking.catch((error: unknown) => {
    if (isFailed(error)) return null;
    throw error;
  });
  life.state = afterFind(life.state, clusters, found, { now: runtime.now(), ringsHeard });
}

async function retire(life: Life): Promise<void> {
  life.agent.drop();
  const asked = life.state;
  const answer = await life.runtime.hub('Remove every copy').retire(asked.capp);
  if (answer.outcome === 'Replaced') return startOver(life, answer.uid);
  life.state = afterRetire(life.state, asked, answer, life.runtime.now());
  if (answer.outcome === 'Retired') await end(life);
  else await publish(life, null);
}

/**
 * A ring that came while the last work was deleted may be about a new object of the same name: then the
 * workflow goes on.
 */
async function end(life: Life): Promise<void> {
  if (life.state.ringsHeard > life.state.ringsAnswered) return;
  life.ended = true;
}

/** A drain that cannot be asked counts as one that does not answer. */
async function requestTurn(life: Life, cluster: string): Promise<void> {
  const now = life.runtime.now();
  life.state = awaited(afterTurnRequest(life.state, { askedAt: now, answer: null }), cluster, now);
  await life.runtime
    .ask(`Ask turns/${cluster} for a turn`)
    .requestTurn(cluster, turnRequestOf(life.state))
    .catch((error: unknown) => {
      if (!isFailed(error)) throw error;
    });
}

async function turn(life: Life, what: Turn): Promise<void> {
  life.state = afterTurn(life.state, what, life.runtime.now());
  if (what !== 'begin') await publish(life, null);
}

/**
 * Publishes the present state before it rests. A workflow that has just started publishes nothing, because it
 * knows less than the status shows. Waiting for a turn is not published: the turn comes in a moment, or is
 * published with what follows.
 */
async function rest(life: Life, until: number | null): Promise<void> {
  for (const { kind, cluster } of life.agent.asking()) if (kind === 'verdict') askForReport(life, cluster);
  const woken = alarm(life);
  if (life.state.published !== null && !isAskingForTurn(life.state, life.runtime.now()))
    await publish(life, null);
  // A question always ends, with an answer or as silence.
  const isAnswering = life.agent.asking().some(({ kind }) => kind === 'report');
  await wait(life, woken, isAnswering ? null : until, 'Another try');
  await publish(life, null);
}

/** Replaces a watch by a report: a verdict may be on its way, and the agent would not repeat it. */
function askForReport({ agent, state }: Life, cluster: string): void {
  const inquiry = reportInquiry(state, cluster);
  if (inquiry === null) agent.drop(cluster);
  else agent.ask(inquiry);
}

/**
 * Ends with a ring, a drain's message or an agent's answer, and when unreadable messages have made the
 * history long.
 */
function alarm(life: Life): () => boolean {
  const { ringsHeard, leave, awaitedBy } = life.state;
  const wasLong = life.runtime.isLong();
  const isSaid = (): boolean =>
    life.state.ringsHeard !== ringsHeard || life.state.leave !== leave || life.state.awaitedBy !== awaitedBy;
  return () => isSaid() || life.agent.hasNews() || (!wasLong && life.runtime.isLong());
}

async function wait(
  { runtime }: Life,
  woken: () => boolean,
  until: number | null,
  summary: string,
): Promise<void> {
  if (until === null) await runtime.until(woken);
  else await runtime.until(woken, { ms: Math.max(1, until - runtime.now()), summary });
}

/**
 * Another object has the name now. Everything is read again, as new as the rings ask, and works of the
 * earlier object are adopted or removed.
 */
async function startOver(life: Life, uid: string): Promise<void> {
  life.ended = true;
  life.agent.drop();
  await life.runtime.until(life.runtime.isHandled);
  const { capp, minimumVersions, awaitedBy } = life.state;
  await life.runtime.continueAsNew({
    ...initialState({ ...capp, uid }),
    minimumVersions,
    ...(awaitedBy === undefined ? {} : { awaitedBy }),
  });
}
