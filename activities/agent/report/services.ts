// Watches the Knative Services of a site that runs v0.3.6. The watch begins with the first Capp that needs
// it.
import { KNATIVE_SERVICE, type KnativeService } from '../../../crds/kubernetes/knative.ts';
import { ROLLOUT } from '../../../crds/labels.ts';
import { cache, type Cache } from '../../../kube/watch/cache.ts';
import type { Kube } from '../../../kube/client.ts';
import type { Key } from '../../../kube/resource.ts';
import { accessOf, filled } from './access.ts';

/** The part of a cache of Services that is needed here. */
export type ServiceSource = Pick<
  Cache<KnativeService>,
  'get' | 'subscribe' | 'synced' | 'problem' | 'onProblemChanged' | 'stop'
>;

export interface ServicesOptions {
  /** Called once, for the first Capp that needs it. */
  readonly watch: () => ServiceSource;
  /** The report on the Capp of that name may have changed; null: on any Capp. */
  readonly onNews: (key: Key | null) => void;
  /** `isSeen` may have changed. */
  readonly onAccess: () => void;
}

export interface Services {
  /** Null if there is none; undefined while that is not known. */
  of(key: Key): KnativeService | null | undefined;
  /** Resolves when all Services are known. Rejects if stopped before. */
  known(): Promise<void>;
  /** Whether the Services shown are the present ones; true as long as no Capp needs them. */
  isSeen(): boolean;
  stop(): Promise<void>;
}

interface Following {
  readonly cache: ServiceSource;
  readonly known: Promise<void>;
  isKnown: boolean;
}

export function services({ watch, onNews, onAccess }: ServicesOptions): Services {
  let following: Following | null = null;
  const follow = (): Following => {
    if (following !== null) return following;
    const source = watch();
    source.subscribe(({ object: { metadata }, initial }) => {
      if (!initial) onNews({ namespace: metadata.namespace ?? null, name: metadata.name });
    });
    source.onProblemChanged(onAccess);
    const known = filled(source).then(() => {
      begun.isKnown = true;
      onNews(null);
    });
    // Nobody needs to wait for it.
    known.catch(() => undefined);
    const begun: Following = { cache: source, known, isKnown: false };
    following = begun;
    return begun;
  };
  return {
    of: (key) => {
      const { cache: source, isKnown } = follow();
      return isKnown ? (source.get(key) ?? null) : undefined;
    },
    known: () => follow().known,
    isSeen: () => following === null || (following.isKnown && accessOf(following.cache) !== 'Unreachable'),
    stop: async () => {
      await following?.cache.stop();
    },
  };
}

export function watchServices(kube: Kube, onProblem: (error: unknown) => void): Cache<KnativeService> {
  return cache<KnativeService>(kube, { resource: KNATIVE_SERVICE, transform: lean, onProblem });
}

/** Keeps a Service's stamp and Knative's status. */
function lean({ metadata, spec, status }: KnativeService): KnativeService {
  const { name, namespace = '', uid = '', resourceVersion = '', generation = 0 } = metadata;
  const stamp = spec?.template?.metadata?.annotations?.[ROLLOUT];
  return {
    metadata: { name, namespace, uid, resourceVersion, generation },
    ...(stamp === undefined
      ? {}
      : { spec: { template: { metadata: { annotations: { [ROLLOUT]: stamp } } } } }),
    ...(status === undefined ? {} : { status }),
  };
}
