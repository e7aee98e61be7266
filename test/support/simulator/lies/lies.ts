// What becomes in a simulated world of what a site lies: its answers, rings, inventories and scores are taken
// as the hub takes them, by the real parsers and activities.
import type { Hub } from '../../../../workflows/ports/hub.ts';
import type { CappRef } from '../../../../workflows/capp/state.ts';
import type { ReportQuestion } from '../../../../workflows/ports/agent.ts';
import { siteWorkflowId, cappWorkflowId } from '../../../../workflows/names.ts';
import { readAnswer } from '../../../../workflows/parse/answer.ts';
import { readInspected } from '../../../../workflows/parse/inspection.ts';
import { readInventory } from '../../../../workflows/parse/inventory.ts';
import { rungFor, type InventoryEntry } from '../../../../workflows/types/ring.ts';
import type { Random } from '../../builders/random.ts';
import type { Cancel } from '../engine/clockwork.ts';
import type { Done } from '../engine/exchange.ts';
import { fail } from '../rules/breach.ts';
import { LieRules } from '../rules/lies.ts';
import { NAMESPACE } from '../world/names.ts';
import type { World } from '../world/world.ts';
import { Liar } from './liar.ts';
import type { Asking } from './upstream.ts';

export interface Lies {
  readonly site: string;
  readonly rules: LieRules;
  /** The site lies still, so that its questions go to who has taken it over. */
  tells(cluster: string): boolean;
  ask(asking: Asking, done: Done): Cancel;
  /** What the gateway has let through about a stamp, as JSON of the finding. */
  hasSaid(stamp: string, finding: string): boolean;
}

const SCORE_MS = 60_000;
const DRILL_MS = 90_000;
/** As in the site's workflow. */
const MOST_STRAYS = 20;

export function lyingSite(world: World, dice: Random, hub: () => Hub): Lies {
  const said = new Set<string>();
  const taking: Taking = { world, hub, ask: (asking) => asked((done) => liar.ask(asking, done)) };
  const liar: Liar = new Liar(world, dice, {
    answered: ({ given: [, question] }, value) => {
      const { stamp = '' } = (question ?? {}) as Partial<ReportQuestion>;
      said.add(`${stamp} ${JSON.stringify(readAnswer(value)?.finding ?? null)}`);
    },
    signalled: (workflowId, name, value) => {
      rules.signalled(workflowId, name, value);
      if (workflowId !== siteWorkflowId(liar.site)) return world.temporal.send(workflowId, name, [value]);
      void takeInventory(taking, liar.site, value).catch(() => undefined);
      return true;
    },
  });
  const rules = new LieRules(world, liar.site);
  const tells = (cluster: string): boolean => cluster === liar.site && !world.calm;
  const measure = (): void => {
    if (world.calm) return;
    void takeScore(taking, liar.site).catch(() => undefined);
    world.clock.after(SCORE_MS, measure);
  };
  world.clock.after(SCORE_MS, measure);
  const drill = (): void => {
    if (world.calm) return;
    void takeInspection(taking).catch(() => undefined);
    world.clock.after(DRILL_MS, drill);
  };
  world.clock.after(DRILL_MS, drill);
  return {
    site: liar.site,
    rules,
    tells,
    ask: (asking, done) => liar.ask(asking, done),
    hasSaid: (stamp, finding) => said.has(`${stamp} ${finding}`),
  };
}

interface Taking {
  readonly world: World;
  readonly hub: () => Hub;
  /** Throws as an activity of the agent does. */
  readonly ask: (asking: Asking) => Promise<unknown>;
}

function asked(ask: (done: Done) => unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    ask((outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.value)));
  });
}

/** As the site's workflow does. */
async function takeInventory({ world, hub, ask }: Taking, cluster: string, given: unknown): Promise<void> {
  const inventory = readInventory(given);
  if (inventory === null) return;
  const { differing, strays = [] } = await hub().compare(cluster, inventory);
  for (const { namespace, name } of differing)
    world.temporal.send(cappWorkflowId(namespace, name), 'ring', [rungFor('site')]);
  for (const stray of strays.slice(0, MOST_STRAYS)) {
    const seen = await ask({ kind: 'report', given: [refOf(stray), questionOf(stray)] });
    if (readAnswer(seen) !== null) await hub().takeUp(refOf(stray), cluster);
  }
}

function refOf({ namespace, name, uid }: InventoryEntry): CappRef {
  return { namespace, name, uid };
}

function questionOf({ stamp, statusHash }: InventoryEntry): ReportQuestion {
  return { stamp, known: null, statusHash };
}

/** As a run of the Schedule of scores does. */
async function takeScore({ hub, ask }: Taking, cluster: string): Promise<void> {
  const measured = await ask({ kind: 'measure', given: [] });
  await hub().publishScore(cluster, measured as never, SCORE_MS / 1_000);
}

/**
 * As a drill of the site does, which plans with what it is told and writes nothing of it but its own status.
 */
async function takeInspection({ world, ask }: Taking): Promise<void> {
  const question = { namespaces: [NAMESPACE], images: ['image:1'], kinds: ['Service'], wantsNodes: true };
  const said = await ask({ kind: 'inspect', given: [question] });
  const read = readInspected(said);
  if (read === null || JSON.stringify(read) !== JSON.stringify(said))
    fail(world, 'gateway: an answer to a drill is let through as the site has written it', said);
}
