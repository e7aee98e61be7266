// Whether a hub may start on an etcd of somebody else's: on its own objects or none, and not on an earlier
// state of them without a person.
import { join } from 'node:path';
import { readJson, writeJson } from '../../local/supervise/json-file.ts';
import { named } from '../config/fields.ts';
import { ConfigRefused } from '../config/refused.ts';
import type { HubOrigin } from '../data-directory.ts';
import type { ExternalEtcd, HubStore, StoreMoment } from './store.ts';

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

/** Null: `store` could not be looked into. Returns warnings, throws ConfigRefused. */
export function checkStore(
  { prefix, servers }: ExternalEtcd,
  store: HubStore | null,
  made: HubOrigin | null,
): readonly string[] {
  const where = `${named('etcd.servers')}: what is below ${prefix} in the etcd at ${servers.join(', ')}`;
  if (store === null)
    return [
      `${where} cannot be looked into, since its JSON API is off: nobody sees whether it is another hub's, or an earlier state. Start etcd without --enable-grpc-gateway=false.`,
    ];
  const hasStored = (made?.authority ?? null) !== null;
  if (store.hub === null && hasStored && store.isEmpty)
    throw new ConfigRefused([
      `${where} is empty, and this hub has objects. Give the servers that it had, or restore its etcd first.`,
    ]);
  const isAnothers = store.hub === null ? !store.isEmpty && !hasStored : store.hub !== made?.id;
  if (isAnothers)
    throw new ConfigRefused([
      `${where} is ${store.hub === null ? 'the objects of an API server already' : 'another hub’s'}. Give another ${named('etcd.prefix')}, or another etcd.`,
    ]);
  return [];
}

/**
 * Its etcd was restored since: the agents of its sites would delete what is newer than that, so they stay out
 * until a person has seen it.
 */
export function wentBack(store: StoreMoment, last: StoreMoment | null): boolean {
  return last !== null && store.newestLease < last.newestLease;
}
