// The life of one Capp: a durable workflow that asks `nextStep` what to do and does it, until the Capp is gone from hub and sites.
import { allHandlersFinished, condition, continueAsNew, setHandler, sleep, workflowInfo } from '@temporalio/workflow';
import { ApplicationFailure, type TemporalFailure } from '@temporalio/common';
import { conditionsOf, servingCopy } from './decide/conditions.ts';
import { fingerprint } from './decide/fingerprint.ts';
import {
  afterAnswer,
  afterApply,
  afterChoice,
  afterFailure,
  afterRemove,
  afterResync,
  afterRetire,
  afterSilence,
  answered,
  heard,
} from './decide/learn.ts';
import { asksForApply, nextStep, type Step } from './decide/next-step.ts';
import { isFailed } from './failed.ts';
import type { Life } from './life.ts';
import { listener, type News } from './listener.ts';
import * as messages from './messages.ts';
import type { Choice } from './ports.ts';
import { publish, show } from './publish.ts';
import { hub, near, RESYNC_JITTER_MS, RESYNC_MS } from './proxies.ts';
import { rungFor } from './ring.ts';
import { initialState, type State } from './state.ts';

export async function capp(start: State): Promise<void> {
  const life: Life = { state: start, agent: listener(start.capp), record: null, shown: '', ended: false };
  setHandler(messages.ring, (ring) => void (life.state = heard(life.state, ring)), {
    description: 'Look again: {"causes":["spec"],"marks":{}}',
  });
  setHandler(messages.view, () => life.state, { description: 'The whole state' });
  void resyncDaily(life);
  while (!life.ended) {
    await takeNews(life);
    const step = nextStep(life.state, Date.now());
    show(life, step);
    if (workflowInfo().continueAsNewSuggested && life.record === null) await checkpoint(life);
    await take(life, step);
  }
  await condition(allHandlersFinished);
}

async function resyncDaily(life: Life): Promise<void> {
  for (;;) {
    await sleep(RESYNC_MS + Math.floor(Math.random() * RESYNC_JITTER_MS), { summary: 'Daily look at everything' });
    life.state = afterResync(life.state);
  }
}

async function take(life: Life, step: Step): Promise<void> {
  const { rung } = life.state;
  try {
    await doStep(life, step);
  } catch (error) {
    if (!isFailed(error)) throw error;
    life.state = afterFailure(life.state, refusalOf(error), { now: Date.now(), rung });
    await publish(life, null);
  }
}

function doStep(life: Life, step: Step): Promise<void> {
  switch (step.do) {
    case 'choose':
      return choose(life);
    case 'apply':
      return apply(life, step.cluster);
    case 'watch':
      return watch(life, step.cluster, step.until);
    case 'report':
      return report(life, step.cluster);
    case 'remove':
      return remove(life, step.clusters);
    case 'retire':
      return retire(life);
    case 'rest':
      return rest(life, step.until);
  }
}

async function choose(life: Life): Promise<void> {
  const { capp, due, rung, marks, avoid, serving } = life.state;
  const choice = await near('Choose a site').choose(capp, { marks, present: serving, avoid }).catch(behind);
  const state = choice.outcome === 'Behind' ? life.state : answered(life.state, due, rung);
  life.state = afterChoice(state, choice, { now: Date.now(), rung });
  if (choice.outcome === 'None' || choice.outcome === 'Chosen') life.record = choice.record;
  if (choice.outcome === 'None') await publish(life, null);
}

/** A choice that could not be made in its second is made again: the caches may be filling. */
function behind(error: unknown): Choice {
  if (isFailed(error)) return { outcome: 'Behind' };
  throw error;
}

async function apply(life: Life, cluster: string): Promise<void> {
  const asked = life.state;
  const applied = await hub(`Ship to ${cluster}`).apply(asked.capp, cluster, asked, life.record);
  if (applied.outcome === 'Replaced') return startOver(life, applied.uid);
  life.record = null;
  life.state = afterApply(answered(life.state, asked.due.filter(asksForApply), asked.rung), cluster, applied);
  if (applied.outcome === 'Deleted') return;
  life.state = { ...life.state, published: fingerprint(conditionsOf(afterApply(asked, cluster, applied), applied.at)) };
  await publish(life, null);
}

