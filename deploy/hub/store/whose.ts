// Whether a hub may start on an etcd of somebody else's: on its own objects or none, and not on an earlier
// state of them without a person.
import { join } from 'node:path';
import { readJson, writeJson } from '../../local/supervise/json-file.ts';
import { named } from '../config/fields.ts';
import { ConfigRefused } from '../config/refused.ts';
import type { HubOrigin } from '../data-directory.ts';
import type { ExternalEtcd, HubStore, StoreMoment, StoreOwner } from './store.ts';

function fileIn(directory: string): string {
  return join(directory, 'state', 'etcd.json');
}

/** How far it was when this hub looked last. Null: it never has. */
export function lastMomentIn(directory: string): Promise<StoreMoment | null> {
  return readJson<StoreMoment>(fileIn(directory));
}

export function rememberMoment(directory: string, { newestLease }: StoreMoment): void {
  writeJson(fileIn(directory), { newestLease } satisfies StoreMoment);
}

/** Throws ConfigRefused for a store that is not this hub's. */
export function checkStore({ prefix, servers }: ExternalEtcd, store: HubStore, made: HubOrigin | null): void {
  const where = `${named('etcd.servers')}: what is below ${prefix} in the etcd at ${servers.join(', ')}`;
  const hasStored = (made?.authority ?? null) !== null;
  if (store.hub === null && hasStored && store.isEmpty)
    throw new ConfigRefused([
      `${where} is empty, and this hub has objects. Give the servers that it had, or restore its etcd first.`,
    ]);
  if (store.hub === null && !store.isEmpty && !hasStored)
    throw new ConfigRefused([
      `${where} is the objects of an API server already. Give another ${named('etcd.prefix')}, or another etcd.`,
    ]);
  if (store.hub !== null && ownIdIn(store.hub, made) === null)
    throw new ConfigRefused([
      `${where} is another hub’s. Give another ${named('etcd.prefix')}, or another etcd. If it was this hub's, its state/hub.json is missing or of another: bring that back. If that hub is gone for good, free its place: etcdctl del --prefix ${prefix}/`,
    ]);
}

/**
 * The name by which the store knows this hub; null: it is another's. A program of before knew no names, and
 * one that ran meanwhile has forgotten it: the authority says whose it is.
 */
export function ownIdIn({ id, authority }: StoreOwner, made: HubOrigin | null): string | null {
  if (made === null) return null;
  if (made.id !== undefined) return id === made.id ? id : null;
  return made.authority !== null && authority === made.authority ? id : null;
}

/**
 * Its etcd was restored since: the agents of its sites would delete what is newer than that, so they stay out
 * until a person has seen it. While the hub stands still nobody renews its Leases.
 */
export function wentBack(store: StoreMoment, last: StoreMoment | null): boolean {
  return last !== null && store.newestLease < last.newestLease;
}

/** The same of a hub that runs and has renewed its Leases since: at a revision that is raised, as advised. */
export function wentBackMeanwhile(store: StoreMoment, last: StoreMoment | null): boolean {
  return wentBack(store, last) || (last !== null && store.newestLease - last.newestLease > MOST_WRITTEN);
}

/**
 * More than any etcd writes between two looks; whoever restores one is advised to raise its revision by more.
 */
const MOST_WRITTEN = 100_000_000;
