// What a person must know of a CappSet or a Bundle: its rollout waits for a word, or is held. Pure.
import type { Condition } from '../../crds/capp/conditions.ts';
import type { RolloutFields } from '../../crds/rollout/status.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { NOTIFIER_TIMES } from '../times.ts';
import { newsOf, type NewsHappening, type News } from './news.ts';

/** As its API server has it. */
export interface WatchedFleet extends KubeObject {
  readonly status?: RolloutFields & {
    readonly revision?: string;
    readonly conditions?: readonly Condition[];
  };
}

/** A person has to say that it may go on. */
const AWAITS: ReadonlySet<string> = new Set(['AwaitsApproval', 'RemovalHeld']);
/** Held without being stalled: it goes back, or waits for sites. */
const HELD: ReadonlySet<string> = new Set(['RollingBack', 'SitesOffline']);
/** What often passes within seconds. */
const PASSING: ReadonlySet<string> = new Set([
  'NoSites',
  'NoPlacement',
  'NoDecision',
  'DecisionIncomplete',
  'SitesOffline',
]);

export function newsOfFleet(kind: 'CappSet' | 'Bundle', fleet: WatchedFleet): readonly News[] {
  if (fleet.metadata.deletionTimestamp !== undefined) return [];
  const happening = awaited(kind, fleet) ?? held(kind, fleet);
  return happening === null ? [] : [newsOf(kind, fleet, happening)];
}

function named(kind: string, { metadata: { namespace, name } }: WatchedFleet): string {
  return `${kind} ${namespace}/${name}`;
}

function conditionOf({ status }: WatchedFleet, type: string): Condition | undefined {
  return status?.conditions?.find((one) => one.type === type);
}

function awaited(kind: string, fleet: WatchedFleet): NewsHappening | null {
  const said = [conditionOf(fleet, 'Progressing'), conditionOf(fleet, 'Stalled')].find(
    (one) => one !== undefined && AWAITS.has(one.reason),
  );
  if (said === undefined) return null;
  const { revision = '', heldRemoval } = fleet.status ?? {};
  const of = said.reason === 'RemovalHeld' ? (heldRemoval?.set ?? '') : `${revision}/${waiting(fleet)}`;
  return {
    topic: 'ApprovalAwaited',
    reason: said.reason,
    occasion: `${of}/${said.lastTransitionTime}`,
    text: `${named(kind, fleet)} waits for approval. ${said.message}`,
    at: said.lastTransitionTime,
  };
}

/** The stage that waits, so that the next one is another happening. */
function waiting({ status }: WatchedFleet): string {
  return status?.stages?.find(({ state }) => state === 'Waiting')?.name ?? '';
}

function held(kind: string, fleet: WatchedFleet): NewsHappening | null {
  const stalled = conditionOf(fleet, 'Stalled');
  const going = conditionOf(fleet, 'Progressing');
  const isHeld = going !== undefined && HELD.has(going.reason);
  const said = stalled?.status === 'True' ? stalled : isHeld ? going : undefined;
  if (said === undefined) return null;
  return {
    topic: 'RolloutHeld',
    reason: said.reason,
    occasion: `${fleet.status?.revision ?? ''}/${said.lastTransitionTime}`,
    text: `${named(kind, fleet)} is held (${said.reason}): ${said.message}`,
    at: said.lastTransitionTime,
    graceMs: PASSING.has(said.reason) ? NOTIFIER_TIMES.settle.ms : 0,
  };
}
