// The placement inputs: everything that a choice of a cluster depends on.
import type { Requires } from '../../crds/capp/spec/requires.ts';
import type { ClusterIdentity } from './fit.ts';

/** What is known of one cluster that could be chosen. */
export interface ClusterFacts extends ClusterIdentity {
  /** The hub itself: a Capp placed there would be its own copy. */
  readonly isHub: boolean;
  readonly accepted: boolean;
  readonly deleting: boolean;
  /** Its agent renews its lease: neither unavailable nor unreachable. */
  readonly reachable: boolean;
  /** It is tainted NoSelect by somebody other than OCM. */
  readonly tainted: boolean;
  /** A Drain stands for it that is no dry run: nothing new is placed there. */
  readonly draining: boolean;
  /** The RCSConfig allows Capps to be pinned to it. */
  readonly mayPin: boolean;
}

/** What is known of one Placement: null if it does not exist; else the union of all its decisions. */
export interface PlacementFacts {
  readonly clusters: readonly string[];
  /** As many as the Placement says it has selected. */
  readonly complete: boolean;
}

export interface PlacementInputs {
  /** `spec.site`, or empty. */
  readonly site: string;
  /** `spec.requires`; absent if any site will do. */
  readonly requires?: Requires;
  /** The key of the RCSConfig, whether or not it exists. */
  readonly config: { readonly namespace: string; readonly name: string };
  /** RCSConfig's placements in order, or null if there is no RCSConfig. */
  readonly placements: readonly string[] | null;
  readonly placementsNamespace: string;
  readonly byPlacement: Readonly<Record<string, PlacementFacts | null>>;
  readonly clusters: Readonly<Record<string, ClusterFacts>>;
  /** Capps on each cluster, choices not yet visible included. */
  readonly load: Readonly<Record<string, number>>;
  /** Score of each cluster, higher is better; 0 if absent. */
  readonly scores: Readonly<Record<string, number>>;
  /** Clusters with a work of this Capp, and whether it is being deleted. */
  readonly works: Readonly<Record<string, { readonly leaving: boolean }>>;
  /**
   * Clusters with a work whose name could also be another Capp's, so that only a live read tells whose it is.
   * Absent where that does not matter.
   */
  readonly doubtful?: readonly string[];
  /** The cluster that serves the Capp, or null. */
  readonly present: string | null;
  /** Clusters not to choose → until when, in milliseconds since the epoch. */
  readonly avoid: Readonly<Record<string, number>>;
  /** The cluster that the Capp is to leave, or null. */
  readonly left?: string | null;
  /** Comes before all others if it may be chosen: the site that a drain has planned for the Capp. */
  readonly planned?: string;
  /**
   * No cluster that is tainted or out of reach may be chosen, although a decision that tolerates it for a
   * while names it still.
   */
  readonly onlyHealthy?: true;
  /** The only cluster that may be chosen. */
  readonly only?: string;
}

/** The inputs for a Capp that has a site. */
export type PlacedInputs = PlacementInputs & { readonly present: string };
