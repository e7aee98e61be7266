// Reads a workflow's input. Input that cannot be read must not block the workflow: its name alone is enough
// to find everything again.
import { NEW_COPY } from '../capp/after/copies.ts';
import type { Inventory } from '../types/ring.ts';
import type { IdentityOrder } from '../identity/order.ts';
import type { ScoreOrder } from '../score/measured.ts';
import type { SiteState } from '../site/state.ts';
import { cappOfWorkflowId, clusterOfSiteWorkflowId } from '../names.ts';
import { initialState, type Start, type State } from '../capp/state.ts';
import { readInventory } from './inventory.ts';
import { isState } from './capp-state.ts';
import { fieldsOf, isName, isUid, isWhole, sizeOf, type MessageFields } from './fields.ts';

/** Characters of a state as JSON. */
const LONGEST_STATE = 1_000_000;

/**
 * A checkpoint of this Capp is taken as it is, with defaults for fields that are new in this version. Other
 * input starts the workflow from nothing but its id: it has no uid, so the hub looks which object has the
 * name. Null if the id names no Capp: there is one workflow for each. What is read is well formed, and no
 * ground for anything: whoever may start a workflow may have written it.
 */
export function readState(given: unknown, workflowId: string): Start | null {
  const owner = cappOfWorkflowId(workflowId);
  if (owner === null) return null;
  const fields = fieldsOf(given);
  const { namespace, name, uid } = fieldsOf(fields?.['capp']) ?? {};
  const isOwn = namespace === owner.namespace && name === owner.name;
  if (fields?.['version'] === 1 && isOwn && isUid(uid)) {
    const whole = filledIn(fields, initialState({ ...owner, uid }));
    if (whole !== null) return whole;
  }
  return { ...initialState({ ...owner, uid: '' }), unreadable: 1 };
}

/** Null if a field, or a part of one, is not what it must be. */
function filledIn(fields: MessageFields, start: State): Start | null {
  const copies = Object.entries(fieldsOf(fields['copies'] ?? {}) ?? {});
  if (sizeOf(fields) > LONGEST_STATE || copies.some(([, copy]) => fieldsOf(copy) === null)) return null;
  const whole = copies.map(([cluster, copy]) => [cluster, { ...NEW_COPY, ...fieldsOf(copy) }] as const);
  const state = { ...start, ...fields, capp: start.capp };
  const filled = fields['copies'] === undefined ? state : { ...state, copies: Object.fromEntries(whole) };
  const isWhole = (fields['copies'] === undefined || fieldsOf(fields['copies']) !== null) && isState(filled);
  return isWhole ? filled : null;
}

/** Waiting inventories are kept if they can be read. Null if the id names no site. */
export function readSite(start: unknown, workflowId: string): SiteState | null {
  const fields = fieldsOf(start) ?? {};
  const cluster = clusterOfSiteWorkflowId(workflowId);
  if (cluster === null) return null;
  // Earlier versions called them audits.
  const given = fields['inventories'] ?? fields['audits'];
  const inventories = Array.isArray(given)
    ? given.map(readInventory).filter((inventory): inventory is Inventory => inventory !== null)
    : [];
  const unreadable = isWhole(fields['unreadable'], 0, Number.MAX_SAFE_INTEGER) ? fields['unreadable'] : 0;
  return { version: 1, cluster, inventories, unreadable };
}

/** Throws an Error that names the field and what it should be. */
export function readIdentityOrder(given: unknown): IdentityOrder {
  const { cluster } = fieldsOf(given) ?? {};
  if (!isName(cluster)) throw new Error('"cluster" must be the name of a site, such as {"cluster":"site-1"}');
  return { cluster };
}

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
