// Reads a workflow's input. Input that cannot be read must not block the workflow: its name alone is enough
// to find everything again.
import { NEW_COPY } from '../capp/decide/copies.ts';
import type { Inventory } from '../types/ring.ts';
import type { ScoreOrder } from '../score/measured.ts';
import type { SiteState } from '../site/state.ts';
import { cappOfWorkflowId, clusterOfSiteWorkflowId } from '../names.ts';
import { initialState, type Start, type State } from '../capp/state.ts';
import { readInventory } from './inventory.ts';
import { fieldsOf, isName, isNamespace, isUid, isWhole, type Fields } from './fields.ts';

/** The types of fields that are null in a new state. */
const NULLABLE: Readonly<Partial<Record<keyof State, 'string' | 'number' | 'object'>>> = {
  serving: 'string',
  placedFor: 'string',
  request: 'object',
  handled: 'object',
  pin: 'string',
  stays: 'object',
  leave: 'object',
  move: 'object',
  lastMove: 'object',
  movedAt: 'number',
  placing: 'object',
  refused: 'object',
  backoff: 'object',
  published: 'string',
  mirrored: 'string',
};

/**
 * A checkpoint is taken as it is, with defaults for fields that are new in this version. Other input starts
 * the workflow from nothing but its id: it has no uid, so the hub looks which object has the name. Null if
 * not even the id names a Capp.
 */
export function readState(given: unknown, workflowId: string): Start | null {
  const fields = fieldsOf(given);
  const { namespace, name, uid } = fieldsOf(fields?.['capp']) ?? {};
  if (fields !== null && fields['version'] === 1 && isNamespace(namespace) && isName(name) && isUid(uid)) {
    const whole = filledIn(fields, initialState({ namespace, name, uid }));
    if (whole !== null) return whole;
  }
  const owner = cappOfWorkflowId(workflowId);
  return owner === null ? null : { ...initialState({ ...owner, uid: '' }), unreadable: 1 };
}

/** Null if a field has the wrong type. */
function filledIn(fields: Fields, start: State): Start | null {
  const names = Object.keys(start) as (keyof State)[];
  const isRight = (name: keyof State): boolean => {
    const value = fields[name];
    if (value === undefined) return true;
    return start[name] === null
      ? value === null || kindOf(value) === NULLABLE[name]
      : kindOf(value) === kindOf(start[name]);
  };
  const copies = Object.entries(fieldsOf(fields['copies']) ?? {});
  const areCopies = copies.every(([, copy]) => fieldsOf(copy) !== null);
  const areExtras = ['awaitedBy', 'record'].every(
    (name) => (fields[name] ?? null) === null || fieldsOf(fields[name]) !== null,
  );
  if (!names.every(isRight) || !areCopies || !areExtras) return null;
  const whole = copies.map(([cluster, copy]) => [cluster, { ...NEW_COPY, ...fieldsOf(copy) }] as const);
  return { ...start, ...(fields as Partial<Start>), copies: Object.fromEntries(whole) };
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : value === null ? 'nothing' : typeof value;
}

/** Waiting inventories are kept if they can be read. Null if neither input nor id names a site. */
export function readSite(given: unknown, workflowId: string): SiteState | null {
  const fields = fieldsOf(given) ?? {};
  const cluster =
    clusterOfSiteWorkflowId(workflowId) ?? (isName(fields['cluster']) ? fields['cluster'] : null);
  if (cluster === null) return null;
  const inventories = Array.isArray(fields['audits'])
    ? fields['audits'].map(readInventory).filter((inventory): inventory is Inventory => inventory !== null)
    : [];
  const unreadable = isWhole(fields['unreadable'], 0, Number.MAX_SAFE_INTEGER) ? fields['unreadable'] : 0;
  return { version: 1, cluster, audits: inventories, unreadable };
}

/** Throws an Error that names the field and what it should be. */
export function readScoreOrder(given: unknown): ScoreOrder {
  const { cluster, intervalSeconds } = fieldsOf(given) ?? {};
  if (!isName(cluster))
    throw new Error(
      '"cluster" must be the name of a site, such as {"cluster":"site-1","intervalSeconds":60}',
    );
  if (!isWhole(intervalSeconds, 1, 86_400))
    throw new Error('"intervalSeconds" must be a whole number of seconds, such as 60');
  return { cluster, intervalSeconds };
}
