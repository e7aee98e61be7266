// A hub on an etcd of somebody else's: it looks before it starts, says whose the objects are, and remembers
// how far etcd was.
import { writeJson } from '../../local/supervise/json-file.ts';
import { isShut, restoredFile, type RestoredHub } from '../admit/restored.ts';
import type { HubConfig } from '../config/config.ts';
import { named } from '../config/fields.ts';
import { ConfigRefused } from '../config/refused.ts';
import type { HubOrigin } from '../data-directory.ts';
import {
  claimStore,
  renewStore,
  storeIn,
  type ExternalEtcd,
  type HubStore,
  type StoreOwner,
} from './store.ts';
import { checkStore, lastMomentIn, ownIdIn, rememberMoment, wentBack, wentBackMeanwhile } from './whose.ts';

export interface LookedAtStore {
  readonly warnings: readonly string[];
  /**
   * Its etcd went back to an earlier state, and nobody may come in until a person has seen what that lacks.
   */
  readonly shut: RestoredHub | null;
  /** By which the store knows this hub already. */
  readonly id: string | null;
}

/** Before anything is written. An etcd that nobody can look into is a warning. Throws ConfigRefused. */
export async function storeOfHub(
  { etcd, dataDirectory }: HubConfig,
  made: HubOrigin | null,
): Promise<LookedAtStore> {
  if (etcd.mode === 'embed') return { warnings: [], shut: null, id: null };
  const store = await lookedInto(etcd);
  if (typeof store === 'string') return { warnings: [store], shut: null, id: null };
  checkStore(etcd, store, made);
  const isBack = wentBack(store, await lastMomentIn(dataDirectory));
  const id = store.hub === null ? null : ownIdIn(store.hub, made);
  return { warnings: [], shut: isBack ? { at: null } : null, id };
}

/** Before the API server starts: of two hubs that begin at once one is refused. Throws ConfigRefused. */
export async function claimForHub(
  { etcd, dataDirectory }: HubConfig,
  owner: StoreOwner,
  shut: RestoredHub | null,
): Promise<void> {
  if (etcd.mode === 'embed') return;
  const store = await lookedInto(etcd, owner);
  if (typeof store === 'string') return;
  checkStore(etcd, store, { version: 1, etcd, id: owner.id, authority: null });
  // The mark first: a start that ends in between must not forget that etcd went back.
  if (shut !== null && !isShut(dataDirectory)) writeJson(restoredFile(dataDirectory), shut);
  await remember(etcd, dataDirectory, store);
}

/**
 * When it went back since the last look, the hub's doors are to be shut: the mark of that is written. A hub
 * whose doors are shut only remembers: its Leases come from before and after that, and a mark that a person
 * has just taken away is not written again.
 */
export async function lookAtStore({ etcd, dataDirectory }: HubConfig, isShutNow: boolean): Promise<void> {
  if (etcd.mode === 'embed') return;
  const store = await lookedInto(etcd);
  if (typeof store === 'string') return;
  const isBack = !isShutNow && wentBackMeanwhile(store, await lastMomentIn(dataDirectory));
  if (isBack && !isShut(dataDirectory))
    writeJson(restoredFile(dataDirectory), { at: null } satisfies RestoredHub);
  await remember(etcd, dataDirectory, store);
}

/**
 * What is there once `claimant` has claimed it, if it was nobody's. A text says why nobody can look: the API
 * server may get in all the same. Throws ConfigRefused for an etcd that it would not trust either.
 */
async function lookedInto(etcd: ExternalEtcd, claimant?: StoreOwner): Promise<HubStore | string> {
  try {
    if (claimant !== undefined) await claimStore(etcd, claimant);
    return await storeIn(etcd);
  } catch (error) {
    refuseUntrusted(error as Error);
    const how = ['caFile', 'certFile', 'keyFile'].map((name) => named(`etcd.${name}`)).join(', ');
    return `${named('etcd.servers')}: ${(error as Error).message} So nobody sees whether what is below ${etcd.prefix} is another hub's, or an earlier state. The hub looks by etcd's JSON API, as who ${how} say: it has to be on (--enable-grpc-gateway), and to let that certificate in.`;
  }
}

function refuseUntrusted({ cause }: Error): void {
  const { code = '', message = '' } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
  // An alert is what etcd says of our certificate, which its own clients may show otherwise.
  if (!/CERT|ISSUER|SIGNATURE/.test(code) || code.includes('ALERT')) return;
  const isName = code.startsWith('ERR_TLS_CERT_ALTNAME');
  const isTime = /EXPIRED|NOT_YET/.test(code);
  const remedy = isName
    ? `Give a name or address that is in its certificate in ${named('etcd.servers')}.`
    : isTime
      ? 'Set the clocks of both machines, or renew its certificate.'
      : `Give the authority that has signed it in ${named('etcd.caFile')}.`;
  throw new ConfigRefused([`${named('etcd.servers')}: no TLS with etcd (${message}). ${remedy}`]);
}

/** Where etcd does not answer any more, how far it was a moment ago. */
async function remember(
  etcd: ExternalEtcd,
  directory: string,
  { hub, newestLease }: HubStore,
): Promise<void> {
  const renewed = hub === null ? 0 : await renewStore(etcd, hub).catch(() => 0);
  rememberMoment(directory, { newestLease: Math.max(newestLease, renewed) });
}
