// Holds a Bundle back that has something secret, where Secrets may go to sites only sealed: a work of a
// Bundle would hold it as it is.
import type { Bundle } from '../../../../crds/bundle/bundle.ts';
import { areHeldBack, unsealedWords } from '../../../../crds/bundle/secrets.ts';
import type { HubCaches } from '../../caches.ts';
import type { Loaded } from './load.ts';
import type { Refusal } from './manifests.ts';

export interface SealingRules {
  readonly caches: Pick<HubCaches, 'configs'>;
  /** The key of the RCSConfig. */
  readonly config: { readonly namespace: string; readonly name: string };
}

/** Why what was loaded may not go to any site; null if it may. */
export type HeldBack = (loaded: Pick<Loaded, 'firstSecret'>) => Refusal | null;

/** While there is no RCSConfig, no site is open to a Bundle (`sitesOf`). */
export function heldBackOf(
  { caches, config }: SealingRules,
  { metadata: { namespace = '' } }: Pick<Bundle, 'metadata'>,
): HeldBack {
  return ({ firstSecret }) => {
    const known = caches.configs.get(config)?.spec;
    if (known === undefined || !areHeldBack(known, namespace)) return null;
    const secret = firstSecret();
    if (secret === null) return null;
    return { reason: 'SecretNotSealed', message: unsealedWords(secret, namespace, config) };
  };
}
