// Does one step of a Capp's life: asks the world, and takes what it says into the state.
import { allHandlersFinished, condition, continueAsNew } from '@temporalio/workflow';
import type { capp } from './capp.ts';
import { conditionsOf } from './decide/conditions.ts';
import { fingerprint } from './decide/fingerprint.ts';
import { afterApply, afterChoice, afterRemove, afterRetire, answered, isAppliedEverywhere } from './decide/learn.ts';
import { abandoned, afterPetition, arrived, begun, confirming, homeOf, switched } from './decide/moved.ts';
import { asksForApply, asksForLook, type Step } from './decide/next-step.ts';
import { isFailed } from './failed.ts';
import type { Life } from './life.ts';
import type { Ask, Choice } from './ports.ts';
import { publish } from './publish.ts';
import { ask, hub, near } from './proxies.ts';
import { settle } from './settle.ts';
import type { Cause } from './ring.ts';
import { initialState, type State } from './state.ts';

/** A drain that has let the Capp go, or was asked to, hears when that is over. */
export async function doStep(life: Life, step: Step): Promise<void> {
  const before = life.state;
  await perform(life, step);
  await settle(before, life.state);
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
    case 'remove':
      return remove(life, step.clusters);
    case 'retire':
      return retire(life);
    case 'petition':
      return petition(life, step.cluster);
    case 'rest':
      return rest(life, step.until);
    default:
      return turn(life, step.do);
  }
}

async function choose(life: Life): Promise<void> {
  const { due, rung } = life.state;
  const choice = await near('Choose a site').choose(life.state.capp, askOf(life.state)).catch(behind);
  const looked: readonly Cause[] =
    choice.outcome === 'Stays' || choice.outcome === 'Leaves' ? due.filter((cause) => asksForLook(cause) && !asksForApply(cause)) : due;
  const state = choice.outcome === 'Behind' ? life.state : answered(life.state, looked, rung);
  life.state = afterChoice(state, choice, { now: Date.now(), rung });
  if (choice.outcome === 'None' || choice.outcome === 'Chosen' || (choice.outcome === 'Leaves' && choice.to !== null))
    life.record = choice.record;
  if (choice.outcome === 'None' || choice.outcome === 'Stays' || choice.outcome === 'Leaves') await publish(life, null);
}

function askOf(state: State): Ask {
  const { marks, avoid, serving, placedFor, pin, request, annotated } = state;
  const standing = serving === null ? null : { placedFor, pin, home: homeOf(state), request, annotated };
  return { marks, present: serving, avoid, standing };
}

/** A choice that could not be made in its second is made again: the caches may be filling. */
function behind(error: unknown): Choice {
  if (isFailed(error)) return { outcome: 'Behind' };
  throw error;
}

async function apply(life: Life, cluster: string): Promise<void> {
  const asked = life.state;
  const shipping = hub(`Ship to ${cluster}`).apply(asked.capp, cluster, asked, life.record);
  const isNewCopy = asked.move?.to === cluster && asked.serving !== cluster;
  const applied = isNewCopy ? await shipping.catch((error: unknown) => giveUp(life, error)) : await shipping;
  if (applied === null) return;
  if (applied.outcome === 'Replaced') return startOver(life, applied.uid);
  life.record = null;
  const state = afterApply(life.state, cluster, applied, asked.rung);
  life.state = isAppliedEverywhere(state, asked.rung) ? answered(state, asked.due.filter(asksForApply), asked.rung) : state;
  if (applied.outcome === 'Deleted') return;
  life.state = { ...life.state, published: fingerprint(conditionsOf(afterApply(asked, cluster, applied), applied.at)) };
  await publish(life, null);
}

/** A site that cannot take the Capp is no reason to trouble the copy that serves. */
async function giveUp(life: Life, error: unknown): Promise<null> {
  if (!isFailed(error)) throw error;
  life.state = abandoned(life.state, Date.now(), 'Failed');
  await publish(life, null);
  return null;
}

async function watch(life: Life, cluster: string, until: number): Promise<void> {
  const copy = life.state.copies[cluster];
  if (copy === undefined || copy.stamp === null) return;
  const known = copy.finding === null ? null : { verdict: copy.finding.verdict, reason: copy.finding.reason };
  const asked = life.agent.ask({
    kind: 'verdict',
    cluster,
    question: { stamp: copy.stamp, known, statusHash: hashFor(life.state, cluster) },
  });
  if (asked && cluster === life.state.serving) life.state = answered(life.state, ['site'], life.state.rung);
  await wait(life, until, `${cluster} has until then to be Ready`);
  await publish(life, null);
}

/** The hash of what users read of a cluster's copy, which need not be sent again. */
function hashFor({ serving, mirrored }: State, cluster: string): string | null {
  return cluster === serving ? mirrored : null;
}

async function report(life: Life, cluster: string): Promise<void> {
  const stamp = life.state.copies[cluster]?.stamp ?? null;
  life.state = answered(confirming(life.state), ['site'], life.state.rung);
  if (stamp === null) return;
  // An answer that is already on its way may be older than the ring.
  life.agent.drop(cluster);
  life.agent.ask({ kind: 'report', cluster, question: { stamp, known: null, statusHash: hashFor(life.state, cluster) } });
}

async function remove(life: Life, clusters: readonly string[]): Promise<void> {
  const { capp, rung } = life.state;
  for (const cluster of clusters) life.agent.drop(cluster);
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

/** A drain that cannot be asked is one that does not answer. */
async function petition(life: Life, cluster: string): Promise<void> {
  const { capp, leave } = life.state;
  life.state = afterPetition(life.state, { askedAt: Date.now(), answer: null });
  await ask(`Ask drain/${cluster} for a turn`)
    .petition(cluster, { namespace: capp.namespace, name: capp.name, to: leave?.to ?? null, priority: leave?.priority ?? 0 })
    .catch((error: unknown) => {
      if (!isFailed(error)) throw error;
    });
  await publish(life, null);
}

/** The steps of a move that change nothing but the state, and what users read of it. */
async function turn(life: Life, what: 'begin' | 'switch' | 'abandon' | 'arrive'): Promise<void> {
  const now = Date.now();
  const turned = { begin: begun, switch: switched, abandon: (state: State) => abandoned(state, now, 'Failed'), arrive: arrived }[what];
  life.state = turned(life.state, now);
  if (what !== 'begin') await publish(life, null);
}

async function rest(life: Life, until: number | null): Promise<void> {
  for (const { kind, cluster } of life.agent.asking()) if (kind === 'verdict') life.agent.drop(cluster);
  await wait(life, until, 'Another try');
  await publish(life, null);
}

/** Until a ring, a permit, the agent's news, or a time. */
async function wait(life: Life, until: number | null, summary: string): Promise<void> {
  const { rung, leave } = life.state;
  const woken = (): boolean => life.state.rung !== rung || life.state.leave !== leave || life.agent.hasNews();
  if (until === null) await condition(woken);
  else await condition(woken, Math.max(1, until - Date.now()), { summary });
}

/** Another object has taken the name: everything is looked at anew, and works of the old one are adopted or removed. */
async function startOver(life: Life, uid: string): Promise<void> {
  life.ended = true;
  life.agent.drop();
  await condition(allHandlersFinished);
  await continueAsNew<typeof capp>(initialState({ ...life.state.capp, uid }));
}
