// Reads what an agent says of its site to a drill, in the gateway and again in the workflow.
import {
  IMAGE_SIGHTS,
  MOST_INSPECTED,
  QUOTA_RESOURCES,
  SITE_KINDS,
  type Inspected,
  type NodeRoom,
  type QuotaRoom,
} from '../types/inspection.ts';
import { fieldsOf, isName, isNamespace, isWhole } from './fields.ts';

const MOST_NODES = 100_000;

/** Null if it cannot be read: then the site has said nothing. */
export function readInspected(given: unknown): Inspected | null {
  const { nodes, moreNodes, quotas, areAllQuotas, images, absent } = fieldsOf(given) ?? {};
  const rooms = readAll(nodes, MOST_INSPECTED.nodes, readNode);
  const limits = readAll(quotas, MOST_INSPECTED.quotas, readQuota);
  const seen = readAll(images, MOST_INSPECTED.images, oneOf(IMAGE_SIGHTS));
  const lacking = readAll(absent, SITE_KINDS.length, oneOf(SITE_KINDS));
  if (rooms === null || limits === null || seen === null || lacking === null) return null;
  if (!isWhole(moreNodes, 0, MOST_NODES) || typeof areAllQuotas !== 'boolean') return null;
  return { nodes: rooms, moreNodes, quotas: limits, areAllQuotas, images: seen, absent: lacking };
}

/** Null if one of them cannot be read, or if there are too many. */
function readAll<T>(given: unknown, most: number, read: (one: unknown) => T | null): T[] | null {
  if (!Array.isArray(given) || given.length > most) return null;
  const found = given.map(read).filter((one) => one !== null);
  return found.length === given.length ? found : null;
}

function oneOf<T>(values: readonly T[]): (given: unknown) => T | null {
  return (given) => values.find((one) => one === given) ?? null;
}

function isAmount(given: unknown): given is number {
  return isWhole(given, 0, Number.MAX_SAFE_INTEGER);
}

function readNode(given: unknown): NodeRoom | null {
  const { cpu, memory, pods } = fieldsOf(given) ?? {};
  return isAmount(cpu) && isAmount(memory) && isAmount(pods) ? { cpu, memory, pods } : null;
}

function readQuota(given: unknown): QuotaRoom | null {
  const { namespace, name, resource, hard, used } = fieldsOf(given) ?? {};
  const known = QUOTA_RESOURCES.find((one) => one === resource);
  if (known === undefined || !isNamespace(namespace) || !isName(name)) return null;
  return isAmount(hard) && isAmount(used) ? { namespace, name, resource: known, hard, used } : null;
}