async function watch(life: Life, cluster: string, until: number): Promise<void> {
  const copy = servingCopy(life.state);
  if (copy === null || copy.stamp === null) return;
  const known = copy.finding === null ? null : { verdict: copy.finding.verdict, reason: copy.finding.reason };
  const asked = life.agent.ask({ kind: 'verdict', cluster, question: { stamp: copy.stamp, known, statusHash: life.state.mirrored } });
  if (asked) life.state = answered(life.state, ['site'], life.state.rung);
  await wait(life, until, `${cluster} has until then to be Ready`);
  await publish(life, null);
}

async function report(life: Life, cluster: string): Promise<void> {
  const stamp = servingCopy(life.state)?.stamp ?? null;
  life.state = answered(life.state, ['site'], life.state.rung);
  if (stamp === null) return;
  // An answer that is already on its way may be older than the ring.
  life.agent.drop();
  life.agent.ask({ kind: 'report', cluster, question: { stamp, known: null, statusHash: life.state.mirrored } });
}

async function remove(life: Life, clusters: readonly string[]): Promise<void> {
  const { capp, rung } = life.state;
  const removed = await hub(`Remove from ${clusters.join(', ')}`)
    .remove(capp, clusters)
    .catch(stillThere(clusters));
  life.state = afterRemove(life.state, { gone: clusters, leaving: removed.leaving }, { now: Date.now(), rung });
}

/** What cannot be removed now is shown as leaving and tried again at the next ring: it says nothing against the serving copy. */
function stillThere(clusters: readonly string[]) {
  return (error: unknown): { readonly leaving: readonly string[] } => {
    if (isFailed(error)) return { leaving: clusters };
    throw error;
  };
}

async function retire(life: Life): Promise<void> {
  life.agent.drop();
  const { capp, due, rung } = life.state;
  const retired = await hub('Remove every copy').retire(capp);
  if (retired.outcome === 'Replaced') return startOver(life, retired.uid);
  life.state = afterRetire(answered(life.state, due, rung), retired, { now: Date.now(), rung });
  if (retired.outcome === 'Retired') await end(life);
  else await publish(life, null);
}

/** A ring heard while the last work went may be about a namesake: then the life goes on. */
async function end(life: Life): Promise<void> {
  if (life.state.rung > life.state.seen) return;
  life.ended = true;
}

async function rest(life: Life, until: number | null): Promise<void> {
  if (life.agent.asking()?.kind === 'verdict') life.agent.drop();
  await wait(life, until, 'Another try');
  await publish(life, null);
}

/** Until a ring, the agent's news, or a time. */
async function wait(life: Life, until: number | null, summary: string): Promise<void> {
  const { rung } = life.state;
  const woken = (): boolean => life.state.rung !== rung || life.agent.hasNews();
  if (until === null) await condition(woken);
  else await condition(woken, Math.max(1, until - Date.now()), { summary });
}

async function takeNews(life: Life): Promise<void> {
  const news = life.agent.take();
  if (news === null) return;
  life.state = learned(life.state, news);
  await publish(life, news);
}

function learned(state: State, news: News): State {
  return news.silent
    ? afterSilence(state, news.cluster, news.stamp, Date.now())
    : afterAnswer(state, news.cluster, news.stamp, news.answer);
}

async function checkpoint(life: Life): Promise<void> {
  if (life.agent.asking()?.kind === 'report') life.state = heard(life.state, rungFor('site'));
  life.agent.drop();
  await condition(allHandlersFinished);
  await continueAsNew<typeof capp>(life.state);
}

/** Another object has taken the name: everything is looked at anew, and works of the old one are adopted or removed. */
async function startOver(life: Life, uid: string): Promise<void> {
  life.agent.drop();
  await condition(allHandlersFinished);
  await continueAsNew<typeof capp>(initialState({ ...life.state.capp, uid }));
}

function refusalOf(error: TemporalFailure): { reason: string; message: string } {
  const cause = error instanceof ApplicationFailure ? error : error.cause;
  const message = cause instanceof ApplicationFailure ? cause.message : 'The hub did not answer in time.';
  return { reason: 'Refused', message };
}
