// What the workflow of a cluster that joins needs from activities.
import type { JoinSight } from '../../crds/join/sight.ts';

export type Approved =
  /** The cluster and its request are accepted, now or before. */
  | { readonly outcome: 'Approved' }
  /** Nothing was written: what is there does not fit. */
  | { readonly outcome: 'LeftAlone'; readonly why: string };

export interface DeclaredTurn {
  /** Something was written of which a look at the cluster knows nothing yet. */
  readonly hasActed: boolean;
  /** How each ClusterJoin stands, for people. */
  readonly says: string;
  /**
   * One of them waits for what no ring may tell of. Absent: none, or a worker before this field has looked.
   */
  readonly isHeld?: boolean;
}

/** Activities of the hub worker for clusters that join. Nothing of a token but its id is in an answer. */
export interface Joins {
  /**
   * Reads live what the hub's objects say of the cluster, and whether ClusterJoins name it that are not
   * settled. Before, it notes of its name who has been accepted, or that the cluster is gone, by the version
   * that was read; a repeat finds it noted. Throws Unreachable, Conflict and Forbidden.
   */
  seeJoin(cluster: string): Promise<JoinSight>;
  /**
   * Accepts the cluster with the certificate request that the token pays for. What it is told is a hint: it
   * reads ManagedCluster, request and token live, and writes only if who asks has shown this token, which is
   * for this very ManagedCluster and has not ended, and if what is asked for is what an agent of the cluster
   * asks for, and if nobody who had the name before may have a certificate for it, unless the token says that
   * it is given away in spite of that. First it notes whose the name is. Then it notes the request on the
   * ManagedCluster and accepts that, in one write by the version
   * that was read: so a token pays for one request, whoever else tries at the same time. Then it approves. A
   * repeat approves the same one, and never accepts again what a person has refused since. Throws
   * Unreachable, Conflict and Forbidden.
   */
  approveJoin(cluster: string, hint: { readonly request: string; readonly token: string }): Promise<Approved>;
  /**
   * Does what ClusterJoins ask for that name this cluster, the oldest first, and says in their statuses how
   * they stand: makes the ManagedCluster and its token, writes the line into a Secret beside the ClusterJoin,
   * and takes all of it back when that is deleted, but nothing of a cluster that was accepted. It reads
   * everything live, and each write rests on the versions that were read; a repeat goes on from what is
   * there. A ClusterJoin mints once. What the hub refuses for good is said in the status of that ClusterJoin,
   * and the others go on. Throws Unreachable, Conflict, and Forbidden where it may not read ClusterJoins or
   * write their statuses.
   */
  settleDeclared(cluster: string): Promise<DeclaredTurn>;
  /**
   * Deletes a token that has been spent on a request of this cluster, and no other. A repeat finds it gone.
   * Throws Unreachable and Forbidden.
   */
  releaseToken(cluster: string, token: string): Promise<void>;
}
