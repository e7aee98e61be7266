// Which clusters a Capp may be sent to by name: pure, from the RCSConfig and what OCM says of clustersets.
import { selects } from '../kubernetes/label-selector.ts';
import {
  CLUSTER_SET_LABEL,
  type ManagedClusterSet,
  type ManagedClusterSetBinding,
  type Placement,
} from './placements.ts';
import type { RcsConfigSpec } from '../hub/rcs-config.ts';
import type { Key } from '../../kube/resource.ts';

export interface PinningInputs {
  /** Null without an RCSConfig. */
  readonly config: Pick<RcsConfigSpec, 'pinning'> | null;
  /** Those of the RCSConfig's placements that there are. */
  readonly placements: readonly Pick<Placement, 'spec'>[];
  /** In the placements' namespace. */
  readonly bindings: readonly Pick<ManagedClusterSetBinding, 'spec'>[];
  readonly sets: readonly Pick<ManagedClusterSet, 'metadata' | 'spec'>[];
}

type Labels = Readonly<Record<string, string>>;

/**
 * Says of a cluster's labels whether a Capp may be pinned there. By default it may be where the RCSConfig's
 * placements could decide for it: in one of their clustersets, bound to their namespace, whatever else they
 * ask for.
 */
export function pinnable({
  config,
  placements,
  bindings,
  sets,
}: PinningInputs): (labels: Labels | undefined) => boolean {
  if (config === null) return () => false;
  if (config.pinning === 'Any') return () => true;
  const bound = new Set(bindings.map(({ spec }) => spec?.clusterSet ?? ''));
  const named = new Set(
    placements.flatMap(({ spec }) => (spec?.clusterSets?.length ? spec.clusterSets : [...bound])),
  );
  const open = sets.filter(({ metadata: { name } }) => bound.has(name) && named.has(name));
  return (labels = {}) => open.some((set) => holds(set, labels));
}

/** Where each process has them. */
export interface PinningCaches {
  readonly placements: { get(key: Key): Pick<Placement, 'spec'> | undefined };
  readonly setBindings: { list(): readonly ManagedClusterSetBinding[] };
  readonly clusterSets: { list(): readonly ManagedClusterSet[] };
}

/** The same from caches. `config`: null or undefined without an RCSConfig. */
export function pinningOf(
  { placements, setBindings, clusterSets }: PinningCaches,
  config: Pick<RcsConfigSpec, 'pinning' | 'placements' | 'placementsNamespace'> | null | undefined,
): ReturnType<typeof pinnable> {
  const namespace = config?.placementsNamespace ?? '';
  return pinnable({
    config: config ?? null,
    placements: (config?.placements ?? []).flatMap((name) => placements.get({ namespace, name }) ?? []),
    bindings: setBindings.list().filter(({ metadata }) => metadata.namespace === namespace),
    sets: clusterSets.list(),
  });
}

function holds({ metadata, spec }: PinningInputs['sets'][number], labels: Labels): boolean {
  const { selectorType = 'ExclusiveClusterSetLabel', labelSelector = {} } = spec?.clusterSelector ?? {};
  return selectorType === 'LabelSelector'
    ? selects(labelSelector, labels)
    : labels[CLUSTER_SET_LABEL] === metadata.name;
}
