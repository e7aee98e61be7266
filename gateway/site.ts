// Who calls the gateway: the agent of one managed cluster.

export interface CallingSite {
  /** The name of the managed cluster. */
  readonly cluster: string;
  /** The uid of its ServiceAccount: one that was deleted and made again is another. */
  readonly account: string;
}
