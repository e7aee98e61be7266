// The site's side of sealed Secrets, beside the reconciles of Capps: keeps its keys and claims the present
// one, and opens what comes.
import type { Capp } from '../../crds/capp/capp.ts';
import { isReservedNamespace } from '../../crds/reserved-namespaces.ts';
import type { CappSecret } from '../../crds/sealing/capp-secret.ts';
import type { Kube } from '../../kube/client.ts';
import { keyedQueue, type KeyedQueue } from '../../kube/queue.ts';
import { keyTextOf } from '../../kube/resource.ts';
import type { Optional } from '../../kube/watch/optional.ts';
import { SITE_TIMES } from '../times.ts';
import { claimKey } from './claim.ts';
import { siteKeys, type SiteKeys } from './keys.ts';
import { openSecret } from './open.ts';

export interface SiteSealing {
  /** Call it once nothing keeps this operator from writing. */
  start(): void;
  stop(): Promise<void>;
}

interface SealingOptions {
  readonly kube: Kube;
  readonly sealed: Optional<CappSecret>;
  /** The operator's own Namespace, where the keys are. */
  readonly place: string;
  readonly reserved: readonly string[];
  /** Whether what a hub sends may be in its Namespace. Throws ApiError. */
  readonly admits: (one: Pick<Capp, 'metadata'>) => Promise<boolean>;
  readonly onError: (key: string, error: unknown, failures: number) => void;
}

/** The key of the look at the site's own keys; no object has this one. */
const KEYS = 'sealing keys';

/**
 * Does nothing while the site does not serve CappSecret. Keys and claim are looked at once a minute, and each
 * CappSecret every five: nobody says to this operator that a Secret was deleted or changed.
 */
export function sealing({ kube, sealed, place, reserved, admits, onError }: SealingOptions): SiteSealing {
  let keys: SiteKeys | null = null;
  const all = (): void => {
    queue.add(KEYS);
    for (const one of sealed.list()) queue.add(keyTextOf(one));
  };
  const lookAtKeys = async (): Promise<void> => {
    if (!sealed.served()) return;
    const before = keys?.current;
    keys = await siteKeys(kube, place);
    await claimKey(kube, keys.current);
    queue.add(KEYS, SITE_TIMES.sealingKeys.ms);
    if (before === undefined || !before.equals(keys.current)) all();
  };
  const isAdmitted = async (one: CappSecret): Promise<boolean> =>
    !isReservedNamespace(one.metadata.namespace ?? '', reserved) && admits(one);
  const look = async (key: string): Promise<void> => {
    const [namespace = '', name = ''] = key.split('/');
    const one = sealed.get({ namespace, name });
    if (one === undefined || one.metadata.deletionTimestamp !== undefined) return;
    keys ??= await siteKeys(kube, place);
    if (keys.find(one.spec.keyId) === null) keys = await siteKeys(kube, place);
    const isOpen = await openSecret({ kube, keys, place, isAdmitted: await isAdmitted(one) }, one);
    queue.add(key, isOpen ? SITE_TIMES.sealedAgain.ms : SITE_TIMES.sealingKeys.ms);
  };
  const queue: KeyedQueue = keyedQueue({
    work: (key) => (key === KEYS ? lookAtKeys() : look(key)),
    slowestMs: SITE_TIMES.retryLongest.ms,
    onError,
  });
  return {
    start: () => {
      sealed.subscribe(({ object }) => queue.add(keyTextOf(object)));
      sealed.onServed(all);
      all();
    },
    stop: () => queue.stop(),
  };
}
