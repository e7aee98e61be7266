// The workflow `drill/<cluster>`: it looks what would become of the Capps on a cluster if it were drained,
// and asks the sites where they would go whether they could run there. It writes nothing but what it found,
// so one that is killed leaves nothing.
import { MOST_REHEARSED } from '../../crds/drain/drill-bounds.ts';
import type { PlannedMove } from '../drain/decide/plan.ts';
import { isFailed, isUnknownActivity, messageOf } from '../engine/failed.ts';
import { inputOf } from '../engine/input.ts';
import type { Runtime } from '../engine/runtime.ts';
import { drainChanged } from '../messages.ts';
import { clusterOfDrillWorkflowId } from '../names.ts';
import { readInspected } from '../parse/inspection.ts';
import type { Agent } from '../ports/agent.ts';
import type { InspectQuestion } from '../types/inspection.ts';
import { bySite, questionsFor } from './decide/ask.ts';
import { judge, type SiteAnswer } from './decide/judge.ts';
import { rehearsalOf } from './decide/rehearsal.ts';
import type { SiteSaid } from './decide/site.ts';
import type { DrillAsked, DrillCapp, DrillPage, Drills } from './port.ts';

export interface DrillRuntime extends Pick<
  Runtime,
  'id' | 'now' | 'handle' | 'until' | 'isHandled' | 'show' | 'beside' | 'countUnreadable'
> {
  drills(summary: string): Drills;
  agentInspect(cluster: string, summary: string): Pick<Agent, 'inspect'>;
}

interface DrillLife {
  readonly runtime: DrillRuntime;
  readonly cluster: string;
  /** The Drain has changed or is gone: it is read before anything else. */
  isRung: boolean;
}

/** Ends when the Drain asks for no drill any more. Fails at once when its id names no cluster. */
export async function liveInDrill(runtime: DrillRuntime): Promise<void> {
  const life: DrillLife = {
    runtime,
    cluster: inputOf(() => clusterOf(runtime.id())),
    isRung: true,
  };
  runtime.handle(
    drainChanged,
    () => {
      life.isRung = true;
    },
    { description: 'The Drain of the cluster has changed, or is gone: look again' },
  );
  while (life.isRung) {
    life.isRung = false;
    await carryOut(life);
  }
  await runtime.until(runtime.isHandled);
}

function clusterOf(workflowId: string): string {
  const cluster = clusterOfDrillWorkflowId(workflowId);
  if (cluster !== null) return cluster;
  throw new Error(
    'the workflow must be started with the id drill/<cluster>, so that each cluster has only one',
  );
}

/** What the hub refuses for good ends it: the bridge starts it again at its next comparison. */
async function carryOut(life: DrillLife): Promise<void> {
  const { runtime, cluster } = life;
  try {
    const { drill } = await runtime.drills(`Read Drain ${cluster}`).readDrill(cluster);
    if (drill !== null) await rehearse(life, drill);
  } catch (error) {
    if (!isFailed(error)) throw error;
    runtime.show(`The hub refuses to hub workers what a drill needs (${messageOf(error)}).`);
  }
}

/** A ring ends it between two questions: it begins again, if it is still asked for. */
async function rehearse(life: DrillLife, drill: DrillAsked): Promise<void> {
  const { runtime, cluster } = life;
  const found = await cappsOn(life);
  if (found === null) return;
  const answers = await answersOf(life, found.capps);
  if (life.isRung) return;
  const { generation } = drill;
  const { capps, sites } = judge(found.capps, answers);
  const rehearsal = rehearsalOf({ generation, at: runtime.now(), all: found.all, capps, sites });
  runtime.show(
    `**Over.** ${rehearsal.ready} of ${rehearsal.capps} Capps passed every check, and ${rehearsal.failed} failed one.`,
  );
  await runtime.drills(`Write what the drill of ${cluster} found`).reportDrill(cluster, {
    ...drill,
    rehearsal,
  });
}

/** Null: the Drain has changed meanwhile. */
async function cappsOn(
  life: DrillLife,
): Promise<{ readonly capps: readonly DrillCapp[]; readonly all: number } | null> {
  const { runtime, cluster } = life;
  const capps: DrillCapp[] = [];
  for (;;) {
    const page = await pageOf(life, capps);
    if (life.isRung) return null;
    capps.push(...page.capps);
    if (page.isLast || page.capps.length === 0 || capps.length >= MOST_REHEARSED)
      return { capps: capps.slice(0, MOST_REHEARSED), all: page.all };
    runtime.show(`${capps.length} of ${page.all} Capps on ${cluster} are looked at.`);
  }
}

function pageOf({ runtime, cluster }: DrillLife, before: readonly DrillCapp[]): Promise<DrillPage> {
  const last = before.at(-1);
  const after =
    last === undefined ? null : { namespace: last.namespace, name: last.name, priority: last.priority };
  const bound: PlannedMove[] = before.flatMap(({ namespace, name, to }) =>
    to === null ? [] : [{ capp: `${namespace}/${name}`, to }],
  );
  const from = last === undefined ? '' : ` after ${last.namespace}/${last.name}`;
  return runtime.drills(`Look at the Capps on ${cluster}${from}`).drillPage(cluster, after, bound);
}

/** All sites are asked side by side, each one question after the other. A ring ends the asking. */
async function answersOf(
  life: DrillLife,
  capps: readonly DrillCapp[],
): Promise<ReadonlyMap<string, SiteAnswer>> {
  const { runtime } = life;
  const answers = new Map<string, SiteAnswer>();
  let left = 0;
  const asking = [...bySite(capps)].map(([site, own]) => {
    left += 1;
    const beside = runtime.beside(() => askSite(life, site, questionsFor(own)));
    const settled = beside.result.then(
      (answer) => {
        answers.set(site, answer);
        left -= 1;
      },
      (error: unknown) => {
        left -= 1;
        // What was cancelled is not wanted any more.
        if (!life.isRung) throw error;
      },
    );
    return { cancel: beside.cancel, settled };
  });
  await runtime.until(() => left === 0 || life.isRung);
  if (life.isRung) for (const { cancel } of asking) cancel();
  await Promise.all(asking.map(({ settled }) => settled));
  return answers;
}

/** A site that does not answer is a result. */
async function askSite(
  { runtime }: DrillLife,
  site: string,
  questions: readonly InspectQuestion[],
): Promise<SiteAnswer> {
  const said: SiteSaid[] = [];
  for (const question of questions) {
    try {
      const given: unknown = await runtime.agentInspect(site, `Ask ${site} for a drill`).inspect(question);
      const inspected = readInspected(given);
      if (inspected === null) {
        runtime.countUnreadable();
        return { silent: `The answer of the agent on ${site} cannot be read. Upgrade the agent there.` };
      }
      said.push({ question, inspected });
    } catch (error) {
      if (!isFailed(error)) throw error;
      return { silent: whySilent(site, messageOf(error)) };
    }
  }
  return { said };
}

function whySilent(site: string, message: string): string {
  if (isUnknownActivity(message)) return `The agent on ${site} does not know drills yet. Upgrade it.`;
  return `The agent on ${site} did not answer in time. See whether it runs, and whether agent and gateway have this version of Cappstan.`;
}
