// A hub on an etcd of somebody else's: it looks before it starts, says whose the objects are, and remembers
// how far etcd was.
import { writeJson } from '../../local/supervise/json-file.ts';
import { isShut, restoredFile, type RestoredHub } from '../admit/restored.ts';
import type { HubConfig } from '../config/config.ts';
import { named } from '../config/fields.ts';
import { ConfigRefused } from '../config/refused.ts';
import type { HubOrigin } from '../data-directory.ts';
import { claimStore, storeIn, type ExternalEtcd, type HubStore } from './store.ts';
import { checkStore, lastMomentIn, rememberMoment, wentBack } from './whose.ts';

/**
 * Before anything is written. `shut`: its etcd went back to an earlier state, and nobody may come in until a
 * person has seen what that lacks. Throws ConfigRefused.
 */
export async function storeOfHub(
  { etcd, dataDirectory }: HubConfig,
  made: HubOrigin | null,
): Promise<{ readonly warnings: readonly string[]; readonly shut: RestoredHub | null }> {
  if (etcd.mode === 'embed') return { warnings: [], shut: null };
  const store = await lookedInto(etcd);
  const warnings = checkStore(etcd, store, made);
  const isBack = store !== null && wentBack(store, await lastMomentIn(dataDirectory));
  return { warnings, shut: isBack ? { at: null } : null };
}

/** Before the API server starts: of two hubs that begin at once one is refused. Throws ConfigRefused. */
export async function claimForHub(
  { etcd, dataDirectory }: HubConfig,
  { id, shut }: { readonly id: string; readonly shut: RestoredHub | null },
): Promise<void> {
  if (etcd.mode === 'embed') return;
  const before = await lookedInto(etcd);
  if (before === null) return;
  if (before.hub === null) await claimStore(etcd, id);
  const store = await lookedInto(etcd);
  if (store === null) return;
  checkStore(etcd, store, { version: 1, etcd, id, authority: null });
  // The mark first: a start that ends in between must not forget that etcd went back.
  if (shut !== null && !isShut(dataDirectory)) writeJson(restoredFile(dataDirectory), shut);
  rememberMoment(dataDirectory, store);
}

/** Throws when it went back since the last look. */
export async function lookAtStore({ etcd, dataDirectory }: HubConfig): Promise<void> {
  if (etcd.mode === 'embed') return;
  const store = await storeIn(etcd);
  if (store === null) return;
  if (wentBack(store, await lastMomentIn(dataDirectory)))
    throw new Error(
      'The etcd of this hub went back to an earlier state while the hub runs, and agents may delete what is newer. Stop the hub now, and start it again: it lets nobody in until you have seen what that lacks.',
    );
  rememberMoment(dataDirectory, store);
}

async function lookedInto(etcd: ExternalEtcd): Promise<HubStore | null> {
  try {
    return await storeIn(etcd);
  } catch (error) {
    throw new ConfigRefused([
      `${named('etcd.servers')}: ${(error as Error).message} Look whether ${named('etcd.caFile')}, ${named('etcd.certFile')} and ${named('etcd.keyFile')} are those of ${etcd.servers.join(', ')}.`,
    ]);
  }
}
