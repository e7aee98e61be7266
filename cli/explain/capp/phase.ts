// In which phase a Capp is, and how far what the hub says of it can be trusted.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Condition } from '../../../crds/capp/conditions.ts';

export type ShownPhase =
  | 'New'
  | 'Placing'
  | 'RollingOut'
  | 'Ready'
  | 'Degraded'
  | 'Moving'
  | 'Paused'
  | 'Deleting';

export function conditionIn(capp: Capp, type: string): Condition | undefined {
  return capp.status?.conditions?.find((condition) => condition.type === type);
}

function is(capp: Capp, type: string, status: Condition['status']): boolean {
  return conditionIn(capp, type)?.status === status;
}

export function isPaused({ metadata }: Capp, annotation: string): boolean {
  const value = metadata.annotations?.[annotation];
  return value !== undefined && value !== 'false';
}

/** `paused` is the name of the annotation that freezes a Capp. */
export function phaseOf(capp: Capp, paused: string): ShownPhase {
  if (capp.metadata.deletionTimestamp !== undefined) return 'Deleting';
  if (isPaused(capp, paused)) return 'Paused';
  if (capp.status?.conditions === undefined) return 'New';
  if (is(capp, 'Migrating', 'True')) return 'Moving';
  if (!is(capp, 'Placed', 'True')) return 'Placing';
  if (isUnseen(capp)) return 'Degraded';
  const isOfNow = capp.status.observedGeneration === capp.metadata.generation;
  if (is(capp, 'Ready', 'True')) return isOfNow ? 'Ready' : 'RollingOut';
  const hasFailed =
    is(capp, 'Stalled', 'True') || ['Applied', 'Available', 'Ready'].some((type) => is(capp, type, 'False'));
  return hasFailed ? 'Degraded' : 'RollingOut';
}

const UNSEEN: ReadonlySet<string> = new Set(['AgentSilent', 'SiteUnreachable', 'NoSiteOperator']);

/** Nobody on the site can say how the Capp is now. */
export function isUnseen(capp: Capp): boolean {
  return UNSEEN.has(conditionIn(capp, 'Available')?.reason ?? '');
}

/**
 * Whether what stands in the status is how things are now: `current`; `behind`, when the hub has not looked
 * at the newest generation; `unseen`, when nobody on the site answers; `none` before the hub has looked.
 */
export type Freshness =
  | { readonly is: 'current' | 'none' }
  | { readonly is: 'behind'; readonly observed: number }
  | { readonly is: 'unseen'; readonly since: string };

/**
 * The hub has looked at the newest generation. A deletion is a generation, too, of which the hub only says in
 * words that it has seen it.
 */
export function isHeeded(capp: Capp): boolean {
  const { metadata, status } = capp;
  if ((status?.observedGeneration ?? -1) >= (metadata.generation ?? 0)) return true;
  const isGoing = metadata.deletionTimestamp !== undefined;
  return isGoing && conditionIn(capp, 'Ready')?.message.startsWith('Being deleted') === true;
}

export function freshnessOf(capp: Capp): Freshness {
  const { status } = capp;
  if (status?.conditions === undefined) return { is: 'none' };
  if (!isHeeded(capp)) return { is: 'behind', observed: status.observedGeneration ?? 0 };
  const available = conditionIn(capp, 'Available');
  if (!isUnseen(capp) || available === undefined) return { is: 'current' };
  return { is: 'unseen', since: lastSeenIn(available.message) ?? available.lastTransitionTime };
}

function lastSeenIn(message: string): string | undefined {
  return /last seen (?:at|before) (\d{4}-\d\d-\d\dT[\d:.]+Z)/.exec(message)?.[1];
}

/** The CappSet that keeps it; null for a Capp of its own. Labels do not count. */
export function setNameOf({ metadata: { ownerReferences = [] } }: Capp): string | null {
  return (
    ownerReferences.find(({ kind, controller }) => kind === 'CappSet' && controller === true)?.name ?? null
  );
}
