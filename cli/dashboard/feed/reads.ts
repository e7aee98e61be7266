// What a page asks for once: the past of an object, what a rollout would change, what the loss of a site
// would do, and names that hold a text.
import { CommandFailure } from '../../exit.ts';
import type { OpenedHub } from '../../hub/connection/hub.ts';
import { readHistory, type History } from '../../hub/objects/history.ts';
import { readNamed } from '../../hub/objects/named.ts';
import { inWords } from '../../explain/changes.ts';
import { rollbackOf } from '../../hub/acts/rollback.ts';
import { undoTarget } from '../../hub/acts/rollout.ts';
import { readCapp } from '../../hub/objects/capps.ts';
import { planOf } from '../../hub/plan/rollout-plan.ts';
import { readSteered } from '../../hub/objects/steered.ts';
import { checkSite } from '../../hub/objects/drains.ts';
import { suppose } from '../../hub/plan/suppose.ts';
import type { RolloutPlan } from '../../../crds/rollout/plan.ts';
import { revisionIn } from './acts.ts';
import { lastLines, type ShownLog } from './logs.ts';
import { lossView, type LossView } from '../view/loss.ts';
import { hitsFor, type Hit } from '../view/search.ts';
import type { DashboardFacts } from '../view/facts.ts';

export type FeedRead =
  | { readonly history: History }
  | { readonly plan: RolloutPlan }
  | { readonly log: ShownLog }
  | { readonly rollback: RollbackView }
  | { readonly loss: LossView }
  | { readonly hits: readonly Hit[] };

/** What a rollback would edit. */
export interface RollbackView {
  /** The number of the revision. */
  readonly to: number;
  /** How many fields. */
  readonly changes: number;
  /** Their paths, the first of them. */
  readonly says: string;
}

/** Throws CommandFailure and ApiError. */
export async function readFor(
  hub: OpenedHub,
  query: URLSearchParams,
  facts: () => DashboardFacts,
): Promise<FeedRead> {
  const at = (name: string): string => query.get(name) ?? '';
  const [kind, namespace, name] = [at('kind'), at('namespace'), at('name')];
  const there = { ...hub, namespace };
  switch (at('what')) {
    case 'history':
      return { history: await readHistory(there, await readNamed(there, `${kind.toLowerCase()}/${name}`)) };
    case 'plan': {
      const steered = await readSteered(there, `${kind.toLowerCase()}/${name}`);
      if (at('of') !== 'undo') return { plan: await planOf(hub, steered) };
      const to = at('text') === '' ? undefined : at('text');
      return { plan: await planOf(hub, (await undoTarget(hub, steered, to)).steered) };
    }
    case 'log':
      return { log: await lastLines(hub, { namespace, name }) };
    case 'rollback': {
      const capp = await readCapp(there, `${namespace}/${name}`);
      const { to, changes } = await rollbackOf(there, capp, revisionIn(at('text')));
      return { rollback: { to, changes: changes.length, says: inWords(changes) } };
    }
    case 'loss':
      await checkSite(hub, name);
      return { loss: lossView(name, await suppose(hub, name, { is: 'Lost' })) };
    case 'search':
      return { hits: hitsFor(at('text'), facts()) };
    default:
      throw new CommandFailure('usage', 'The dashboard knows no such question.');
  }
}
